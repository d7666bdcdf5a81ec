/** What went wrong, told apart on both engines. */

/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const SQLITE_UNIQUE = new Set([2067, 1555]);

/** SQLITE_CONSTRAINT_FOREIGNKEY. */
const SQLITE_REFERENCE = 787;

export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return code === '23505' || (errcode !== undefined && SQLITE_UNIQUE.has(errcode));
}

/** A row that another refers to is not there. */
export function isReferenceViolation(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return code === '23503' || errcode === SQLITE_REFERENCE;
}

/** PostgreSQL: serialization failure or deadlock; the transaction may simply run again. */
export function isRetryable(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '40001' || code === '40P01';
}
