import { Refusal } from './errors.ts';

/** SQLite's codes. The second one comes on opening a database: the index of its log found no room (SQLITE_IOERR_SHMSIZE). */
const SQLITE_FULL = new Set([13, 4874]);
/** Error codes of files, and PostgreSQL's disk_full. */
const CODES = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Tells whether the error means a full disk of this machine, the database or the photo store. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof Refusal) return error.code === 'disk_full';
  // On a network disk, closing a file fails like writing it.
  if (error instanceof SuppressedError) return isDiskFull(error.error) || isDiskFull(error.suppressed);
  const { code, errcode } = error as { code?: string; errcode?: number };
  return SQLITE_FULL.has(errcode ?? 0) || CODES.has(code ?? '');
}
