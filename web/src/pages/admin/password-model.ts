import { isLongEnough } from '@feierbild/contract/admin-password.ts';
import { ADMIN_PASSWORD_MIN } from '@feierbild/contract/constants.ts';

export interface Passwords {
  current_password: string;
  new_password: string;
  repeated: string;
}

export const NO_PASSWORDS: Passwords = { current_password: '', new_password: '', repeated: '' };

/** What can be said before anything is sent: a German text for each field that is wrong. */
export function checkPasswords({ current_password, new_password, repeated }: Passwords): Record<string, string> {
  const mistakes: Record<string, string> = {};
  if (current_password === '') mistakes.current_password = 'Bitte geben Sie das aktuelle Passwort ein.';
  if (!isLongEnough(new_password)) {
    mistakes.new_password = `Das neue Passwort braucht mindestens ${ADMIN_PASSWORD_MIN} Zeichen.`;
  } else if (repeated !== new_password) mistakes.repeated = 'Die beiden Passwörter stimmen nicht überein.';
  return mistakes;
}
