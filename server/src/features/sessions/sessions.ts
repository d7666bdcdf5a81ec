import { createHmac, timingSafeEqual } from 'node:crypto';
import type { LimitedRole } from '@feierbild/contract/call.ts';
import { KNOWN_BROWSER_COOKIE, SESSIONS } from '@feierbild/contract/constants.ts';
import type { Socket } from 'node:net';
import { sql, type Kysely } from 'kysely';
import { recordChange } from '../../database/changes.ts';
import { isSecured } from '../../database/accounts.ts';
import { createInstallationKey } from '../../database/settings.ts';
import type { Trx } from '../../database/open.ts';
import type { Database, InvitedRole } from '../../database/schema.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../../http/bind.ts';
import { createCookie, type Cookie } from '../../http/request.ts';
import {
  NOBODY,
  type AdminVisitor,
  type AssistantVisitor,
  type GalleryVisitor,
  type HostVisitor,
  type Visitor,
} from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { isToken, randomToken, uuidv7 } from '../../lib/ids.ts';
import type { KeyOwner, KeyPair } from '../../vault/vault.ts';
import type { Ground } from '../ground.ts';
import type { Devices } from '../devices/devices.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { SettingsFeature } from '../settings/settings.ts';
import type { Tokens } from '../tokens/tokens.ts';

/** A session is extended at most once in this time, so that the requests of one page cause at most one write. */
const TOUCH_INTERVAL_MS = 60_000;
/** Purposes for deriving keys: the token of a locked slideshow, say, is useless in another cookie or with another role in its row. */
const PURPOSES = {
  user: 'session',
  admin: 'session',
  assistant: 'assistant-session',
  projector: 'projector-session',
  gallery: 'gallery-session',
  helper: 'helper-session',
  program: 'program-session',
};

/** By which a program's token is recognised; its session is found by the rest. */
export const PROGRAM_PREFIX = 'fbp_';

/** Of what is no account. */
const UNSECURED = sql<boolean | number>`0`.as('secured');

export type Role = keyof typeof SESSIONS;

/** A program has none: its token comes in a header. */
type CookieRole = Exclude<Role, 'program'>;
export type Cookies = Record<CookieRole, Cookie>;

/** The cookies of sessions: host, administrator or assistant (in a browser one of both is logged in), locked slideshow, guest in the gallery, helper. */
export function createCookies({ secure }: { secure: boolean }): Cookies {
  return {
    user: createCookie('host', secure),
    admin: createCookie('admin', secure),
    assistant: createCookie('admin', secure),
    projector: createCookie('projector', secure),
    gallery: createCookie('gallery', secure),
    helper: createCookie('helper', secure),
  };
}

export type Sessions = ReturnType<typeof createSessions>;
export type StartedSession = Awaited<ReturnType<Sessions['start']>>;

