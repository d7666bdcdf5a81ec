import pg from 'pg';
import { Unavailable } from '../lib/errors.ts';

/** SQLSTATE, SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const UNIQUE = ['23505', 2067, 1555];
/** SQLSTATE and SQLITE_CONSTRAINT_FOREIGNKEY. */
const REFERENCE = ['23503', 787];
/** SQLITE_BUSY, SQLITE_CONSTRAINT and SQLITE_IOERR: the lowest byte of extended codes. */
const SQLITE_BUSY = 5;
const SQLITE_CONSTRAINT = 19;
const SQLITE_IO = 10;
/**
 * SQLSTATEs of errors that a later attempt may avoid: broken connection, server starting or stopping, no free connection, time limit
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html): connection_exception, operator_intervention (which includes
 * query_canceled, the statement's time limit), too_many_connections, out_of_memory, lock_not_available,
 * idle_in_transaction_session_timeout, transaction_timeout, read_only_sql_transaction (a standby).
 */
const POSTGRES_TROUBLE = /^(08|57)|^(53300|53200|55P03|25P03|25P04|25006)$/;

/** SQLSTATEs among them after which the server ends the connection: the transaction may have been committed before. */
const POSTGRES_GONE = /^(08|57P|25P)/;

/**
 * The connection failed while COMMIT was on its way: the transaction may have been committed or not. After every other error that
 * `Db.transaction` throws, nothing was committed.
 */
export class OutcomeUnknown extends Unavailable {}

export const isUniqueViolation = (error: unknown): boolean => UNIQUE.includes(codeOf(error));

/** Tells whether a foreign key refers to a row that does not exist. */
export const isReferenceViolation = (error: unknown): boolean => REFERENCE.includes(codeOf(error));

/**
 * Tells whether a row violates a constraint of its table (SQLSTATE class 23, SQLITE_CONSTRAINT): unique or primary key, NOT NULL, foreign
 * key.
 */
export function isConstraintViolation(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'string' ? code.startsWith('23') : lowestByte(error) === SQLITE_CONSTRAINT;
}

/** Tells whether PostgreSQL reports a serialization failure or deadlock; the transaction may simply run again. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(String(codeOf(error)));

/** Tells whether PostgreSQL ended the wait for a lock at its limit. */
export const isLocked = (error: unknown): boolean => error instanceof Unavailable && codeOf(error.cause ?? {}) === '55P03';

/** Tells whether another process has SQLite's file locked. */
export const isBusy = (error: unknown): boolean => lowestByte(error) === SQLITE_BUSY;

/** Turns an error of pg into Unavailable if a later attempt may succeed. Errors without SQLSTATE are errors of the connection. */
export function fromPostgres(error: unknown): unknown {
  const refused = error instanceof pg.DatabaseError && !POSTGRES_TROUBLE.test(error.code ?? '');
  return refused || error instanceof TypeError || error instanceof Unavailable ? error : new Unavailable('database', error);
}

/** Turns an error of COMMIT into OutcomeUnknown if it does not tell whether the transaction was committed. */
export function fromCommit(error: unknown): unknown {
  return error instanceof Unavailable || lowestByte(error) === SQLITE_IO ? new OutcomeUnknown('database', error) : error;
}

/**
 * Turns an error of statements sent with their commit into OutcomeUnknown, unless PostgreSQL answered one of them: then none was committed.
 */
export function fromBatch(error: unknown): unknown {
  const cause = error instanceof Unavailable ? error.cause : undefined;
  const answered = cause instanceof pg.DatabaseError && !POSTGRES_GONE.test(cause.code ?? '');
  return answered ? error : fromCommit(error);
}

/** Returns SQLite's extended code, or PostgreSQL's SQLSTATE. */
function codeOf(error: unknown): number | string {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return errcode ?? code ?? '';
}

function lowestByte(error: unknown): number {
  const code = codeOf(error);
  return typeof code === 'number' ? code & 0xff : 0;
}
