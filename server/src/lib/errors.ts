import { errors, type ErrorBody, type ErrorCode } from '@feierbild/contract/errors.ts';
import type { FactorAsked } from '@feierbild/contract/second-factor.ts';

/** An error of the contract's closed list; it is answered with the status and text of its code. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** German text for each wrong field of the input. */
  readonly fields: Record<string, string> | undefined;
  /** Seconds until another attempt makes sense, for Retry-After. */
  readonly retryAfter: number | undefined;
  /** Set for second_factor_required: the account's second factors. */
  readonly secondFactor: FactorAsked | undefined;
  /** Set for gallery_closed. */
  readonly closed: Pick<ErrorBody, 'opens_at' | 'count'> | undefined;

  constructor(
    code: ErrorCode,
    details: {
      fields?: Record<string, string>;
      retryAfter?: number;
      secondFactor?: FactorAsked;
      closed?: Pick<ErrorBody, 'opens_at' | 'count'>;
      cause?: unknown;
    } = {},
  ) {
    super(textOf(code, details.retryAfter), { cause: details.cause });
    this.code = code;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
    this.secondFactor = details.secondFactor;
    this.closed = details.closed;
  }
}

/** The database or photo store cannot be reached, broke the connection or took too long. A later attempt may succeed. */
export class Unavailable extends Error {
  /** The failed dependency: `database`, `store` or another name. */
  readonly dependency: string;

  constructor(dependency: string, cause: unknown) {
    super(`${dependency} unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.dependency = dependency;
  }
}

/** Returns the contract's text; after too many attempts, one with the minutes until the next. */
function textOf(code: ErrorCode, retryAfter: number | undefined): string {
  if (code !== 'too_many_attempts' || retryAfter === undefined) return errors[code].text;
  const minutes = Math.max(1, Math.ceil(retryAfter / 60));
  return `Zu viele Versuche. In ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} geht es weiter.`;
}
