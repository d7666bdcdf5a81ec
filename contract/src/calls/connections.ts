import { z } from 'zod';
import { calls } from '../call.ts';
import { IDEMPOTENCY_KEY_MAX, TOKEN_NAME_MAX, TOKEN_SCOPES, WEBHOOK_TOPICS, WEBHOOK_URL_MAX, type TokenScope } from '../constants.ts';
import { typedText } from '../typed-text.ts';

const repeatable = z.object({ 'idempotency-key': z.string().min(1).max(IDEMPOTENCY_KEY_MAX).optional() });

const Scope = z.enum(TOKEN_SCOPES);
const isOfCalendar = (scope: TokenScope): boolean => scope.startsWith('calendar:');

export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  created_at: z.string(),
  /** Name of the administrator. */
  created_by: z.string(),
  /** Precision: a minute. */
  last_used_at: z.string().nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;

const name = typedText(TOKEN_NAME_MAX, {
  missing: 'Bitte geben Sie einen Namen ein.',
  tooLong: `Der Name darf höchstens ${TOKEN_NAME_MAX} Zeichen haben.`,
});

const TOPICS_MISSING = 'Bitte wählen Sie aus, was gemeldet wird.';
const WebhookForm = z.object({
  name,
  url: typedText(WEBHOOK_URL_MAX, {
    missing: 'Bitte geben Sie eine Adresse ein.',
    tooLong: `Die Adresse darf höchstens ${WEBHOOK_URL_MAX.toLocaleString('de-DE')} Zeichen haben.`,
  }),
  topics: z.array(z.enum(WEBHOOK_TOPICS, { error: TOPICS_MISSING })).min(1, TOPICS_MISSING),
  active: z.boolean().default(true),
});
export type WebhookForm = z.output<typeof WebhookForm>;

const webhookValues = { name: z.string(), url: z.string(), topics: z.array(z.enum(WEBHOOK_TOPICS)), active: z.boolean() };
const WebhookChange = WebhookForm.extend({
  /** The values that the page showed. If somebody else has changed them since, nothing is set (409). */
  was: z.object(webhookValues).optional(),
});
export type WebhookChange = z.output<typeof WebhookChange>;

export const Webhook = z.object({ id: z.string(), ...webhookValues, created_at: z.string() });
export type Webhook = z.infer<typeof Webhook>;

/** A webhook with the number of messages that did not reach it, and wait for a decision. */
export const ListedWebhook = Webhook.extend({ failed: z.number().int() });
export type ListedWebhook = z.infer<typeof ListedWebhook>;

/** A program's access to the photos of one event, granted by the host. */
export const ProgramAccess = z.object({
  /** Start of the access; null: there is none. */
  since: z.string().nullable(),
  /** Precision: a minute. */
  last_used_at: z.string().nullable(),
});
export type ProgramAccess = z.infer<typeof ProgramAccess>;

export const connectionCalls = calls('connections', 'Programs of others that work with the service.', {
  'GET /admin/tokens': {
    summary: 'The tokens of programs and calendars, without their secrets.',
    access: 'admin',
    answers: { 200: z.object({ tokens: z.array(ApiToken) }) },
  },
  'POST /admin/tokens': {
    summary: 'Makes a token, which is shown this once. With an Idempotency-Key a repeat within 24 hours gets the same one.',
    access: 'admin',
    headers: repeatable,
    body: z.object({
      name,
      scopes: z
        .array(Scope)
        .min(1, 'Bitte wählen Sie aus, was erlaubt ist.')
        .refine((scopes) => new Set(scopes.map(isOfCalendar)).size <= 1, 'Eine Kalenderadresse darf sonst nichts.'),
    }),
    answers: { 201: z.object({ token: z.string(), entry: ApiToken }) },
    errors: ['idempotency_reused', 'token_not_found', 'too_many_tokens'],
  },
  'DELETE /admin/tokens/:id': {
    summary: 'Revokes a token at once.',
    access: 'admin',
    answers: { 204: 'empty' },
    errors: ['token_not_found'],
  },
  'GET /api/events/:ref/program': {
    summary: "Since when a program may read the event's photos, and when it last did.",
    access: 'host',
    answers: { 200: ProgramAccess },
  },
  'POST /api/events/:ref/program': {
    summary:
      'Lets a program read all photos of the event, and nothing else, until the event goes: its token is shown this once. An earlier one ends.',
    access: 'host',
    answers: { 201: z.object({ token: z.string() }) },
    errors: ['demo_fixed', 'event_changed', 'event_purged'],
  },
  'DELETE /api/events/:ref/program': {
    summary: "Ends the program's access at once.",
    access: 'host',
    answers: { 204: 'empty' },
    errors: ['event_changed', 'event_purged'],
  },
  'GET /admin/calendar.ics': {
    summary: 'The events as a calendar (iCalendar), for programs that know no login: the token is in the address.',
    access: 'anyone',
    query: z.object({ token: z.string().max(200) }),
    answers: { 200: 'bytes' },
    errors: ['token_invalid', 'token_scope', 'too_many_attempts'],
  },
  'GET /admin/webhooks': {
    summary: 'The addresses that are told what happens.',
    access: 'admin',
    answers: { 200: z.object({ webhooks: z.array(ListedWebhook) }) },
  },
  'POST /admin/webhooks': {
    summary:
      'Adds one; the secret of its signatures is shown this once. With an Idempotency-Key a repeat within 24 hours gets the same one.',
    access: 'admin',
    headers: repeatable,
    body: WebhookForm,
    answers: { 201: z.object({ secret: z.string(), webhook: Webhook }) },
    errors: ['idempotency_reused', 'too_many_webhooks', 'webhook_not_found'],
  },
  'PUT /admin/webhooks/:id': {
    summary: 'Changes one, or switches it off and on.',
    access: 'admin',
    body: WebhookChange,
    answers: { 200: Webhook },
    errors: ['settings_changed', 'webhook_not_found'],
  },
  'DELETE /admin/webhooks/:id': {
    summary: 'Removes one; what waits for it is dropped.',
    access: 'admin',
    answers: { 204: 'empty' },
    errors: ['webhook_not_found'],
  },
  'POST /admin/webhooks/:id/test': {
    summary: 'Sends a message of the type webhook.test now, and says what the other side answered.',
    access: 'admin',
    answers: { 200: z.object({ delivered: z.boolean(), answer: z.string() }) },
    errors: ['webhook_not_found'],
  },
});
