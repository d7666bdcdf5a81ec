import { randomBytes } from 'node:crypto';
import type { Http } from '../../http/bind.ts';
import type { Visitor } from '../../http/visitor.ts';
import type { Accounts } from './accounts.ts';
import type { Audit } from './audit.ts';
import type { Cookies } from './cookies.ts';
import type { Role } from './sessions.ts';

export function accountRoutes(http: Http, { accounts, audit, cookies }: { accounts: Accounts; audit: Audit; cookies: Cookies }): void {
  http.bind('POST /auth/user/login', async ({ body, visitor, reply }) => {
    const { token, maxAge, code } = await accounts.loginHost({ ...body, address: visitor.address });
    if (visitor.host) await accounts.logout(visitor.host.sessionId);
    cookies.setSession(reply, 'user', token, maxAge);
    return { status: 200, body: { role: 'user', userCode: code } };
  });

  http.bind('POST /auth/admin/login', async ({ body, visitor, reply }) => {
    const { token, maxAge } = await accounts.loginAdmin({ ...body, address: visitor.address });
    if (visitor.admin) await accounts.logout(visitor.admin.sessionId);
    cookies.setSession(reply, 'admin', token, maxAge);
    return { status: 200, body: { role: 'admin' } };
  });

  http.bind('GET /auth/check', ({ visitor }) => {
    const role = currentRole(visitor);
    return { status: 200, body: { authenticated: role !== null, role, userCode: visitor.host?.eventCode ?? null } };
  });

  http.bind('POST /auth/logout', async ({ body, visitor, reply }) => {
    const role = body?.role ?? currentRole(visitor);
    const session = role === 'user' ? visitor.host : role === 'admin' ? visitor.admin : null;
    if (session) {
      await accounts.logout(session.sessionId);
      const who = visitor.host && role === 'user' ? { eventId: visitor.host.eventId, eventCode: visitor.host.eventCode } : {};
      await audit.record({
        actor: role === 'user' ? 'host' : `admin:${visitor.admin?.username}`,
        action: role === 'user' ? 'host.logout' : 'admin.logout',
        address: visitor.address,
        ...who,
      });
    }
    // Without a session there may still be cookies of ended ones.
    for (const each of role ? [role] : (['user', 'admin'] as const)) cookies.clearSession(reply, each);
    reply.header('clear-site-data', '"cache"');
    return { status: 204 };
  });

  http.bind('GET /device_id', ({ request, reply }) => {
    const id = cookies.knownDevice(request) ?? randomBytes(16).toString('base64url');
    cookies.setDevice(reply, id);
    return { status: 200, body: { device_id: id } };
  });
}

/** The host session goes before the admin's. */
function currentRole(visitor: Visitor): Role | null {
  if (visitor.host) return 'user';
  return visitor.admin ? 'admin' : null;
}