/** Tokens are only in cookies, a program's only in what it sends; the database has their hashes and wrapped keys. So sessions survive restarts, and a stolen database opens nothing. */
export function createSessions({ db, vault, clock }: Pick<Ground, 'db' | 'vault' | 'clock'>) {
  /** Ends a session; true if it existed. */
  async function end(id: string, trx?: Trx): Promise<boolean> {
    if (!trx) return db.transaction((own) => end(id, own));
    const ended = await trx.deleteFrom('sessions').where('id', '=', id).returning('event_id').executeTakeFirst();
    if (ended?.event_id) await recordChange(trx, ended.event_id, 'sessions');
    return ended !== undefined;
  }

  /** Those of the sessions that still exist, which are not more than a node has connections. Does not extend them. */
  async function living(ids: string[], kysely: Kysely<Database> = db.kysely): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const living = kysely.selectFrom('sessions').select('id').where('id', 'in', ids).where('expires_at', '>', clock.now());
    return new Set((await living.execute()).map(({ id }) => id));
  }

  /** All sessions of an event, or those of a role. */
  async function endOfEvent(eventId: string, trx: Trx, role?: Role): Promise<void> {
    // It holds the event's row: what is started there at the same moment is seen, and ends, too.
    await recordChange(trx, eventId, 'sessions');
    await trx
      .deleteFrom('sessions')
      .where('event_id', '=', eventId)
      .$if(role !== undefined, (query) => query.where('role', '=', role as Role))
      .execute();
  }

  const session = (role: Role, hash: Bytes) =>
    db.kysely
      .selectFrom('sessions')
      .innerJoin('session_keys', 'session_keys.session_id', 'sessions.id')
      .select(['sessions.id', 'last_used_at', 'expires_at', 'expires_at_latest', 'session_keys.wrapped'])
      .where('token_hash', '=', hash)
      .where('role', '=', role);
  const ofAccount = (role: Role, hash: Bytes) =>
    session(role, hash)
      .innerJoin('admins', 'admins.id', 'sessions.admin_id')
      .select(['admins.id as ownerId', 'admins.username as ownerName', isSecured.as('secured')]);
  const ofEvent = (role: Role, hash: Bytes) =>
    session(role, hash)
      .innerJoin('events', 'events.id', 'sessions.event_id')
      .select(['events.id as ownerId', 'events.code as ownerName', UNSECURED]);
  const withKey = (role: Role) =>
    db.prepare((hash: Bytes) =>
      ofEvent(role, hash).innerJoin('event_keys', 'event_keys.event_id', 'events.id').select('event_keys.public_key as publicKey'),
    );
  const find = {
    user: withKey('user'),
    projector: withKey('projector'),
    helper: withKey('helper'),
    program: withKey('program'),
    gallery: db.prepare((hash: Bytes) =>
      ofEvent('gallery', hash)
        .innerJoin('gallery_keys', 'gallery_keys.event_id', 'events.id')
        .select('gallery_keys.public_key as publicKey'),
    ),
    admin: db.prepare((hash: Bytes) =>
      ofAccount('admin', hash).innerJoin('admin_keys', 'admin_keys.admin_id', 'admins.id').select('admin_keys.public_key as publicKey'),
    ),
    assistant: db.prepare((hash: Bytes) =>
      ofAccount('assistant', hash)
        .innerJoin('assistant_keys', 'assistant_keys.admin_id', 'admins.id')
        .select('assistant_keys.public_key as publicKey'),
    ),
  };

  return {
    /** Starts a session. Stores the private key wrapped under the returned token, and only a hash of the token. */
    async start(role: Role, ownerId: string, keys: KeyPair, trx: Trx) {
      const now = clock.now();
      const token = randomToken();
      const id = uuidv7(now);
      const { idle, longest } = SESSIONS[role];
      const wrapped = vault.wrapWithToken(keys, token, keyOwner(role, id, ownerId));
      const row = {
        id,
        token_hash: vault.lookupHash(token, PURPOSES[role]),
        role,
        event_id: isAccount(role) ? null : ownerId,
        admin_id: isAccount(role) ? ownerId : null,
        created_at: now,
        last_used_at: now,
        expires_at: now + idle,
        expires_at_latest: now + longest,
      };
      await trx.insertInto('sessions').values(row).execute();
      await trx.insertInto('session_keys').values({ session_id: id, wrapped }).execute();
      return { token, /** Of the cookie, in seconds. */ maxAge: Math.floor(longest / 1000) };
    },
    /**
     * The session of a token, or null, with whom it is of: an event by id and code, or an administrator or assistant by id and name. `openKey` opens the
     * private key with the token; throws Tampered. Extends the session; removes an expired one with its key.
     */
    async find(token: string, role: Role) {
      if (!isToken(token)) return null;
      const now = clock.now();
      const [row] = await find[role](vault.lookupHash(token, PURPOSES[role]));
      if (!row) return null;
      const { id, ownerId, ownerName, wrapped, publicKey } = row;
      if (now >= row.expires_at) {
        await end(id);
        return null;
      }
      if (now - row.last_used_at >= TOUCH_INTERVAL_MS) {
        const expires = Math.min(now + SESSIONS[role].idle, row.expires_at_latest);
        await db.kysely
          .updateTable('sessions')
          .set({ last_used_at: now, expires_at: expires })
          .where('id', '=', id)
          // Of many concurrent requests only one writes.
          .where('last_used_at', '=', row.last_used_at)
          .execute();
      }
      return {
        id,
        ownerId,
        ownerName,
        publicKey,
        /** An account has a second factor. */
        secured: Boolean(row.secured),
        openKey: () => vault.openWithToken(wrapped, token, keyOwner(role, id, ownerId), publicKey),
      };
    },
    /** When the access of an event's program was made and last used; undefined where there is none. */
    ofProgram(eventId: string) {
      const sessions = db.kysely.selectFrom('sessions').select(['created_at', 'last_used_at']).where('event_id', '=', eventId);
      return sessions.where('role', '=', 'program').where('expires_at', '>', clock.now()).executeTakeFirst();
    },
    /**
     * For what a session leaves behind it: a new password, which ends what the old one began, may have come since the request began. Throws
     * Refusal login_required.
     */
    async mustLive(id: string, trx: Trx): Promise<void> {
      if ((await living([id], trx)).size === 0) throw new Refusal('login_required');
    },
    living,
    end,
    endOfEvent,
    /** Ends the event's link that gives sessions of this role, with the sessions that came by it. */
    async endLink(eventId: string, trx: Trx, role: InvitedRole): Promise<void> {
      await trx.deleteFrom('invitations').where('event_id', '=', eventId).where('role', '=', role).execute();
      await endOfEvent(eventId, trx, role);
    },
    /** All sessions of an account, but one. */
    async endOfAdmin(adminId: string, trx: Trx, but = ''): Promise<void> {
      await trx.deleteFrom('sessions').where('admin_id', '=', adminId).where('id', '!=', but).execute();
    },
    async endExpired(): Promise<void> {
      await db.kysely.deleteFrom('sessions').where('expires_at', '<=', clock.now()).execute();
    },
  };
}

