import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Http } from '../../http/bind.ts';
import type { FastifyReply } from 'fastify';
import type { HostVisitor, Visitor } from '../../http/visitor.ts';
import { cleanAdminName, type Admins } from '../admins/admins.ts';
import type { Audit, AuditEntry } from '../audit/audit.ts';
import type { Cookies } from '../sessions/cookies.ts';
import type { KnownBrowsers } from '../sessions/known-browsers.ts';
import type { Role, Sessions } from '../sessions/sessions.ts';
import type { Accounts } from './accounts.ts';

interface Parts {
  accounts: Accounts;
  admins: Admins;
  sessions: Sessions;
  audit: Audit;
  cookies: Cookies;
  knownBrowsers: KnownBrowsers;
}

/** Login and logout of hosts and administrators, and the call that says who is logged in. */
export function accountRoutes(http: Http, { accounts, admins, sessions, audit, cookies, knownBrowsers }: Parts): void {
  http.bind('POST /auth/user/login', async ({ body, visitor, request, reply }) => {
    const name = cleanEventCode(body.username);
    const proof = sessionFor(visitor, name) ?? (await knownBrowsers.proofOf(request, 'user', name));
    const { token, maxAge, code } = await accounts.loginHost({ ...body, address: visitor.address, proof });
    if (visitor.host) await sessions.end(visitor.host.sessionId);
    await unlock(visitor, reply);
    cookies.setSession(reply, 'user', token, maxAge);
    await knownBrowsers.remember(reply, 'user', code);
    return { status: 200, body: { role: 'user', userCode: code } };
  });

  http.bind('POST /auth/admin/login', async ({ body, visitor, request, reply }) => {
    const name = cleanAdminName(body.username);
    const proof = await knownBrowsers.proofOf(request, 'admin', name);
    const { token, maxAge } = await admins.login(body, { address: visitor.address, proof });
    if (visitor.admin) await sessions.end(visitor.admin.sessionId);
    await unlock(visitor, reply);
    cookies.setSession(reply, 'admin', token, maxAge);
    await knownBrowsers.remember(reply, 'admin', name);
    return { status: 200, body: { role: 'admin' } };
  });

  http.bind('GET /auth/check', ({ visitor }) => {
    const role = currentRole(visitor);
    return { status: 200, body: { authenticated: role !== null, role, userCode: codeOf(visitor, role) } };
  });

  http.bind('POST /auth/logout', async ({ body, visitor, reply }) => {
    const role = body?.role ?? currentRole(visitor);
    const session = role && sessionOf(visitor, role);
    if (session) {
      await sessions.end(session.sessionId);
      await audit.record({ ...logoutEntry(visitor, role), address: visitor.address });
    }
    // Without a session the browser may still have cookies of ended sessions.
    for (const each of role ? [role] : (['user', 'admin', 'projector'] as const)) cookies.clearSession(reply, each);
    reply.header('clear-site-data', '"cache"');
    return { status: 204 };
  });

  /** Any login ends the locked slideshow of this browser. */
  async function unlock(visitor: Visitor, reply: FastifyReply): Promise<void> {
    if (!visitor.projector) return;
    await sessions.end(visitor.projector.sessionId);
    await audit.record({ ...logoutEntry(visitor, 'projector'), address: visitor.address });
    cookies.clearSession(reply, 'projector');
  }
}

/** The host's session has priority over the admin's, and both have priority over a locked slideshow. */
function currentRole(visitor: Visitor): Role | null {
  if (visitor.host) return 'user';
  if (visitor.admin) return 'admin';
  return visitor.projector ? 'projector' : null;
}

function sessionOf(visitor: Visitor, role: Role): { sessionId: string } | null {
  if (role === 'user') return visitor.host;
  return role === 'admin' ? visitor.admin : visitor.projector;
}

/** Proof of a browser that is logged in as the event's host, or shows its locked slideshow. */
function sessionFor({ host, projector }: Visitor, eventCode: string): string | undefined {
  const session = [host, projector].find((one) => one?.eventCode === eventCode);
  return session ? `session ${session.sessionId}` : undefined;
}

function codeOf(visitor: Visitor, role: Role | null): string | null {
  if (role === 'projector') return visitor.projector?.eventCode ?? null;
  return visitor.host?.eventCode ?? null;
}

function logoutEntry(visitor: Visitor, role: Role): AuditEntry {
  if (role === 'admin') return { actor: `admin:${visitor.admin?.username}`, action: 'admin.logout' };
  const { eventId, eventCode } = (role === 'user' ? visitor.host : visitor.projector) as HostVisitor;
  return {
    actor: role === 'user' ? 'host' : 'projector',
    action: role === 'user' ? 'host.logout' : 'slideshow.unlocked',
    eventId,
    eventCode,
  };
}
