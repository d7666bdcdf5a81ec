import { z } from 'zod';
import { calls } from '../call.ts';
import { PASSKEY_NAME_MAX, PASSWORD_MAX } from '../constants.ts';
import { GivenFactor, NewPasskey, TotpCode } from '../second-factor.ts';
import { typedText } from '../typed-text.ts';

const missing = 'Bitte geben Sie Ihr Passwort ein.';
const Password = z.string(missing).min(1, missing).max(PASSWORD_MAX);
const used = { created_at: z.string(), last_used_at: z.string().nullable() };

/** The second factors of an administrator. */
const Factors = z.object({
  /** Every administrator must have a second factor. */
  required: z.boolean(),
  totp: z.object(used).nullable(),
  passkeys: z.array(z.object({ id: z.string(), name: z.string(), ...used })),
});
export type Factors = z.infer<typeof Factors>;

const CHECKED = ['too_many_attempts', 'unavailable'] as const;

/** Access of calls about one's own factors; they work before the first factor is set up, too. */
const OWN = { access: 'admin', assistant: true, beforeFactor: true } as const;

export const factorCalls = calls(
  'factors',
  'What administrators and assistants prove themselves with beside their passwords. It opens nothing.',
  {
    'GET /admin/factors': {
      summary: 'The own second factors.',
      ...OWN,
      answers: { 200: Factors },
    },
    'POST /admin/factors/totp': {
      summary: 'Makes the secret of one-time codes (TOTP), shown this once. It counts once a code has proved that an app has it.',
      ...OWN,
      body: z.object({ password: Password }),
      answers: { 201: z.object({ secret: z.string(), uri: z.string() }) },
      errors: ['totp_exists', ...CHECKED],
    },
    'PUT /admin/factors/totp': {
      summary: 'Proves that an app has the secret. The first second factor ends the other sessions of its account.',
      ...OWN,
      body: z.object({ code: TotpCode }),
      answers: { 200: Factors },
      errors: ['factor_not_found', ...CHECKED],
    },
    'POST /admin/factors/passkeys/options': {
      summary: 'What a browser makes a new passkey with (PublicKeyCredentialCreationOptionsJSON).',
      ...OWN,
      body: z.object({ password: Password }),
      answers: { 200: z.record(z.string(), z.unknown()) },
      errors: ['too_many_passkeys', ...CHECKED],
    },
    'POST /admin/factors/passkeys': {
      summary: 'Adds a passkey. The first second factor ends the other sessions of its account.',
      ...OWN,
      body: z.object({
        name: typedText(PASSKEY_NAME_MAX, {
          missing: 'Bitte geben Sie einen Namen ein.',
          tooLong: `Der Name darf höchstens ${PASSKEY_NAME_MAX} Zeichen haben.`,
        }),
        passkey: NewPasskey,
      }),
      answers: { 201: Factors },
      errors: ['passkey_refused', 'too_many_passkeys'],
    },
    'POST /admin/factors/:id/remove': {
      summary: 'Removes an own second factor (`totp`, or a passkey by its id), by the password and any of the own second factors.',
      access: 'admin',
      assistant: true,
      body: z.object({ password: Password, second_factor: GivenFactor.optional() }),
      answers: { 200: Factors },
      errors: ['factor_not_found', 'second_factor_required', 'second_factor_wrong', ...CHECKED],
    },
    'DELETE /admin/admins/:id/factors': {
      summary: 'Removes all second factors of another account, which has lost them.',
      access: 'admin',
      answers: { 204: 'empty' },
      errors: ['admin_not_found', 'own_admin'],
    },
  },
);
