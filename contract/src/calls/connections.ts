import { z } from 'zod';
import { calls } from '../call.ts';
import { TOKEN_NAME_MAX, TOKEN_SCOPES, type TokenScope } from '../constants.ts';
import { typedText } from '../typed-text.ts';

const Scope = z.enum(TOKEN_SCOPES);
const isOfCalendar = (scope: TokenScope): boolean => scope.startsWith('calendar:');

export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  created_at: z.string(),
  /** The administrator. */
  created_by: z.string(),
  /** To the minute. */
  last_used_at: z.string().nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;

export const connectionCalls = calls('connections', 'Programs of others that work with the service.', {
  'GET /admin/tokens': {
    summary: 'The tokens of programs and calendars, without their secrets.',
    access: 'admin',
    answers: { 200: z.object({ tokens: z.array(ApiToken) }) },
  },
  'POST /admin/tokens': {
    summary: 'Makes a token, which is shown this once.',
    access: 'admin',
    body: z.object({
      name: typedText(TOKEN_NAME_MAX, {
        missing: 'Bitte geben Sie einen Namen ein.',
        tooLong: `Der Name darf höchstens ${TOKEN_NAME_MAX} Zeichen haben.`,
      }),
      scopes: z
        .array(Scope)
        .min(1, 'Bitte wählen Sie aus, was erlaubt ist.')
        .refine((scopes) => new Set(scopes.map(isOfCalendar)).size <= 1, 'Eine Kalenderadresse darf sonst nichts.'),
    }),
    answers: { 201: z.object({ token: z.string(), entry: ApiToken }) },
    errors: ['too_many_tokens'],
  },
  'DELETE /admin/tokens/:id': {
    summary: 'Revokes a token at once.',
    access: 'admin',
    answers: { 204: 'empty' },
    errors: ['token_not_found'],
  },
});
