import { z } from 'zod';
import { isDay } from '../berlin.ts';
import { bytesCall, calls, ErrorAnswer } from '../call.ts';
import { ADMIN_EVENTS_PER_PAGE_MAX, EXTEND_DAYS_MAX, IDEMPOTENCY_KEY_MAX, MANY_EVENTS_MAX } from '../constants.ts';
import { AdminEvent, CreatedEvent, EventSettings, GuestEvent, HostEvent, MadeInvitation } from '../entities.ts';
import { EventForm } from '../event-form.ts';
import { TableRead } from '../event-table-schemas.ts';
import { TABLE_QUESTIONS } from '../event-table.ts';
import { LINK_PREVIEWS } from '../link-preview.ts';
import { Look, LookForm } from '../theme.ts';
import { Templates } from '../event-template-schemas.ts';

const flag = z.object({ value: z.boolean({ error: 'Bitte senden Sie value als true oder false.' }) });
/** Declares a call that sets one of the event's switches. */
const flagCall = (summary: string) => ({ summary, access: 'host', body: flag, answers: { 200: flag } }) as const;

/** Search for events, answered by pages; without `per_page` the answer holds all. */
const AdminEventsQuery = z.object({
  /** Words that each must occur in title, subtitle, code, customer, order number, note or a German date. */
  search: z.string().max(200).optional(),
  status: z.enum(['active', 'inactive', 'deleted']).optional(),
  /** Finds events whose host has downloaded a ZIP of all photos (`downloaded`), or with photos that no such ZIP holds (`missing`). */
  zip: z.enum(['downloaded', 'missing']).optional(),
  /** Finds events whose photos are deleted within seven days. */
  deletion: z.enum(['near']).optional(),
  /** First and last day of a period in which the event must have a day, `YYYY-MM-DD`. */
  from: z.string().refine(isDay).optional(),
  to: z.string().refine(isDay).optional(),
  /** Ids of the wanted events, separated by commas. */
  ids: z
    .string()
    .max(MANY_EVENTS_MAX * 37)
    .optional(),
  /** Sort key: first day, title, used bytes or day of deletion. Default: newest event first. */
  order: z.enum(['start', 'title', 'storage', 'deletion']).optional(),
  direction: z.enum(['ascending', 'descending']).optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(ADMIN_EVENTS_PER_PAGE_MAX).optional(),
});
export type AdminEventsQuery = Partial<z.output<typeof AdminEventsQuery>>;

/** A change to many events at once: it opens or closes uploads (closing also clears „always active“), or moves the last day. */
const EventsChange = z.union([
  z.strictObject({ open: z.boolean() }),
  /** Days to add to the last day; a negative number takes an extension back. */
  z.strictObject({
    extend_days: z
      .number()
      .int()
      .min(-EXTEND_DAYS_MAX)
      .max(EXTEND_DAYS_MAX)
      .refine((days) => days !== 0),
  }),
]);
export type EventsChange = z.infer<typeof EventsChange>;

/** Result for one event: the changed event, or the refusal. */
const ManyChanged = z.object({ id: z.string(), event: AdminEvent.nullable(), refused: ErrorAnswer.nullable() });
export type ManyChanged = z.infer<typeof ManyChanged>;

