import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Db } from '../../database/open.ts';
import { systemClock, type Clock } from '../../lib/clock.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import { createStaging } from '../../storage/staging.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { drawPhoto, type TestApp } from '../testing.ts';
import { createBackup, type Backup } from './backup.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';

interface UnderTest {
  app: TestApp;
  event: Awaited<ReturnType<TestApp['event']>>;
  folder: string;
  device: string;
  /** The time of the next snapshot, which gives it its name; ms since 1970. */
  now: number;
}

/** Provides tests with backup folders, which are removed after a file's tests, and with installations for restores. */
export function useBackups() {
  const vault = createQuickVault();
  const folders: string[] = [];
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  async function freshFolder(): Promise<string> {
    const folder = await mkdtemp(join(RUN_FOLDER, 'feierbild-backup-'));
    folders.push(folder);
    return folder;
  }

  /** Creates another, empty installation. */
  async function elsewhere(db: Db, clock: Clock = systemClock) {
    const folder = await freshFolder();
    const blobs = createFolderStore({ folder: join(folder, 'photos') });
    const staging = createStaging({ folder: join(folder, 'staging') });
    return {
      db,
      folder,
      blobs,
      backup: createBackup({ db, blobs, staging, vault, clock }),
      integrity: createIntegrity({ db, blobs, vault, graceMs: 0 }),
    };
  }

  /** Takes backups of an installation under test, and adds and removes photos of one of its devices. */
  const clientOf = (current: () => UnderTest) => ({
    backupOf(blobs: BlobStore): Backup {
      const { app, folder } = current();
      const staging = createStaging({ folder: join(folder, 'unused') });
      return createBackup({ db: app.db, blobs, staging, vault, clock: { now: () => current().now } });
    },
    async add(): Promise<string> {
      const { app, event, device } = current();
      return (await app.upload(event.code, await drawPhoto(), { device })).photo.id;
    },
    remove(id: string): Promise<Response> {
      const { app, event } = current();
      return app.call('DELETE', `/api/photos/${id}`, { cookie: event.cookie });
    },
  });

  return { vault, freshFolder, elsewhere, clientOf };
}
