import { z } from 'zod';
import { calls } from '../call.ts';
import { AUDIT_PER_PAGE, AUDIT_PER_PAGE_MAX } from '../constants.ts';
import { typedText } from '../typed-text.ts';

/** A message to a server of others, as administrators see it. */
export const Delivery = z.object({
  id: z.string(),
  /** `mail` or `webhook`. */
  kind: z.string(),
  /** Topic of the mail or the webhook. */
  topic: z.string(),
  event_code: z.string().nullable(),
  state: z.enum(['waiting', 'delivered', 'dropped', 'failed']),
  created_at: z.string(),
  attempts: z.number().int(),
  /** Time of the next attempt, set while the delivery waits. */
  due_at: z.string().nullable(),
  /** The other side's answer to the last attempt, and its time. */
  answer: z.string().nullable(),
  answered_at: z.string().nullable(),
  /** The delivery can be repeated. */
  repeatable: z.boolean(),
});
export type Delivery = z.infer<typeof Delivery>;

export const outboxCalls = calls('outbox', 'What is delivered to others: mail and webhooks.', {
  'GET /admin/outbox': {
    summary: 'What was and will be delivered, the newest first.',
    access: 'admin',
    query: z.object({
      /** A queue whose deliveries go in order: `mail`, or `webhook` with its id. */
      lane: typedText(60).optional(),
      /** Limits the list to deliveries that have failed, which come first, or wait. */
      open: z.literal('1').optional(),
      per_page: z.coerce.number().int().min(1).max(AUDIT_PER_PAGE_MAX).default(AUDIT_PER_PAGE),
    }),
    answers: {
      200: z.object({
        deliveries: z.array(Delivery),
        /** Number of deliveries in the queue, or in all of them, that have failed, listed or not. */
        failed: z.number().int(),
      }),
    },
  },
  'POST /admin/outbox/:id/again': {
    summary: 'Delivers again what has failed.',
    access: 'admin',
    answers: { 204: 'empty' },
    errors: ['delivery_not_found'],
  },
  'DELETE /admin/outbox/:id': {
    summary: 'Settles what has failed: it is not shown as failed any more, and cannot be delivered again.',
    access: 'admin',
    answers: { 204: 'empty' },
    errors: ['delivery_not_found'],
  },
});