/** `:ref` is an event's id or its code. */
export const eventCalls = calls('events', 'Events, and what guests see of them.', {
  'GET /event/:code': {
    summary: 'What a guest may know of an event; validates a code, and with Event-Password the password.',
    access: 'anyone',
    headers: z.object({ 'event-password': z.string().optional() }),
    answers: { 200: GuestEvent },
    errors: ['event_inactive', 'wrong_event_password', 'too_many_attempts', 'unavailable'],
  },
  'GET /event/:code/max': {
    summary: 'What still fits into an event and what is accepted.',
    access: 'anyone',
    answers: {
      200: z.object({
        /** Input of the fingerprints that a device computes of its photos (docs/vault-format.md). */
        event_id: z.string(),
        max_file_bytes: z.number().int(),
        /** Size limit of a video; set only if the event takes videos. */
        max_video_bytes: z.number().int().optional(),
        remaining_bytes: z.number().int().nullable(),
        accepted_types: z.array(z.string()),
      }),
    },
    errors: ['event_inactive', 'too_many_attempts'],
  },
  'GET /api/events/:ref/has-password': {
    summary: 'Whether guests need a password to upload.',
    access: 'anyone',
    answers: { 200: z.object({ with_upload_password: z.boolean() }) },
    errors: ['event_inactive', 'too_many_attempts'],
  },
  'GET /api/events/:ref': {
    summary: "The host's view of the event.",
    access: 'host',
    answers: { 200: HostEvent },
  },
  'GET /api/events/:ref/settings': {
    summary: "The event's switches.",
    access: 'host',
    answers: { 200: z.object({ settings: EventSettings }) },
  },
  'GET /api/events/:ref/stats': {
    summary: 'How many photos the event has.',
    access: 'host',
    answers: { 200: z.object({ total_photos: z.number().int() }) },
  },
  'POST /api/events/:ref/reset-notice': {
    summary: 'The host has seen that the operator reset the password; it is not shown again.',
    access: 'host',
    answers: { 204: 'empty' },
  },
  'PUT /api/events/:ref/nsfw_check': flagCall('Stores the switch; it has no effect during the beta.'),
  'PUT /api/events/:ref/random_slideshow': flagCall('Whether the slideshow is shuffled.'),
  'PUT /api/events/:ref/slideshow_names': flagCall('Whether the slideshow names who sent a photo.'),
  'PUT /api/events/:ref/look': {
    summary: 'Sets the palette and the sentence of welcome.',
    access: 'host',
    body: LookForm,
    answers: { 200: Look },
    errors: ['demo_fixed', 'event_changed', 'event_purged'],
  },
  'PUT /api/events/:ref/link-preview': {
    summary: "What messengers show of the event's link: its title and picture, or the brand alone.",
    access: 'host',
    body: z.object({ value: z.enum(LINK_PREVIEWS, { error: 'Diese Vorschau gibt es nicht.' }) }),
    answers: { 200: z.object({ value: z.enum(LINK_PREVIEWS) }) },
    errors: ['demo_fixed', 'event_changed', 'event_purged'],
  },
  'PUT /api/events/:ref/phone-language': {
    summary: 'Whether guests who have chosen no language are spoken to in that of their phones.',
    access: 'host',
    body: z.object({ value: z.boolean() }),
    answers: { 200: z.object({ value: z.boolean() }) },
    errors: ['demo_fixed', 'event_changed', 'event_purged'],
  },
  'GET /api/link-previews/:id': {
    ...bytesCall('anyone', "The picture that messengers show of an event's link.", 'not_found'),
    anonymous: true,
  },
  'PUT /api/events/:ref/title-picture': {
    summary:
      "Makes a public title picture of one of the event's photos: everybody who has the event's address sees it, without a password.",
    access: 'host',
    body: z.object({ photo: z.string() }),
    answers: { 200: Look },
    errors: ['photo_not_found', 'demo_fixed', 'event_changed', 'event_purged', 'not_a_photo', 'too_many_pixels', 'unavailable'],
  },
  'POST /api/events/:ref/title-picture': {
    summary: 'The same of a picture of its own: multipart field file.',
    access: 'host',
    multipart: true,
    answers: { 200: Look },
    errors: [
      'file_missing',
      'request_timeout',
      'not_a_photo',
      'too_many_pixels',
      'demo_fixed',
      'event_changed',
      'event_purged',
      'unavailable',
    ],
  },
  'DELETE /api/events/:ref/title-picture': {
    summary: 'Removes the title picture.',
    access: 'host',
    answers: { 200: Look },
    errors: ['demo_fixed', 'event_changed', 'event_purged'],
  },
  'GET /admin/events': {
    summary: 'The events, or a page of those that a search finds; for programs and assistants without the passwords of guests.',
    access: 'admin',
    token: 'events:read',
    assistant: true,
    query: AdminEventsQuery,
    answers: {
      200: z.object({
        events: z.array(AdminEvent),
        /** Counts, set with `per_page`: events found on all pages, all events, and all their photos. */
        found: z.number().int().optional(),
        all: z.number().int().optional(),
        all_photos: z.number().int().optional(),
      }),
    },
  },
  'GET /admin/templates': {
    summary: 'What new events may begin with: what was set, else one template for each package.',
    access: 'admin',
    assistant: true,
    answers: { 200: Templates },
  },
  'GET /admin/events.csv': {
    summary: 'The same as a table for spreadsheets, whole and without passwords: UTF-8, semicolons, no formulas.',
    access: 'admin',
    assistant: true,
    query: AdminEventsQuery,
    answers: { 200: 'bytes' },
  },
  'POST /admin/events/read': {
    summary:
      'Reads a table of events (multipart field file; CSV with semicolons, commas or tabs) and creates nothing: each row comes back with its mistakes, or with what creates it. What can mean two things is asked; the answers come with the same file.',
    access: 'admin',
    assistant: true,
    multipart: true,
    query: z.object({
      /** Meanings of the columns, in their order, separated by commas; an ignored column has an empty one. */
      columns: z.string().max(2000).optional(),
      letters: z.enum(TABLE_QUESTIONS.letters).optional(),
      dates: z.enum(TABLE_QUESTIONS.dates).optional(),
      serials: z.enum(TABLE_QUESTIONS.serials).optional(),
      numbers: z.enum(TABLE_QUESTIONS.numbers).optional(),
    }),
    answers: { 200: TableRead },
    errors: ['file_missing', 'request_timeout'],
  },
  'POST /admin/create_event': {
    summary:
      'Creates an event with its key pair and a drawn code; with `host` it invites the host. With an Idempotency-Key a repeat within 24 hours gets the first answer, but no invitation.',
    access: 'admin',
    token: 'events:write',
    assistant: true,
    headers: z.object({ 'idempotency-key': z.string().min(1).max(IDEMPOTENCY_KEY_MAX).optional() }),
    body: EventForm,
    answers: { 201: CreatedEvent },
    errors: ['idempotency_reused', 'unavailable'],
  },
  'PUT /admin/events/:id': {
    summary:
      'Updates an event. Programs and assistants change nothing by which others would see photos, or by which they are deleted earlier: token_change and assistant_forbidden name the fields.',
    access: 'admin',
    token: 'events:write',
    assistant: true,
    body: EventForm,
    answers: { 200: AdminEvent },
    errors: [
      'event_not_found',
      'event_purged',
      'event_changed',
      'purge_unconfirmed',
      'limit_unconfirmed',
      'token_change',
      'assistant_forbidden',
      'unavailable',
    ],
  },
  'POST /admin/events/change': {
    summary: 'Changes many events, each as an edit of its own: with an answer for each, which may be a refusal.',
    access: 'admin',
    assistant: true,
    body: z.object({
      /**
       * Each event names the version that the change is based on, and after `extend_days` its last day. If the event already ends on that
       * day, an earlier call has extended it, and only its answer was lost.
       */
      events: z
        .array(z.object({ id: z.uuid(), version: z.number().int(), until: z.string().refine(isDay).optional() }))
        .min(1)
        .max(MANY_EVENTS_MAX),
      change: EventsChange,
    }),
    answers: { 200: z.object({ results: z.array(ManyChanged) }) },
  },
  'DELETE /admin/events/:id': {
    summary: 'Purges an event (photos, then keys, sessions) and removes it.',
    access: 'admin',
    answers: { 200: AdminEvent },
    errors: ['event_not_found'],
  },
  'POST /admin/events/:id/user': {
    summary: "Creates the host's login; the password is shown this once.",
    access: 'admin',
    body: z.object({ username: z.string() }),
    answers: { 201: z.object({ username: z.string(), password: z.string() }) },
    errors: ['event_not_found', 'host_exists', 'event_purged', 'unavailable'],
  },
  'POST /admin/events/:id/invitation': {
    summary: 'Makes a link by which the host sets the password, and mails it where there is an address; the one before is dead then.',
    access: 'admin',
    body: z
      .object({
        /** `invited_until` as the page showed it. If there is another invitation by now, that one stays (409). */
        was: z.string().nullable().optional(),
      })
      .nullish(),
    answers: { 201: MadeInvitation },
    errors: ['event_changed', 'event_not_found', 'event_purged'],
  },
  'PUT /admin/events/:id/user/password': {
    summary: "Resets the host's password, ends the host's sessions; the new one is shown this once.",
    access: 'admin',
    body: z
      .object({
        /** `user.password_set_at` as the page showed it. If the host has changed the password since, nothing is set (409). */
        was: z.string().optional(),
      })
      .nullish(),
    answers: { 200: z.object({ new_password: z.string() }) },
    errors: ['event_not_found', 'host_not_found', 'event_purged', 'event_changed', 'unavailable'],
  },
});
