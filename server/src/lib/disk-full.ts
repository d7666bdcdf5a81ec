const SQLITE_FULL = 13;
/** Error codes of files, and PostgreSQL's disk_full. */
const CODES = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Whether the error says that a disk is full, of this machine or of the database. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return errcode === SQLITE_FULL || CODES.has(code ?? '');
}
