import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Db } from '../../database/open.ts';
import { systemClock } from '../../lib/clock.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import { createStaging } from '../../storage/staging.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { createBackup } from './backup.ts';

/** Folders of backups, removed after the tests of a file, and installations into which they are restored. */
export function useBackups() {
  const vault = createQuickVault();
  const folders: string[] = [];
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  async function freshFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-backup-'));
    folders.push(folder);
    return folder;
  }

  /** Another installation, empty. */
  async function elsewhere(db: Db) {
    const folder = await freshFolder();
    const blobs = createFolderStore({ folder: join(folder, 'photos') });
    const staging = createStaging({ folder: join(folder, 'staging') });
    return {
      db,
      blobs,
      backup: createBackup({ db, blobs, staging, vault, clock: systemClock }),
      integrity: createIntegrity({ db, blobs, vault, graceMs: 0 }),
    };
  }

  return { vault, freshFolder, elsewhere };
}