const isAccount = (role: Role): boolean => role === 'admin' || role === 'assistant';

/** What a session's wrapped key is bound to. It differs by role, so that a locked slideshow's key cannot be used for a login. */
function keyOwner(role: Role, id: string, ownerId: string): KeyOwner {
  return {
    kind: role === 'user' || role === 'admin' || role === 'assistant' ? 'session' : role,
    owner: id,
    subject: role === 'admin' ? 'operator' : ownerId,
  };
}

interface VisitorParts {
  sessions: Sessions;
  cookies: Cookies;
  devices: Devices;
  keyAlarm: Pick<KeyAlarm, 'guard'>;
  tokens: Pick<Tokens, 'prove'>;
  settings: Pick<SettingsFeature, 'get'>;
}

/** Finds out who makes a request: from its Bearer token where its call takes one, else from its cookies and its Device-ID header. */
export function createVisitors({ sessions, cookies, devices, keyAlarm, tokens, settings }: VisitorParts): Authenticate {
  async function session(request: FastifyRequest, role: CookieRole) {
    const token = cookies[role].of(request);
    return token ? sessions.find(token, role) : null;
  }

  async function ofEvent(request: FastifyRequest, role: 'user' | 'projector' | 'helper', asked = true): Promise<HostVisitor | null> {
    return hostOf(asked ? await session(request, role) : null);
  }

  /** With the event's key. */
  function hostOf(found: Awaited<ReturnType<Sessions['find']>>): HostVisitor | null {
    if (!found) return null;
    const { id: sessionId, ownerId: eventId, ownerName: eventCode, openKey } = found;
    return { sessionId, eventId, eventCode, openEventKey: () => keyAlarm.guard({ eventId }, openKey) };
  }

  /** To whom an event's host has given access to its photos. */
  const program = async (bearer: string): Promise<HostVisitor | null> =>
    bearer.startsWith(PROGRAM_PREFIX) ? hostOf(await sessions.find(bearer.slice(PROGRAM_PREFIX.length), 'program')) : null;

  /** A guest's page asks for thirty thumbnails over a few connections, each of which opens its key once and forgets it at its end. */
  const galleryKeys = new WeakMap<Socket, { sessionId: string; publicKey: Bytes; key: Bytes }>();

  async function inGallery(request: FastifyRequest, asked: boolean): Promise<GalleryVisitor | null> {
    const found = asked ? await session(request, 'gallery') : null;
    if (!found) return null;
    const { id: sessionId, ownerId: eventId, ownerName: eventCode, publicKey, openKey } = found;
    const openGalleryKey = (): Bytes => {
      const kept = galleryKeys.get(request.socket);
      if (kept?.sessionId === sessionId && Buffer.compare(kept.publicKey, publicKey) === 0) return kept.key;
      const key = keyAlarm.guard({ eventId }, openKey);
      galleryKeys.set(request.socket, { sessionId, publicKey, key });
      return key;
    };
    return { sessionId, eventId, eventCode, openGalleryKey };
  }

  const required = (): boolean => settings.get('access')?.secondFactor === true;

  async function admin(request: FastifyRequest): Promise<AdminVisitor | null> {
    const found = await session(request, 'admin');
    if (!found) return null;
    const { id: sessionId, ownerId: adminId, ownerName: username, publicKey, secured, openKey } = found;
    const mustSecure = required() && !secured;
    return { sessionId, adminId, username, mustSecure, publicKey, openAdminKey: () => keyAlarm.guard({ admin: username }, openKey) };
  }

  async function assistant(request: FastifyRequest, asked: boolean): Promise<AssistantVisitor | null> {
    const found = asked ? await session(request, 'assistant') : null;
    if (!found) return null;
    const { id: sessionId, ownerId: assistantId, ownerName: username, publicKey, secured, openKey } = found;
    const mustSecure = required() && !secured;
    return { sessionId, assistantId, username, mustSecure, publicKey, openOwnKey: () => keyAlarm.guard({ admin: username }, openKey) };
  }

  async function byCookies(request: FastifyRequest, asked: ReadonlySet<LimitedRole>): Promise<Visitor> {
    return {
      token: null,
      host: await ofEvent(request, 'user'),
      admin: await admin(request),
      assistant: await assistant(request, asked.has('assistant')),
      projector: await ofEvent(request, 'projector', asked.has('projector')),
      helper: await ofEvent(request, 'helper', asked.has('helper')),
      gallery: await inGallery(request, asked.has('gallery')),
      deviceId: devices.idOf(request),
      address: request.ip,
    };
  }

  return async (request, asked, scope) => {
    const bearer = scope && /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!bearer) return byCookies(request, asked);
    const visitor = { ...NOBODY, deviceId: null, address: request.ip };
    const host = scope === 'photos:read' ? await program(bearer) : null;
    return host ? { ...visitor, host } : { ...visitor, token: await tokens.prove(bearer, scope, request.ip) };
  };
}

