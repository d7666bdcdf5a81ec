import type { Http } from '../../http/bind.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { Webhooks } from './webhooks.ts';

/** Administrators' calls for webhooks. */
export function webhookRoutes(http: Http, webhooks: Webhooks, idempotency: Idempotency): void {
  http.bind('GET /admin/webhooks', async () => ({ webhooks: await webhooks.list() }));
  http.bind('POST /admin/webhooks', async ({ headers, body, visitor }) => {
    const by = visitor.admin;
    // The different body keeps the key apart from the same key in another call.
    const asked = { by, key: headers['idempotency-key'], body: { webhook: body } };
    const { id } = await idempotency.once<{ id: string }>(
      asked,
      (keep) => webhooks.create(by, body, visitor.address, keep),
      (first) => first,
    );
    return webhooks.withSecret(id);
  });
  http.bind('PUT /admin/webhooks/:id', ({ params, body, visitor }) => webhooks.change(visitor.admin, params.id, body, visitor.address));
  http.bind('DELETE /admin/webhooks/:id', ({ params, visitor }) => webhooks.remove(visitor.admin, params.id, visitor.address));
  http.bind('POST /admin/webhooks/:id/test', ({ params }) => webhooks.test(params.id));
}
