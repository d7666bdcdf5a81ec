import type { Http } from '../../http/bind.ts';
import type { Reports } from './reports.ts';

/** Reports of photos: anybody may send them, administrators read and settle them. */
export function reportRoutes(http: Http, reports: Reports): void {
  http.bind('POST /api/reports', async ({ body, visitor }) => ({ received_at: await reports.add(body, visitor.address) }));

  http.bind('GET /admin/reports', async () => ({ reports: await reports.list() }));

  http.bind('PUT /admin/reports/:id', ({ params, body, visitor }) => reports.settle(params.id, body.settled, visitor.admin.username));
}
