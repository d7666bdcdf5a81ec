import { randomCode } from './ids.ts';

/** A password for a host: 16 characters of the code alphabet (79 bits) in groups of four. */
export function generateHostPassword(): string {
  return (randomCode(16).match(/.{4}/g) ?? []).join('-');
}

/** The form in which generated passwords are compared: upper case, without spaces and dashes (phones replace dashes by others). */
export function cleanHostPassword(text: string): string {
  return text.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
}

/** A password for an admin who has not chosen one: 20 characters (99 bits). */
export function generateAdminPassword(): string {
  return (randomCode(20).match(/.{5}/g) ?? []).join('-');
}

/** A recovery code: 24 characters (118 bits) in groups of four, cleaned like a host's password when it is typed. */
export function generateRecoveryCode(): string {
  return (randomCode(24).match(/.{4}/g) ?? []).join('-');
}
