import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFull } from '../../lib/disk-full.ts';
import { DataFolderTaken, lockDataFolder, lockForReading } from '../../storage/data-lock.ts';
import { BackupProblem } from './snapshots.ts';

/** The SQLite error if another process holds the lock (https://sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;
/** What a run says whose folder is gone. */
export const goneText = (folder: string): string => `Der Ordner ${folder} ist nicht mehr da. Ist der Datenträger noch angeschlossen?`;
/** What a failed run says of the snapshots that it found. */
export const UNHARMED = 'Frühere Sicherungen sind unversehrt.';

/** Locks a backup's folder for this process; null if it needs no lock. Throws BackupProblem. */
export const lockToWrite = (folder: string): Disposable | null => locked(folder, lockDataFolder);
export const lockToRead = (folder: string): Disposable | null => locked(folder, isReadOnly(folder) ? lockForReading : lockDataFolder);

function locked(folder: string, lock: (folder: string) => Disposable | null): Disposable | null {
  try {
    return lock(folder);
  } catch (cause) {
    const isBusy = cause instanceof DataFolderTaken && (cause.cause as { errcode?: number }).errcode === SQLITE_BUSY;
    const said = isBusy
      ? `Mit dem Ordner ${folder} arbeitet gerade eine andere Sicherung.`
      : `In den Ordner ${folder} lässt sich nicht schreiben.`;
    throw new BackupProblem(said, { cause });
  }
}

/** Returns whether the folder is on a disk that is mounted read-only. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/**
 * Resolves like `work` on a locked folder. Throws BackupProblem if its disk is full or is not there any more; `earlier` is the message's
 * sentence about the earlier snapshots on a full one.
 */
export async function onDisk<T>(folder: string, work: Promise<T>, earlier = UNHARMED): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof BackupProblem) throw cause;
    if (isDiskFull(cause)) throw new BackupProblem(`Der Datenträger ist voll. ${earlier}`, { cause });
    // Each run has the folder of the blobs from its first step.
    if (existsSync(join(folder, 'blobs'))) throw cause;
    throw new BackupProblem(goneText(folder), { cause });
  }
}
