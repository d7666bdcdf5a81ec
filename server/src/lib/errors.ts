import { errors, type ErrorCode } from '@feierbild/contract/errors.ts';

/** A refusal from the contract's closed list; the error translator answers with its status and text. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** German text for each field of the input that is wrong. */
  readonly fields: Record<string, string> | undefined;
  /** Seconds until another attempt makes sense, for Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, details: { fields?: Record<string, string>; retryAfter?: number; cause?: unknown } = {}) {
    super(textOf(code, details.retryAfter), { cause: details.cause });
    this.code = code;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
  }
}

/** Database or photo store cannot be reached, broke the connection or took too long: a later attempt may succeed. */
export class Unavailable extends Error {
  constructor(dependency: string, cause: unknown) {
    super(`${dependency} unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The contract's text; where attempts are used up, with the minutes until the next one. */
function textOf(code: ErrorCode, retryAfter: number | undefined): string {
  if (code !== 'too_many_attempts' || retryAfter === undefined) return errors[code].text;
  const minutes = Math.ceil(retryAfter / 60);
  return `Zu viele Versuche. In ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} geht es weiter.`;
}
