import type { Http } from '../../http/bind.ts';
import type { Webhooks } from './webhooks.ts';

/** What administrators do with webhooks. */
export function webhookRoutes(http: Http, webhooks: Webhooks): void {
  http.bind('GET /admin/webhooks', async () => ({ webhooks: await webhooks.list() }));
  http.bind('POST /admin/webhooks', ({ body, visitor }) => webhooks.create(visitor.admin, body, visitor.address));
  http.bind('PUT /admin/webhooks/:id', ({ params, body, visitor }) => webhooks.change(visitor.admin, params.id, body, visitor.address));
  http.bind('DELETE /admin/webhooks/:id', ({ params, visitor }) => webhooks.remove(visitor.admin, params.id, visitor.address));
  http.bind('POST /admin/webhooks/:id/test', ({ params }) => webhooks.test(params.id));
}
