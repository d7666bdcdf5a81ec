import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

/**
 * Makes this process the only one on a data folder, as long as it lives: the start clears staging and sweeps orphans, which
 * would hurt a second process. The lock is SQLite's own file lock, so that a crash frees it. Throws if the folder is taken.
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
