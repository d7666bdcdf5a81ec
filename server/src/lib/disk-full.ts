import { Refusal } from './errors.ts';

const SQLITE_FULL = 13;
/** Error codes of files, and PostgreSQL's disk_full. */
const CODES = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Whether the error says that a disk is full, of this machine, the database or the photo store. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof Refusal) return error.code === 'disk_full';
  // On a network's disk the closing of a file fails with its writing.
  if (error instanceof SuppressedError) return isDiskFull(error.error) || isDiskFull(error.suppressed);
  const { code, errcode } = error as { code?: string; errcode?: number };
  return errcode === SQLITE_FULL || CODES.has(code ?? '');
}