/** The logins that a browser is known for; `factor`: one with a second factor, so that a password alone gains no guesses at those. */
type KnownRole = 'user' | 'admin' | 'factor';

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>;

/**
 * A cookie that proves that a browser was logged in under a name before: `<random id>.<HMAC by the installation's key>`. It is no
 * login. It only gives the browser attempts of its own, so that others at the same address cannot use them up.
 */
export function createKnownBrowsers({ db, secure }: Pick<Ground, 'db'> & { secure: boolean }) {
  const installationKey = createInstallationKey(db);
  const cookies = {
    user: createCookie('known_host', secure),
    admin: createCookie('known_admin', secure),
    factor: createCookie('known_factor', secure),
  };

  async function macOf(role: KnownRole, name: string, id: string): Promise<string> {
    return createHmac('sha256', await installationKey())
      .update(JSON.stringify(['known-browser', role, name, id]))
      .digest('base64url');
  }

  return {
    /** The sender under which this browser is counted for a name; undefined if it was never logged in under that name. */
    async proofOf(request: FastifyRequest, role: KnownRole, name: string): Promise<string | undefined> {
      const [id = '', mac = ''] = (cookies[role].of(request) ?? '').split('.');
      const right = Buffer.from(await macOf(role, name, id));
      const given = Buffer.from(mac);
      return given.length === right.length && timingSafeEqual(given, right) ? `browser ${id}` : undefined;
    },
    /** Sets the cookie after a login. */
    async remember(reply: FastifyReply, role: KnownRole, name: string): Promise<void> {
      const id = randomToken();
      cookies[role].set(reply, `${id}.${await macOf(role, name, id)}`, KNOWN_BROWSER_COOKIE / 1000);
    },
    forget(reply: FastifyReply): void {
      for (const cookie of Object.values(cookies)) cookie.clear(reply);
    },
  };
}
