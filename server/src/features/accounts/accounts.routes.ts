import type { AccountRole } from '@feierbild/contract/calls/accounts.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Http } from '../../http/bind.ts';
import type { FastifyReply } from 'fastify';
import { originOf } from '../../http/request.ts';
import type { HostVisitor, Visitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import { cleanAdminName, type Admins } from '../admins/admins.ts';
import { actorOf, type Audit } from '../audit/audit.ts';
import type { Devices } from '../devices/devices.ts';
import type { Events } from '../events/events.ts';
import type { KnownBrowsers } from '../sessions/known-browsers.ts';
import type { Cookies, Sessions, StartedSession } from '../sessions/sessions.ts';
import type { Accounts } from './accounts.ts';
import { iso } from '../../lib/clock.ts';

interface Deps {
  accounts: Accounts;
  admins: Admins;
  sessions: Sessions;
  audit: Audit;
  events: Pick<Events, 'forHost'>;
  devices: Devices;
  cookies: Cookies;
  knownBrowsers: KnownBrowsers;
  config: { publicUrl: string | null };
}

/** A visitor's sessions by role, in order of priority: host, administrator or assistant, locked slideshow. */
const SESSIONS = { user: 'host', admin: 'admin', assistant: 'assistant', projector: 'projector' } as const;
type LoginRole = keyof typeof SESSIONS;
const ROLES = Object.keys(SESSIONS) as LoginRole[];
const ENDED = { user: 'host.logout', admin: 'admin.logout', assistant: 'admin.logout', projector: 'slideshow.unlocked' } as const;

/** Binds login and logout of hosts and administrators, the lock of a slideshow, and the call that says who is logged in. */
export function accountRoutes(http: Http, parts: Deps): void {
  const { accounts, admins, sessions, audit, events, devices, cookies, knownBrowsers, config } = parts;

  http.bind('POST /auth/user/login', async ({ body, visitor, request, reply }) => {
    const name = cleanEventCode(body.username);
    const proof = hostProof(visitor, name) ?? (await knownBrowsers.proofOf(request, 'user', name)) ?? wallProof(visitor, name);
    const { code, ...session } = await accounts.loginHost({ ...body, address: visitor.address, proof });
    await begin('user', code, session, visitor, reply);
    return { role: 'user', userCode: code };
  });

  http.bind('POST /auth/admin/login', async ({ body, visitor, request, reply }) => {
    const name = cleanAdminName(body.username);
    const proof = await knownBrowsers.proofOf(request, 'admin', name);
    const factorProof = await knownBrowsers.proofOf(request, 'factor', name);
    const origin = originOf(request, config.publicUrl);
    const { role, secured, ...session } = await admins.login(body, { address: visitor.address, proof, factorProof, origin });
    await begin(role, name, session, visitor, reply);
    if (secured) await knownBrowsers.remember(reply, 'factor', name);
    return { role };
  });

  http.bind('POST /auth/invitation', async ({ body }) => {
    const { expiresAt, ...invitation } = await accounts.invitations.look(body);
    return { ...invitation, expires_at: iso(expiresAt) };
  });

  http.bind('POST /auth/invitation/accept', async ({ body, visitor, reply }) => {
    const { code, ...session } = await accounts.invitations.accept(body, visitor.address);
    await begin('user', code, session, visitor, reply);
    return { role: 'user', userCode: code };
  });

  http.bind('GET /auth/check', ({ visitor }) => {
    const role = currentRole(visitor);
    const event = role === 'projector' ? visitor.projector : visitor.host;
    return { authenticated: role !== null, role, userCode: event?.eventCode ?? null };
  });

  http.bind('POST /auth/logout', async ({ body, visitor, reply }) => {
    const role = body?.role ?? currentRole(visitor);
    if (role) await end(role, visitor);
    // Without a session the browser may still have cookies of ended sessions.
    for (const each of role ? [role] : ROLES) cookies[each].clear(reply);
    reply.header('clear-site-data', '"cache"');
  });

  // Locks the laptop at the projector: afterwards it can show the slideshow and has no other access.
  http.bind('POST /api/events/:ref/slideshow-lock', async ({ params, visitor, reply }) => {
    const event = await events.forHost(visitor.host, params.ref);
    if (event.with_slideshow !== 1) throw new Refusal('slideshow_disabled');
    const { token, maxAge } = await accounts.lockSlideshow(visitor.host, visitor.address);
    const { admin, assistant, projector, helper, gallery } = visitor;
    for (const other of [admin, assistant, projector, helper, gallery]) if (other) await sessions.end(other.sessionId);
    for (const role of ['user', 'admin', 'helper', 'gallery'] as const) cookies[role].clear(reply);
    // With the device id, anybody at the laptop could see and delete what this browser uploaded.
    devices.clearCookie(reply);
    knownBrowsers.forget(reply);
    cookies.projector.set(reply, token, maxAge);
    // The cache may contain originals, and pages that the "back" button would show again.
    reply.header('clear-site-data', '"cache"');
  });

  /**
   * Sets the login's cookie. Ends this browser's earlier session of the role (administrators and assistants count as one role) and its
   * locked slideshow.
   */
  async function begin(
    role: 'user' | AccountRole,
    name: string,
    { token, maxAge }: StartedSession,
    visitor: Visitor,
    reply: FastifyReply,
  ): Promise<void> {
    for (const earlier of role === 'user' ? [visitor.host] : [visitor.admin, visitor.assistant])
      if (earlier) await sessions.end(earlier.sessionId);
    if (visitor.projector) {
      await end('projector', visitor);
      cookies.projector.clear(reply);
    }
    cookies[role].set(reply, token, maxAge);
    await knownBrowsers.remember(reply, role === 'user' ? 'user' : 'admin', name);
  }

  async function end(role: LoginRole, visitor: Visitor): Promise<void> {
    const session = visitor[SESSIONS[role]];
    if (!session) return;
    await sessions.end(session.sessionId);
    const who = 'username' in session ? { actor: actorOf(session) } : { ...eventOf(session), actor: SESSIONS[role] };
    await audit.record({ ...who, action: ENDED[role], address: visitor.address });
  }
}

function currentRole(visitor: Visitor): LoginRole | null {
  return ROLES.find((role) => visitor[SESSIONS[role]]) ?? null;
}

const eventOf = ({ eventId, eventCode }: HostVisitor) => ({ eventId, eventCode });

/** Returns the login proof of a browser that is logged in as the event's host. */
const hostProof = ({ host }: Visitor, eventCode: string): string | undefined =>
  host?.eventCode === eventCode ? `session ${host.sessionId}` : undefined;

/**
 * Returns the login proof of a browser that shows the event's locked slideshow. All walls of an event share one proof, as their link makes
 * any number of sessions.
 */
const wallProof = ({ projector }: Visitor, eventCode: string): string | undefined =>
  projector?.eventCode === eventCode ? `wall ${projector.eventId}` : undefined;
