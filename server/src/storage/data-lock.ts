import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

/**
 * Locks a data folder for this process, until it disposes of the lock or ends: the start clears staging, which would damage the work of
 * a second process. It is SQLite's file lock, so a crash frees it. Throws DataFolderTaken.
 */
export function lockDataFolder(folder: string): Disposable {
  const lock = new DatabaseSync(join(folder, 'lock'));
  try {
    // SQLite would write a journal to an empty file, for which a full disk has no room.
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (cause) {
    lock.close();
    throw new DataFolderTaken(folder, cause);
  }
  return lock;
}

/**
 * For a reader of a folder on a disk that is mounted read-only, which another mount may write to: no process locks it meanwhile. Null where
 * none ever did. Throws DataFolderTaken.
 */
export function lockForReading(folder: string): Disposable | null {
  const file = join(folder, 'lock');
  if (!existsSync(file)) return null;
  const lock = new DatabaseSync(file, { readOnly: true });
  try {
    lock.exec('BEGIN; SELECT count(*) FROM sqlite_master;');
  } catch (cause) {
    lock.close();
    throw new DataFolderTaken(folder, cause);
  }
  return lock;
}

export class DataFolderTaken extends Error {
  constructor(folder: string, cause: unknown) {
    super(`DATA_DIR ${folder} wird schon von einem anderen Feierbild-Prozess benutzt`, { cause });
  }
}
