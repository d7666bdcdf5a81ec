import { join } from 'node:path';
import type { Db } from '../../database/open.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import { copyBlob, eachOf, type Store } from './copy.ts';
import { importRows } from './rows.ts';
import { BackupProblem, blobsOf, isWhole, readLines, ROWS, type Snapshot } from './snapshots.ts';

export interface Restored {
  snapshot: string;
  photos: number;
  /** Keys of blobs that are missing or damaged in the backup and were not restored. */
  damaged: string[];
}

/** Restores a snapshot into an empty database and an empty photo store. Throws BackupProblem before it writes anything. */
export async function restoreSnapshot({ db, blobs, staging }: Store & { db: Db }, folder: string, snapshot: Snapshot): Promise<Restored> {
  const { name, path, manifest } = snapshot;
  if (!manifest || !(await isWhole(join(path, ROWS), manifest.rows))) throw new BackupProblem(`Der Stand ${name} ist beschädigt.`);
  const migrations = await db.migrations();
  if (migrations.join() !== manifest.migrations.join())
    throw new BackupProblem(
      'Die Sicherung stammt aus einer anderen Fassung von Feierbild: mit jener wiederherstellen, dann aktualisieren.',
    );
  await refuseToOverwrite(db, blobs);

  const source = createFolderStore({ folder: join(folder, 'blobs'), shared: true });
  // Blobs first, as with an upload: a row must never exist without its blobs.
  const copying = eachOf(blobsOf(snapshot), async ({ key, size, sha256 }) => {
    const copied = await copyBlob(key, source, { blobs, staging }, (found) => found.size === size && found.sha256 === sha256);
    return copied ? null : key;
  });
  const damaged = (await Array.fromAsync(copying)).filter((key) => key !== null);
  await db.transaction((trx) => importRows(trx, readLines(join(path, ROWS)), new Set(manifest.gone)));
  return { snapshot: name, photos: (manifest.rows.tables.photos ?? 0) - manifest.gone.length, damaged };
}

async function refuseToOverwrite(db: Db, blobs: Store['blobs']): Promise<void> {
  if (await db.kysely.selectFrom('events').select('id').limit(1).executeTakeFirst())
    throw new BackupProblem('Die Datenbank enthält schon Events. Wiederhergestellt wird nur in eine leere.');
  for await (const _ of blobs.list(''))
    throw new BackupProblem('Der Fotospeicher ist nicht leer. Wiederhergestellt wird nur in einen leeren.');
}
