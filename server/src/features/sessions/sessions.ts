import { SESSIONS } from '@feierbild/contract/constants.ts';
import { sql, type Kysely } from 'kysely';
import { recordChange } from '../../database/changes.ts';
import { isSecured } from '../../database/accounts.ts';
import type { Trx } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import { createCookie, type Cookie } from '../../http/request.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { isToken, randomToken, uuidv7 } from '../../lib/ids.ts';
import type { KeyOwner, KeyPair } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import type { Guesser } from '../rate-limits/login-throttle.ts';

/** A session is extended at most once in this time, so that the requests of one page cause at most one write. */
const TOUCH_INTERVAL_MS = 60_000;
/**
 * Most sessions of an event in a role that a link gives; the newest stay. This fits the guests of the largest feasts with their second
 * browsers, and the screens of a hall; a script that opens the link over and over cannot fill the table.
 */
const MOST: Partial<Record<Role, number>> = { gallery: 2000, helper: 20, projector: 20 };
/** Purposes for deriving keys: a locked slideshow's token, say, is useless in another cookie or with another role in its row. */
const PURPOSES = {
  user: 'session',
  admin: 'session',
  assistant: 'assistant-session',
  projector: 'projector-session',
  gallery: 'gallery-session',
  helper: 'helper-session',
  program: 'program-session',
};

/** Prefix by which a program's token is recognised; the rest is the session's token. */
export const PROGRAM_PREFIX = 'fbp_';

/** SQL column for roles without an account. */
const UNSECURED = sql<boolean | number>`0`.as('secured');

export type Role = keyof typeof SESSIONS;

/** A program has no cookie: its token comes in a header. */
export type CookieRole = Exclude<Role, 'program'>;
export type Cookies = Record<CookieRole, Cookie>;

/**
 * The cookies of sessions: host, administrator or assistant (in a browser one of both is logged in), locked slideshow, guest in the
 * gallery, helper.
 */
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

/**
 * Sessions. Tokens are only in cookies, a program's only in its requests; the database has their hashes and wrapped keys. So sessions
 * survive restarts, and a stolen database opens nothing.
 */
export function createSessions({ db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>) {
  /** Ends a session; true if it existed. */
  async function end(id: string, trx?: Trx): Promise<boolean> {
    if (!trx) return db.transaction((own) => end(id, own));
    const ended = await trx.deleteFrom('sessions').where('id', '=', id).returning('event_id').executeTakeFirst();
    if (ended?.event_id) await recordChange(trx, ended.event_id, 'sessions');
    return ended !== undefined;
  }

  /** Returns which of these sessions still exist; a node asks for no more than its connections. Does not extend them. */
  async function living(ids: string[], kysely: Kysely<Database> = db.kysely): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const living = kysely.selectFrom('sessions').select('id').where('id', 'in', ids).where('expires_at', '>', clock.now());
    return new Set((await living.execute()).map(({ id }) => id));
  }

  /** Ends an event's oldest sessions of a role, so that `most` stay. */
  async function endOldest(eventId: string, role: Role, most: number, trx: Trx): Promise<void> {
    const ofRole = trx.selectFrom('sessions').select('id').where('event_id', '=', eventId).where('role', '=', role);
    const last = await ofRole.orderBy('id', 'desc').offset(most).limit(1).executeTakeFirst();
    if (!last) return;
    await trx.deleteFrom('sessions').where('event_id', '=', eventId).where('role', '=', role).where('id', '<=', last.id).execute();
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
      const most = MOST[role];
      if (most !== undefined) await endOldest(ownerId, role, most, trx);
      return { token, /** Age of the cookie, seconds. */ maxAge: Math.floor(longest / 1000) };
    },
    /**
     * Finds the session of a token, with its owner: an event by id and code, or an account by id and name; null if there is none. `openKey`
     * opens the private key with the token; throws Tampered. Extends the session.
     */
    async find(token: string, role: Role) {
      if (!isToken(token)) return null;
      const now = clock.now();
      const [row] = await find[role](vault.lookupHash(token, PURPOSES[role]));
      if (!row) return null;
      const { id, ownerId, ownerName, wrapped, publicKey } = row;
      // Its row stays: the clock may be ahead for a moment. The hourly run deletes it, which asks the clock guard first.
      if (now >= row.expires_at) return null;
      // Also where a clock that was ahead has extended it.
      if (Math.abs(now - row.last_used_at) >= TOUCH_INTERVAL_MS) {
        const expires = Math.min(now + SESSIONS[role].idle, row.expires_at_latest);
        await db.kysely
          .updateTable('sessions')
          .set({ last_used_at: now, expires_at: expires })
          .where('id', '=', id)
          // If requests come at the same time, only one writes.
          .where('last_used_at', '=', row.last_used_at)
          .execute();
      }
      return {
        id,
        ownerId,
        ownerName,
        publicKey,
        /** Whether the account has a second factor. */
        secured: Boolean(row.secured),
        openKey: () => vault.openWithToken(wrapped, token, keyOwner(role, id, ownerId), publicKey),
      };
    },
    /** Reads when the access of an event's program was made and last used; undefined if there is none. */
    ofProgram(eventId: string) {
      const sessions = db.kysely.selectFrom('sessions').select(['created_at', 'last_used_at']).where('event_id', '=', eventId);
      return sessions.where('role', '=', 'program').where('expires_at', '>', clock.now()).executeTakeFirst();
    },
    /**
     * Checks the session again before a write that outlives it: a new password may have ended it since the request began. Throws Refusal
     * login_required.
     */
    async mustLive(id: string, trx: Trx): Promise<void> {
      if ((await living([id], trx)).size === 0) throw new Refusal('login_required');
    },
    living,
    end,
    /** Ends all sessions of an account except `but`. */
    async endOfAdmin(adminId: string, trx: Trx, but = ''): Promise<void> {
      await trx.deleteFrom('sessions').where('admin_id', '=', adminId).where('id', '!=', but).execute();
    },
    async endExpired(): Promise<void> {
      await db.kysely.deleteFrom('sessions').where('expires_at', '<=', clock.now()).execute();
    },
  };
}

/** Returns the sender of a password that is asked once more in a session: guesses of others at the same address do not count for it. */
export const guesserIn = (sessionId: string, address: string): Guesser => ({ address, proof: `session ${sessionId} ${address}` });

const isAccount = (role: Role): boolean => role === 'admin' || role === 'assistant';

/** Returns the owner that a session's wrapped key is bound to. It differs by role: a locked slideshow's key cannot be used for a login. */
function keyOwner(role: Role, id: string, ownerId: string): KeyOwner {
  return {
    kind: role === 'user' || role === 'admin' || role === 'assistant' ? 'session' : role,
    owner: id,
    subject: role === 'admin' ? 'operator' : ownerId,
  };
}
