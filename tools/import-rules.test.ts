import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const NAME = `import-rule-proof-${process.pid}`;
const OXLINT = join(ROOT, 'node_modules/oxlint/bin/oxlint');

/** A forbidden import, and the folder whose rule refuses it. */
const FORBIDDEN: [folder: string, code: string][] = [
  ['server/src/lib', "import { createVault as proof } from '../vault/vault.ts';"],
  ['server/src/lib', "import { createServices as proof } from '../services.ts';"],
  ['server/src/vault', "import { openDatabase as proof } from '../database/open.ts';"],
  ['server/src/vault', "import { createFolderStore as proof } from '../storage/folder-store.ts';"],
  ['server/src/vault', "import type { BlobStore as proof } from '../storage/blob-store.ts';"],
  ['server/src/storage', "import { createVault as proof } from '../vault/vault.ts';"],
  ['server/src/storage', "import { openDatabase as proof } from '../database/open.ts';"],
  ['server/src/storage', "import { missingForS3 as proof } from './testing/s3.ts';"],
  ['server/src/database', "import { createEvents as proof } from '../features/events/events.ts';"],
  ['server/src/images', "import { createFolderStore as proof } from '../storage/folder-store.ts';"],
  ['server/src/http', "import { createEvents as proof } from '../features/events/events.ts';"],
  ['server/src/http', "import { readConfig as proof } from '../config/config.ts';"],
  ['server/src/http', "import proof from '../../../web/src/app.tsx';"],
  ['server/src/features/events', "import { createServices as proof } from '../../services.ts';"],
  ['server/src/features/events', "import { commands as proof } from '../../cli/commands.ts';"],
  ['server/src/features/events', "import proof from '../../cli.ts';"],
  ['server/src/features/events', "import { createPhotoStore as proof } from '../photos/photos.store.ts';"],
  ['server/src/features/events', "import { photoRoutes as proof } from '../photos/photos.routes.ts';"],
  ['server/src/features/events', "import { createVisitors as proof } from '../sessions/visitors.ts';"],
  ['server/src/features/events', "import { openHouse as proof } from '../testing.ts';"],
  ['server/src/features/events', "import { createCipheriv as proof } from 'node:crypto';"],
  ['server/src/features/events', "import * as proof from 'node:crypto';"],
  ['server/src/features/events', "import proof from 'crypto';"],
  ['contract/src', "import { readFileSync as proof } from 'node:fs';"],
  ['web/src/pages/join', "import proof from '../event/event-page.tsx';"],
  ['web/src/pages/join', "import proof from '../event/selection.ts';"],
  ['web/src/pages/join', "import { createEvents as proof } from '../../../../server/src/features/events/events.ts';"],
  ['web/src', "import proof from '../ui-book/main.tsx';"],
  ['web/src/pages/join', "import { Book as proof } from '../../../ui-book/book.tsx';"],
  ['web/src/ui', "import { Book as proof } from '../../ui-book/book.tsx';"],
  ['web/ui-book', "import { createEvents as proof } from '../../server/src/features/events/events.ts';"],
  ['web/src/ui', "import proof from '../pages/event/event-page.tsx';"],
  ['web/src/lib', "import { Photo as proof } from '@feierbild/contract/entities.ts';"],
];

const ALLOWED: [folder: string, code: string][] = [
  ['server/src/features/events', "import { createVault as proof } from '../../vault/vault.ts';"],
  ['server/src/features/events', "import { createPhotos as proof } from '../photos/photos.ts';"],
  ['server/src/features/events', "import { createEventStore as proof } from './events.store.ts';"],
  ['server/src/features/events', "import { timingSafeEqual as proof } from 'node:crypto';"],
  ['server/src/vault', "import { createCipheriv as proof } from 'node:crypto';"],
  ['web/src/pages/join', "import { Button as proof } from '../../ui/button.tsx';"],
  ['web/src/lib', "import type { Photo as proof } from '@feierbild/contract/entities.ts';"],
];

describe('the import rules', () => {
  let files: string[] = [];
  afterEach(() => {
    for (const file of files) rmSync(file, { force: true, recursive: true });
    files = [];
  });

  /** Puts a file for the time of the test into a folder of the project. */
  function place(path: string, code: string): string {
    const file = join(ROOT, path);
    files.push(file);
    writeFileSync(file, `${code}\n`);
    return file;
  }

  const lint = (): string => spawnSync(process.execPath, [OXLINT, '--deny-warnings', ...files], { cwd: ROOT, encoding: 'utf8' }).stdout;

  it.each(FORBIDDEN)('refuse in %s: %s', (folder, code) => {
    place(`${folder}/${NAME}.ts`, `${code}\nexport const use = (p: proof): unknown => proof && p;`);
    expect(lint()).toContain('no-restricted-imports');
  });

  it.each(ALLOWED)('let pass in %s: %s', (folder, code) => {
    place(`${folder}/${NAME}.ts`, `${code}\nexport const use = (p: proof): unknown => proof && p;`);
    const output = lint();
    expect(output).toContain('1 file');
    expect(output).not.toContain('no-restricted-imports');
  });

  it('hold in a feature that is new', () => {
    const folder = join(ROOT, 'server/src/features', NAME);
    files.push(folder);
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'new.ts'),
      "import type { createPhotoStore as proof } from '../photos/photos.store.ts';\nexport type Use = typeof proof;\n",
    );
    expect(lint()).toContain('no-restricted-imports');
  });

  it.each(['', 'type '])('refuse two files that import %seach other', (type) => {
    place(`server/src/lib/${NAME}-a.ts`, `import { b } from './${NAME}-b.ts';\nexport const a = (): unknown => b;`);
    place(`server/src/lib/${NAME}-b.ts`, `import ${type}{ a } from './${NAME}-a.ts';\nexport const b = (p?: typeof a): unknown => p;`);
    expect(lint()).toContain('no-cycle');
  });
});
