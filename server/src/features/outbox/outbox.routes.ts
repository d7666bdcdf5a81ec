import type { Delivery } from '@feierbild/contract/calls/outbox.ts';
import type { Http } from '../../http/bind.ts';
import type { Outbox } from './outbox.ts';

/** What waits to be delivered, and has failed, for administrators. */
export function outboxRoutes(http: Http, outbox: Outbox): void {
  http.bind('GET /admin/outbox', async ({ query: { kind, open, before, per_page: limit } }) => {
    // One more entry is read to find out whether there is another page.
    const asked = { ...(kind && { kind }), ...(open && { states: ['waiting', 'failed'] as const }), ...(before && { before }) };
    const found = await outbox.list({ ...asked, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const deliveries = shown.map(
      ({ id, kind: ofKind, topic, event_code, state, created_at, attempts, due_at, answer, answered_at, keeper }): Delivery => ({
        id,
        kind: ofKind,
        topic,
        event_code,
        state,
        created_at: new Date(created_at).toISOString(),
        attempts,
        due_at: state === 'waiting' ? new Date(due_at).toISOString() : null,
        answer,
        answered_at: answered_at === null ? null : new Date(answered_at).toISOString(),
        repeatable: state === 'failed' && keeper === null,
      }),
    );
    return { deliveries, next: found.length > limit ? (shown.at(-1)?.id ?? null) : null };
  });
  http.bind('POST /admin/outbox/:id/again', ({ params }) => outbox.again(params.id));
}
