import { z } from 'zod';
import { calls } from '../call.ts';
import { HOST_PASSWORD_MIN, LOGIN_NAME_MAX, PASSWORD_MAX } from '../constants.ts';
import { GivenFactor } from '../second-factor.ts';
import { typedText } from '../typed-text.ts';

const missing = 'Bitte füllen Sie alle Felder aus';
const Login = z.object({
  username: typedText(LOGIN_NAME_MAX, { missing }),
  password: z.string(missing).min(1, missing).max(PASSWORD_MAX),
});

const Invitation = z.object({ code: z.string().max(100), token: z.string().max(100) });
/** Case, spaces and dashes do not count, as in generated passwords. */
const HostPassword = z
  .string({ error: 'Bitte wählen Sie ein Passwort.' })
  .max(PASSWORD_MAX, { error: `Das Passwort darf höchstens ${PASSWORD_MAX.toLocaleString('de-DE')} Zeichen haben.` })
  .refine((text) => [...text.replace(/[\s\p{Pd}]/gu, '')].length >= HOST_PASSWORD_MIN, {
    error: `Das Passwort braucht mindestens ${HOST_PASSWORD_MIN} Zeichen, Leerzeichen und Striche nicht mitgezählt.`,
  });

/** The role of an operator's account: an administrator, or an assistant who helps with events. It never changes. */
export const AccountRole = z.enum(['admin', 'assistant']);
export type AccountRole = z.infer<typeof AccountRole>;

export const accountCalls = calls('accounts', 'Logins of hosts and administrators.', {
  'POST /auth/user/login': {
    summary: 'A host logs in with the event code and the password; sets the session cookie.',
    access: 'anyone',
    asks: ['projector'],
    body: Login,
    answers: { 200: z.object({ role: z.literal('user'), userCode: z.string() }) },
    errors: ['invalid_credentials', 'too_many_attempts', 'unavailable'],
  },
  'POST /auth/admin/login': {
    summary:
      'An administrator or an assistant logs in; sets the session cookie. Who has a second factor sends it with the password; without it the answer says which.',
    access: 'anyone',
    asks: ['projector', 'assistant'],
    body: Login.extend({ second_factor: GivenFactor.optional() }),
    answers: { 200: z.object({ role: AccountRole }) },
    errors: ['invalid_credentials', 'second_factor_required', 'second_factor_wrong', 'too_many_attempts', 'unavailable'],
  },
  'POST /auth/invitation': {
    summary: "What a host's invitation is for; it stays as it is.",
    access: 'anyone',
    body: Invitation,
    answers: { 200: z.object({ code: z.string(), title: z.string(), expires_at: z.string() }) },
    errors: ['invitation_invalid'],
  },
  'POST /auth/invitation/accept': {
    summary: "Sets the host's password by an invitation, which ends with it, and logs in.",
    access: 'anyone',
    asks: ['projector'],
    body: Invitation.extend({ password: HostPassword }),
    answers: { 200: z.object({ role: z.literal('user'), userCode: z.string() }) },
    errors: ['invitation_invalid', 'unavailable'],
  },
  'GET /auth/check': {
    summary: "Who is logged in: the host session if there is one, else the administrator's or assistant's, else a locked slideshow.",
    access: 'anyone',
    asks: ['projector', 'assistant'],
    answers: {
      200: z.object({
        authenticated: z.boolean(),
        /** `projector`: a browser that can show the slideshow of the event `userCode`, and nothing else. */
        role: z.enum(['user', 'admin', 'assistant', 'projector']).nullable(),
        userCode: z.string().nullable(),
      }),
    },
  },
  'POST /auth/logout': {
    summary: 'Ends the session of the given role; without one, the session that /auth/check speaks of.',
    access: 'anyone',
    asks: ['projector', 'assistant'],
    body: z.object({ role: z.enum(['user', 'admin', 'assistant', 'projector']).optional() }).nullish(),
    answers: { 204: 'empty' },
  },
});
