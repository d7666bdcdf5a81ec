import type { Business } from '@feierbild/contract/entities.ts';
import type { Http } from '../../http/bind.ts';
import { Refusal } from '../../lib/errors.ts';
import { openApiDocument } from './openapi.ts';

interface Site {
  business: Business;
  /** Code and password of the public demo, or null where it is off. */
  demo(): { code: string; password: string } | null;
  /** Resolves if database and photo store answer. */
  ready(): Promise<void>;
}

/** What is public: the operator, the calls, and whether the service lives. */
export function siteRoutes(http: Http, site: Site): void {
  const document = openApiDocument();
  http.bind('GET /api/site', () => ({ status: 200, body: { business: site.business, demo: site.demo() } }));
  http.bind('GET /api/openapi.json', () => ({ status: 200, body: document }));
  http.bind('GET /health', () => ({ status: 200, body: { status: 'ok' } }));
  http.bind('GET /ready', async ({ request }) => {
    await site.ready().catch((error: unknown) => {
      request.log.error({ err: error }, 'not ready');
      throw new Refusal('unavailable');
    });
    return { status: 200, body: { status: 'ok' } };
  });
}
