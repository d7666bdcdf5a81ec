import type { AuditAction } from '@feierbild/contract/calls/admins.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Http } from '../../http/bind.ts';
import type { Audit } from './audit.ts';

/** The audit trail for administrators, the newest first. */
export function auditRoutes(http: Http, { audit }: { audit: Pick<Audit, 'page'> }): void {
  http.bind('GET /admin/audit', async ({ query }) => {
    const { event, before, per_page: limit } = query;
    const code = event === undefined ? '' : cleanEventCode(event);
    // One more entry is read to find out whether there is another page.
    const found = await audit.page({ ...(code && { eventCode: code }), ...(before && { before }), limit: limit + 1 });
    const entries = found.slice(0, limit).map(({ id, at, actor, action, event_code, address }) => ({
      id,
      at: new Date(at).toISOString(),
      actor,
      action: action as AuditAction,
      event_code,
      address,
    }));
    return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
  });
}
