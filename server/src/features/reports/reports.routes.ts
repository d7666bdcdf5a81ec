import type { Http } from '../../http/bind.ts';
import type { Reports } from './reports.ts';

/** Reports of photos: anybody may send them, administrators read and settle them. */
export function reportRoutes(http: Http, reports: Reports): void {
  http.bind('POST /api/reports', async ({ body, visitor }) => ({
    status: 201,
    body: { received_at: await reports.add(body, visitor.address) },
  }));

  http.bind('GET /admin/reports', async () => ({ status: 200, body: { reports: await reports.list() } }));

  http.bind('PUT /admin/reports/:id', async ({ params, body, visitor }) => ({
    status: 200,
    body: await reports.settle(params.id, body.settled, visitor.admin.username),
  }));
}
