import { DELETION } from './deletion.ts';
import { GUESTS_AND_PASSWORDS } from './guests-and-passwords.ts';
import { KEYS_AND_SEALED_BYTES } from './keys-and-sealed-bytes.ts';
import { LOGINS_AND_SESSIONS } from './logins-and-sessions.ts';
import { LOSS } from './loss.ts';
import { WHO_SEES_A_PHOTO } from './who-sees-a-photo.ts';
import type { Mutant } from './mutant.ts';

/**
 * What a hurried developer could get wrong where access, loss and privacy are decided (docs/mutants.md). A line that moves or changes takes
 * its row along; a row whose rule is gone goes.
 */
export const MUTANTS: Mutant[] = [
  ...WHO_SEES_A_PHOTO,
  ...GUESTS_AND_PASSWORDS,
  ...LOGINS_AND_SESSIONS,
  ...KEYS_AND_SEALED_BYTES,
  ...DELETION,
  ...LOSS,
];
