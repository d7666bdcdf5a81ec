import { z } from 'zod';
import { calls } from '../call.ts';
import { LOGIN_NAME_MAX, PASSWORD_MAX } from '../constants.ts';
import { typedText } from '../typed-text.ts';

const missing = 'Bitte füllen Sie alle Felder aus';
const Login = z.object({
  username: typedText(LOGIN_NAME_MAX, { missing }),
  password: z.string(missing).min(1, missing).max(PASSWORD_MAX),
});

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
    summary: 'An administrator logs in; sets the session cookie.',
    access: 'anyone',
    asks: ['projector'],
    body: Login,
    answers: { 200: z.object({ role: z.literal('admin') }) },
    errors: ['invalid_credentials', 'too_many_attempts', 'unavailable'],
  },
  'GET /auth/check': {
    summary: 'Who is logged in: the host session if there is one, else the admin session, else a locked slideshow.',
    access: 'anyone',
    asks: ['projector'],
    answers: {
      200: z.object({
        authenticated: z.boolean(),
        /** `projector`: a browser that can show the slideshow of the event `userCode`, and nothing else. */
        role: z.enum(['user', 'admin', 'projector']).nullable(),
        userCode: z.string().nullable(),
      }),
    },
  },
  'POST /auth/logout': {
    summary: 'Ends the session of the given role; without one, the session that /auth/check speaks of.',
    access: 'anyone',
    asks: ['projector'],
    body: z.object({ role: z.enum(['user', 'admin', 'projector']).optional() }).nullish(),
    answers: { 204: 'empty' },
  },
});
