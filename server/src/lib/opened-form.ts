import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { Refusal } from './errors.ts';

/** The values of a form when it was opened, as submitted, and as stored now. */
interface OpenedForm<T> {
  /** Undefined if the caller does not send it: then the last writer wins. */
  was: T | undefined;
  wish: T;
  now: T;
}

/**
 * Tells whether a submitted form (0043) has something to set; false: its wish is stored already, as after a lost answer. Throws the refusal
 * if somebody else has changed the values since the form was opened.
 */
export function hasNews<T>({ was, wish, now }: OpenedForm<T>, code: ErrorCode = 'event_changed'): boolean {
  if (was === undefined) return true;
  if (isDeepStrictEqual(wish, now)) return false;
  if (!isDeepStrictEqual(was, now)) throw new Refusal(code);
  return true;
}
