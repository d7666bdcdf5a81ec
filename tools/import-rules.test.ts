import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const NAME = `import-rule-proof-${process.pid}`;

/** An import that must not be, and the folder whose rule refuses it. */
const FORBIDDEN: [folder: string, line: string][] = [
  ['server/src/lib', "import { createVault } from '../vault/create-vault.ts';\nexport const proof = createVault;"],
  ['server/src/vault', "import { openDatabase } from '../database/open.ts';\nexport const proof = openDatabase;"],
  ['server/src/vault', "import { createFolderStore } from '../storage/folder-store.ts';\nexport const proof = createFolderStore;"],
  ['server/src/storage', "import { createVault } from '../vault/create-vault.ts';\nexport const proof = createVault;"],
  ['server/src/database', "import { createEvents } from '../features/events/events.ts';\nexport const proof = createEvents;"],
  ['server/src/http', "import { createEvents } from '../features/events/events.ts';\nexport const proof = createEvents;"],
  ['server/src/features/events', "import { createServices } from '../../services.ts';\nexport const proof = createServices;"],
  ['server/src/features/events', "import { createPhotoStore } from '../photos/photos.store.ts';\nexport const proof = createPhotoStore;"],
  ['server/src/features/events', "import { createCipheriv } from 'node:crypto';\nexport const proof = createCipheriv;"],
  ['contract/src', "import { readFileSync } from 'node:fs';\nexport const proof = readFileSync;"],
  ['web/src/pages/join', "import EventPage from '../event/event-page.tsx';\nexport const proof = EventPage;"],
  ['web/src/ui', "import EventPage from '../pages/event/event-page.tsx';\nexport const proof = EventPage;"],
  ['web/src/lib', "import { Photo } from '@feierbild/contract/entities.ts';\nexport const proof = Photo;"],
];

describe('the import rules', () => {
  let file = '';
  afterEach(() => rmSync(file, { force: true }));

  it.each(FORBIDDEN)('refuse in %s: %s', (folder, code) => {
    file = join(ROOT, folder, `${NAME}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${code}\n`);
    const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), [file], { cwd: ROOT, encoding: 'utf8' });
    expect(stdout).toContain('no-restricted-imports');
    expect(status).toBe(1);
  });

  it('let a feature use the vault', () => {
    file = join(ROOT, 'server/src/features/events', `${NAME}.ts`);
    writeFileSync(file, "import { createVault } from '../../vault/create-vault.ts';\nexport const proof = createVault;\n");
    expect(spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), [file], { cwd: ROOT, encoding: 'utf8' }).stdout).not.toContain(
      'no-restricted-imports',
    );
  });
});
