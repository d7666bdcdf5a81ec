import type { PublicSite } from '@feierbild/contract/calls/site.ts';
import type { Http } from '../../http/bind.ts';
import { openApiDocument } from './openapi.ts';
import type { NodeState } from './node-state.ts';

interface Site {
  /** The operator's data for every page. */
  shown(): PublicSite;
  node: Pick<NodeState, 'checkReady'>;
}

/** Public calls: the operator's data, the API's description, and the service's state. */
export function siteRoutes(http: Http, site: Site): void {
  // Made at the first request, not at each start.
  let document: ReturnType<typeof openApiDocument> | null = null;
  http.bind('GET /api/site', site.shown);
  http.bind('GET /api/openapi.json', () => (document ??= openApiDocument()));
  http.bind('GET /health', () => ({ status: 'ok' }));
  http.bind('GET /ready', async ({ query }) => {
    await site.node.checkReady({ deep: query.deep === '1' });
    return { status: 'ok' };
  });
}
