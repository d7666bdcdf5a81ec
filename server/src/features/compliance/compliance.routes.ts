import { isPaperName } from '@feierbild/contract/paper-names.ts';
import type { Http } from '../../http/bind.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Compliance } from './compliance.ts';

export function complianceRoutes(http: Http, { compliance }: { compliance: Compliance }): void {
  http.bind('GET /admin/papers', ({ visitor }) => compliance.state(visitor.admin.username));

  http.bind('GET /admin/papers/:paper', ({ params, query, visitor }) => {
    if (!isPaperName(params.paper)) throw new Refusal('not_found');
    return compliance.paper(params.paper, visitor.admin.username, query.language);
  });

  http.bind('POST /admin/papers/issue', ({ body, visitor }) =>
    compliance.issue(body.hash, { username: visitor.admin.username, address: visitor.address }),
  );

  http.bind('GET /api/accessibility', () => compliance.accessibility());
}
