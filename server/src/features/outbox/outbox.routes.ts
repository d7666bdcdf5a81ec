import type { Http } from '../../http/bind.ts';
import { deliveryAnswer, type Outbox } from './outbox.ts';

/** Binds the administrators' list of waiting and failed deliveries. */
export function outboxRoutes(http: Http, outbox: Outbox): void {
  http.bind('GET /admin/outbox', async ({ query: { open, per_page: limit, ...asked } }) => {
    const [rows, failed] = await Promise.all([
      outbox.list({ ...asked, ...(open && { states: ['waiting', 'failed'] }), limit }),
      outbox.failedByLane(asked.lane),
    ]);
    return { deliveries: rows.map(deliveryAnswer), failed: failed.values().reduce((sum, count) => sum + count, 0) };
  });
  http.bind('POST /admin/outbox/:id/again', ({ params }) => outbox.again(params.id));
  http.bind('DELETE /admin/outbox/:id', ({ params }) => outbox.dismiss(params.id));
}
