import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

/**
 * Locks a data folder for this process as long as it lives: the start clears staging and removes orphaned blobs, which would
 * damage the work of a second process. It is SQLite's file lock, so a crash frees it. Throws DataFolderTaken.
 */
export function lockDataFolder(folder: string): { release(): void } {
  const lock = new DatabaseSync(join(folder, 'lock'));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (cause) {
    lock.close();
    throw new DataFolderTaken(folder, cause);
  }
  return { release: () => lock.close() };
}

export class DataFolderTaken extends Error {
  constructor(folder: string, cause: unknown) {
    super(`DATA_DIR ${folder} wird schon von einem anderen Feierbild-Prozess benutzt`, { cause });
  }
}
