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

export class DataFolderTaken extends Error {
  constructor(folder: string, cause: unknown) {
    super(`DATA_DIR ${folder} wird schon von einem anderen Feierbild-Prozess benutzt`, { cause });
  }
}
