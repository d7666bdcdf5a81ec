import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FEATURES = 'server/src/features';

/** Forbidden imports, each with the folder whose rule refuses it. */
const FORBIDDEN: [folder: string, code: string][] = [
  ['server/src/lib', "import { createVault as proof } from '../vault/vault.ts';"],
  ['server/src/lib', "import { createServices as proof } from '../services.ts';"],
  ['server/src/lib', "import { wireFeatures as proof } from '../wiring.ts';"],
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
  ['server/src/features/events', "import { createLoginThrottle as proof } from '../rate-limits/login-throttle.ts';"],
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

/** Words in the second of two imports that make a cycle. */
const CYCLES = ['', 'type '];

describe('the import rules', () => {
  /** A project with the same rules and features, which contains only the files written here. */
  let folder: string;
  let linted: { diagnostics: { code: string; filename: string }[]; number_of_files: number };
  let files = 0;

  function place(name: string, code: string): void {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `${code}\n`);
    files += 1;
  }
  const placeImport = (path: string, code: string): void => place(path, `${code}\nexport const use = (p: proof): unknown => proof && p;`);

  // One run for all files: a start takes longer than reading them.
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'feierbild-import-rules-'));
    cpSync(join(ROOT, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'));
    files += 1;
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const feature of readdirSync(join(ROOT, FEATURES), { withFileTypes: true }))
      if (feature.isDirectory()) mkdirSync(join(folder, FEATURES, feature.name), { recursive: true });
    FORBIDDEN.forEach(([within, code], n) => placeImport(`${within}/forbidden-${n}.ts`, code));
    ALLOWED.forEach(([within, code], n) => placeImport(`${within}/allowed-${n}.ts`, code));
    placeImport(`${FEATURES}/new-feature/new.ts`, "import type { createPhotoStore as proof } from '../photos/photos.store.ts';");
    CYCLES.forEach((type, n) => {
      place(`server/src/lib/one-${n}.ts`, `import { b } from './other-${n}.ts';\nexport const a = (): unknown => b;`);
      place(`server/src/lib/other-${n}.ts`, `import ${type}{ a } from './one-${n}.ts';\nexport const b = (p?: typeof a): unknown => p;`);
    });
    const command = [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', '.'];
    linted = JSON.parse(spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' }).stdout);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Lists the rules that a file breaks. */
  const broken = (path: string): string[] => linted.diagnostics.filter(({ filename }) => filename === path).map(({ code }) => code);
  const RESTRICTED = 'eslint(no-restricted-imports)';

  it.each(FORBIDDEN.map(([within, code], n) => [within, code, n] as const))('refuse in %s: %s', (within, _, n) => {
    expect(broken(`${within}/forbidden-${n}.ts`)).toContain(RESTRICTED);
  });

  it.each(ALLOWED.map(([within, code], n) => [within, code, n] as const))('let pass in %s: %s', (within, _, n) => {
    expect(linted.number_of_files).toBe(files);
    expect(broken(`${within}/allowed-${n}.ts`)).not.toContain(RESTRICTED);
  });

  it('hold in a feature that is new', () => {
    expect(broken(`${FEATURES}/new-feature/new.ts`)).toContain(RESTRICTED);
  });

  it.each(CYCLES.map((type, n) => [type, n] as const))('refuse two files that import %seach other', (_, n) => {
    expect(broken(`server/src/lib/one-${n}.ts`)).toContain('import(no-cycle)');
  });
});
