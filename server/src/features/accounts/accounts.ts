import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Trx } from '../../database/open.ts';
import type { AdminVisitor, HostVisitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { iso } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import { cleanHostPassword, generateHostPassword } from '../../lib/generated-passwords.ts';
import type { KeyOwner, KeyPair } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { Grants } from '../grants/grants.ts';
import type { Context } from '../context.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { Guesser, LoginThrottle } from '../rate-limits/login-throttle.ts';
import type { OperatorKeys } from '../operator-keys/operator-keys.ts';
import type { Sessions, StartedSession } from '../sessions/sessions.ts';
import { createHostInvitations } from './host-invitations.ts';

export interface Login extends Guesser {
  username: string;
  password: string;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** The dependencies of hosts' and of administrators' logins. */
export interface LoginDeps extends Pick<Context, 'db' | 'vault' | 'clock'> {
  loginThrottle: LoginThrottle;
  audit: Audit;
  sessions: Sessions;
  operatorKeys: OperatorKeys;
  keyAlarm: KeyAlarm;
}

interface AccountDeps extends LoginDeps {
  grants: Grants;
}

/** Creates the logins of hosts. A password is right exactly if it opens the host's key. */
export function createAccounts({ db, vault, clock, loginThrottle, audit, sessions, grants, operatorKeys, keyAlarm }: AccountDeps) {
  const ownerOf = (eventId: string): KeyOwner => ({ kind: 'host', owner: eventId, subject: eventId });
  const wrap = (eventId: string, keys: KeyPair, password: string): Promise<Bytes> =>
    vault.wrapWithPassword(keys, cleanHostPassword(password), ownerOf(eventId));

  /** Selects an event that is not being purged and locks its row: a purge waits until the transaction ends. */
  const held = (trx: Trx, eventId: string) =>
    trx.selectFrom('events').select('events.id').where('events.id', '=', eventId).where('purging_at', 'is', null).forShare();

  /** Selects and locks an event with its host: resets wait, too. With `wrapped`, finds the host only while its password is unchanged. */
  const heldWithHost = (trx: Trx, eventId: string, wrapped?: Bytes) =>
    held(trx, eventId)
      .innerJoin('host_keys', 'host_keys.event_id', 'events.id')
      .$if(wrapped !== undefined, (query) => query.where('host_keys.wrapped', '=', wrapped as Bytes));

  /** Reads the wrapped key of an event's host, which is deleted only with the host. */
  async function wrappedOf(eventId: string): Promise<Bytes | undefined> {
    return (await db.kysely.selectFrom('host_keys').select('wrapped').where('event_id', '=', eventId).executeTakeFirst())?.wrapped;
  }

  /** Inserts a host. Throws a unique violation where the event has one. */
  async function insertHost(trx: Trx, event_id: string, wrapped: Bytes): Promise<void> {
    await trx.insertInto('hosts').values({ event_id, created_at: clock.now(), reset_at: null, reset_seen_at: null }).execute();
    await trx.insertInto('host_keys').values({ event_id, wrapped }).execute();
  }

  /** Creates an event's host, or replaces the password by one that the host has chosen: this is no reset to report on the host's page. */
  async function setHost(trx: Trx, eventId: string, wrapped: Bytes): Promise<void> {
    const now = clock.now();
    const changed = await trx.updateTable('host_keys').set({ wrapped }).where('event_id', '=', eventId).executeTakeFirst();
    if (changed.numUpdatedRows === 0n) await insertHost(trx, eventId, wrapped);
    else await trx.updateTable('hosts').set({ reset_at: now, reset_seen_at: now }).where('event_id', '=', eventId).execute();
    await noteLogin(trx, eventId);
  }

  /** Notes the host's first login; true if this is the first one. */
  async function noteLogin(trx: Trx, eventId: string): Promise<boolean> {
    const first = trx
      .updateTable('hosts')
      .set({ first_login_at: clock.now() })
      .where('event_id', '=', eventId)
      .where('first_login_at', 'is', null);
    return (await first.executeTakeFirst()).numUpdatedRows > 0n;
  }

  const invitations = createHostInvitations({ db, clock, audit, sessions, grants, wrap, setHost });

  /** Generates a password for an event's host and wraps the event's key with it. */
  async function draw(admin: AdminVisitor, eventId: string): Promise<{ password: string; wrapped: Bytes }> {
    const keys = await operatorKeys.openEventKeys(admin, eventId);
    const password = generateHostPassword();
    return { password, wrapped: await wrap(eventId, keys, password) };
  }

  /** Checks a host's code and password and returns the event with its keys. Throws Refusal `invalid_credentials`, `too_many_attempts`. */
  async function authenticateHost(login: Login) {
    const code = cleanEventCode(login.username);
    const password = cleanHostPassword(login.password);
    const found = await loginThrottle.attempt(login, {
      name: `host:${code}`,
      password,
      find: () =>
        db.kysely
          .selectFrom('events')
          .innerJoin('host_keys', 'host_keys.event_id', 'events.id')
          .innerJoin('event_keys', 'event_keys.event_id', 'events.id')
          .select(['events.id', 'events.code', 'host_keys.wrapped', 'event_keys.public_key'])
          .where('events.code', '=', code)
          .where('events.purging_at', 'is', null)
          .executeTakeFirst(),
      async open(row, caller) {
        const privateKey = await vault.openWithPassword(row.wrapped, password, ownerOf(row.id), row.public_key, caller);
        return { ...row, keys: { publicKey: row.public_key, privateKey } };
      },
      onTampered: ({ id }) => keyAlarm.raise({ eventId: id }),
    });
    if (!found) throw new Refusal('invalid_credentials');
    return found;
  }

  return {
    invitations,

    async loginHost(login: Login): Promise<StartedSession & { code: string }> {
      const found = await authenticateHost(login);
      return db.transaction(async (trx) => {
        // If the password was reset or the event purged after the check, no new session may start.
        if (!(await heldWithHost(trx, found.id, found.wrapped).executeTakeFirst())) throw new Refusal('invalid_credentials');
        await noteLogin(trx, found.id);
        await audit.record({ actor: 'host', action: 'host.login', eventId: found.id, eventCode: found.code, address: login.address }, trx);
        return { ...(await sessions.start('user', found.id, found.keys, trx)), code: found.code };
      });
    },

    /** Ends the host's session and starts one that can only show the slideshow. Throws Refusal `login_required`. */
    async lockSlideshow(host: HostVisitor, address: string): Promise<StartedSession> {
      const { eventId, eventCode } = host;
      return db.transaction(async (trx) => {
        // A reset or purge in between has ended the host's session; then no new one may start.
        if (!(await heldWithHost(trx, eventId).executeTakeFirst()) || !(await sessions.end(host.sessionId, trx)))
          throw new Refusal('login_required');
        const keys = await trx.selectFrom('event_keys').select('public_key').where('event_id', '=', eventId).executeTakeFirstOrThrow();
        await audit.record({ actor: 'host', action: 'slideshow.locked', eventId, eventCode, address }, trx);
        return sessions.start('projector', eventId, { publicKey: keys.public_key, privateKey: host.openEventKey() }, trx);
      });
    },

    /**
     * Creates an event's host. The password is only in the returned value; it is not stored. Throws Refusal `host_exists`, `event_purged`.
     */
    async createHost(
      admin: AdminVisitor,
      event: { id: string; code: string },
      address: string,
    ): Promise<{ username: string; password: string }> {
      const entry = { actor: `admin:${admin.username}`, eventId: event.id, eventCode: event.code, address };
      if (await wrappedOf(event.id)) throw new Refusal('host_exists');
      const { password, wrapped } = await draw(admin, event.id);
      try {
        await db.transaction(async (trx) => {
          if (!(await held(trx, event.id).executeTakeFirst())) throw new Refusal('event_purged');
          await insertHost(trx, event.id, wrapped);
          await grants.end('host.invitation', event.id, trx);
          await audit.record({ ...entry, action: 'host.created' }, trx);
        });
      } catch (error) {
        throw isUniqueViolation(error) ? new Refusal('host_exists') : error;
      }
      return { username: event.code, password };
    },

    /** Creates the host of a demo event, without an administrator. `password` may be written as people type it. */
    async addHost(eventId: string, keys: KeyPair, password: string): Promise<void> {
      const wrapped = await wrap(eventId, keys, password);
      await db.transaction((trx) => insertHost(trx, eventId, wrapped));
    },

    /**
     * Sets a new password for an event's host and ends the sessions and links that the old one gave. Throws Refusal `event_changed` for the
     * later of two concurrent resets, and if the page showed another `password_set_at`: somebody may just be reading out the current
     * password.
     */
    async resetHost(admin: AdminVisitor, event: { id: string; code: string }, was: string | undefined, address: string): Promise<string> {
      const entry = { actor: `admin:${admin.username}`, eventId: event.id, eventCode: event.code, address };
      const host = db.kysely.selectFrom('hosts').innerJoin('host_keys', 'host_keys.event_id', 'hosts.event_id');
      const found = await host.select(['wrapped', 'created_at', 'reset_at']).where('hosts.event_id', '=', event.id).executeTakeFirst();
      if (!found) throw new Refusal('host_not_found');
      const { wrapped: before, created_at, reset_at } = found;
      if (was !== undefined && was !== iso(reset_at ?? created_at)) throw new Refusal('event_changed');
      const { password, wrapped } = await draw(admin, event.id);
      await db.transaction(async (trx) => {
        const replacing = trx.updateTable('host_keys').set({ wrapped }).where('event_id', '=', event.id).where('wrapped', '=', before);
        if ((await replacing.executeTakeFirst()).numUpdatedRows === 0n) throw new Refusal('event_changed');
        await trx.updateTable('hosts').set({ reset_at: clock.now(), reset_seen_at: null }).where('event_id', '=', event.id).execute();
        await grants.end('host.password', event.id, trx);
        await audit.record({ ...entry, action: 'host.reset' }, trx);
      });
      await db.eraseDeleted();
      return password;
    },

    authenticateHost,
  };
}
