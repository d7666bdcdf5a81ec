import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { Refusal } from './errors.ts';

/** What a form showed when it was opened, what it asks for, and what is so now. */
interface OpenedForm<T> {
  /** Undefined where the caller does not say it: then whoever comes last is right. */
  was: T | undefined;
  wish: T;
  now: T;
}

/**
 * Whether a form that was opened before (0043) has something to set; false where what it asks for is so already, as after a lost answer.
 * Throws the refusal where somebody else has changed it since the form was opened.
 */
export function hasNews<T>({ was, wish, now }: OpenedForm<T>, code: ErrorCode = 'event_changed'): boolean {
  if (was === undefined) return true;
  if (isDeepStrictEqual(wish, now)) return false;
  if (!isDeepStrictEqual(was, now)) throw new Refusal(code);
  return true;
}
