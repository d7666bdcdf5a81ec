import { DELETION } from './deletion.ts';
import { GUESTS_AND_PASSWORDS } from './guests-and-passwords.ts';
import { KEYS_AND_SEALED_BYTES } from './keys-and-sealed-bytes.ts';
import { LOGINS_AND_SESSIONS } from './logins-and-sessions.ts';
import { LOSS } from './loss.ts';
import { WHO_SEES_A_PHOTO } from './who-sees-a-photo.ts';
import type { Mutant } from './mutant.ts';

/**
 * Mistakes that a hurried developer could make in decisions on access, loss and privacy (docs/mutants.md). A row follows its line when that
 * moves or changes; a row without its rule is deleted.
 */
export const MUTANTS: Mutant[] = [
  ...WHO_SEES_A_PHOTO,
  ...GUESTS_AND_PASSWORDS,
  ...LOGINS_AND_SESSIONS,
  ...KEYS_AND_SEALED_BYTES,
  ...DELETION,
  ...LOSS,
];
