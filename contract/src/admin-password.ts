import { ADMIN_PASSWORD_MIN } from './constants.ts';

/** Checks that an administrator's password has enough characters; spaces at its ends are kept, but do not count. */
export function isLongEnough(password: string): boolean {
  return [...password.trim()].length >= ADMIN_PASSWORD_MIN;
}
