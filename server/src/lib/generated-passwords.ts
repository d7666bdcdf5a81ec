import { randomCode } from './ids.ts';

/** Generates a password for a host: 16 characters of the code alphabet (79 bits) in groups of four. */
export const generateHostPassword = (): string => inGroups(randomCode(16), 4);

/** Converts a generated password to the form for comparison: upper case, without spaces and dashes (phones replace dashes by others). */
export function cleanHostPassword(text: string): string {
  return text.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
}

/** Generates a password for an admin who has not chosen one: 20 characters (99 bits). */
export const generateAdminPassword = (): string => inGroups(randomCode(20), 5);

/** Generates a recovery code: 24 characters (118 bits) in groups of four, cleaned like a host's password when it is typed. */
export const generateRecoveryCode = (): string => inGroups(randomCode(24), 4);

function inGroups(code: string, size: number): string {
  return (code.match(new RegExp(`.{${size}}`, 'g')) ?? []).join('-');
}
