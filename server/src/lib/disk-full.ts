/** SQLITE_FULL. */
const SQLITE_FULL = 13;
/** Of files, and PostgreSQL's disk_full. */
const CODES = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Whether a disk is full, the server's own or its database's. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return errcode === SQLITE_FULL || CODES.has(code ?? '');
}
