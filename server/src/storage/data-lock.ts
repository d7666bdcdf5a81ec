import { existsSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { join } from 'node:path';

/** The error if another process holds the lock (https://sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;

/**
 * Locks a data folder for this process, until it disposes of the lock or ends: the start clears staging, which would damage the work of a
 * second process. It is SQLite's file lock, so a crash frees it. Throws DataFolderTaken.
 */
export function lockDataFolder(folder: string): Disposable {
  // SQLite would write a journal to an empty file, for which a full disk has no room.
  return locked(folder, {}, 'PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
}

/**
 * Locks a folder on a read-only mount for reading: another mount may write to the same disk, and no process may lock the folder meanwhile.
 * Null if no process ever locked it. Throws DataFolderTaken.
 */
export function lockForReading(folder: string): Disposable | null {
  return existsSync(join(folder, 'lock')) ? locked(folder, { readOnly: true }, 'BEGIN; SELECT count(*) FROM sqlite_master;') : null;
}

function locked(folder: string, options: DatabaseSyncOptions, statements: string): Disposable {
  const lock = new DatabaseSync(join(folder, 'lock'), options);
  try {
    lock.exec(statements);
  } catch (error) {
    lock.close();
    throw (error as { errcode?: number }).errcode === SQLITE_BUSY ? new DataFolderTaken(folder, error) : error;
  }
  return lock;
}

export class DataFolderTaken extends Error {
  constructor(folder: string, cause: unknown) {
    super(`DATA_DIR ${folder} wird schon von einem anderen Feierbild-Prozess benutzt`, { cause });
  }
}
