import { EVENT_CODE_LENGTH } from './constants.ts';

/** Cleans up a typed or pasted code: only letters and digits, upper case, at most 8. */
export function cleanEventCode(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, EVENT_CODE_LENGTH);
}

/** Tells whether the text is exactly 8 letters or digits (after the clean-up above). */
export function isEventCode(text: string): boolean {
  return /^[A-Z0-9]{8}$/.test(text);
}
