import type { Http } from '../../http/bind.ts';
import { deliveryAnswer, type Outbox } from './outbox.ts';

/** What waits to be delivered, and has failed, for administrators. */
export function outboxRoutes(http: Http, outbox: Outbox): void {
  http.bind('GET /admin/outbox', async ({ query: { kind, open, before, per_page: limit } }) => {
    // One more entry is read to find out whether there is another page.
    const asked = { ...(kind && { kind }), ...(open && { states: ['waiting', 'failed'] as const }), ...(before && { before }) };
    const found = await outbox.list({ ...asked, limit: limit + 1 });
    const shown = found.slice(0, limit);
    return { deliveries: shown.map(deliveryAnswer), next: found.length > limit ? (shown.at(-1)?.id ?? null) : null };
  });
  http.bind('POST /admin/outbox/:id/again', ({ params }) => outbox.again(params.id));
}
