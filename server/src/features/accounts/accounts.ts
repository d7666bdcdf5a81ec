import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import type { AdminVisitor, HostVisitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { cleanHostPassword, generateHostPassword } from '../../lib/generated-passwords.ts';
import type { KeyOwner, KeyPair } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { Ground } from '../ground.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { Guesser, Guesses } from '../limits/guesses.ts';
import type { OperatorKeys } from '../operator-keys/operator-keys.ts';
import type { Sessions, StartedSession } from '../sessions/sessions.ts';
import { createAccountsStore } from './accounts.store.ts';

export interface Login extends Guesser {
  username: string;
  password: string;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** What logins of either kind stand on. */
export interface LoginParts extends Pick<Ground, 'db' | 'vault' | 'clock'> {
  guesses: Guesses;
  audit: Audit;
  sessions: Sessions;
  operatorKeys: OperatorKeys;
  keyAlarm: KeyAlarm;
}

/** The logins of hosts. A password is right exactly if it opens its key. */
export function createAccounts({ db, vault, clock, guesses, audit, sessions, operatorKeys, keyAlarm }: LoginParts) {
  const store = createAccountsStore(db);

  const ownerOf = (eventId: string): KeyOwner => ({ kind: 'host', owner: eventId, subject: eventId });
  const wrap = (eventId: string, keys: KeyPair, password: string): Promise<Bytes> =>
    vault.wrapWithPassword(keys, cleanHostPassword(password), ownerOf(eventId));

  /** A new password for an event's host, and the event's key under it. */
  async function draw(admin: AdminVisitor, eventId: string): Promise<{ password: string; wrapped: Bytes }> {
    const keys = await operatorKeys.openEventKeys(admin, eventId);
    const password = generateHostPassword();
    return { password, wrapped: await wrap(eventId, keys, password) };
  }

  /** Checks a host's code and password and returns the event with its keys. Throws Refusal invalid_credentials, too_many_attempts. */
  async function proveHost(login: Login) {
    const code = cleanEventCode(login.username);
    const password = cleanHostPassword(login.password);
    const found = await guesses.attempt(login, {
      name: `host:${code}`,
      password,
      find: () => store.hostByCode(code),
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
    async loginHost(login: Login): Promise<StartedSession & { code: string }> {
      const found = await proveHost(login);
      return db.transaction(async (trx) => {
        // The password was reset or the event purged after the check: no new session may start.
        if (!(await store.holdHost(trx, found.id, found.wrapped))) throw new Refusal('invalid_credentials');
        await audit.record({ actor: 'host', action: 'host.login', eventId: found.id, eventCode: found.code, address: login.address }, trx);
        return { ...(await sessions.start('user', found.id, found.keys, trx)), code: found.code };
      });
    },

    /** Ends the host's session for one that shows the slideshow and nothing else. Throws Refusal login_required. */
    async lockSlideshow(host: HostVisitor, address: string): Promise<StartedSession> {
      const { eventId, eventCode } = host;
      return db.transaction(async (trx) => {
        // A reset or purge in between has ended the host's session: no new one may start.
        if (!(await store.holdHost(trx, eventId)) || !(await sessions.end(host.sessionId, trx))) throw new Refusal('login_required');
        const keys = await trx.selectFrom('event_keys').select('public_key').where('event_id', '=', eventId).executeTakeFirstOrThrow();
        await audit.record({ actor: 'host', action: 'slideshow.locked', eventId, eventCode, address }, trx);
        return sessions.start('projector', eventId, { publicKey: keys.public_key, privateKey: host.openEventKey() }, trx);
      });
    },

    /** Creates an event's host. The password is only in the returned value; it is not stored. */
    async createHost(
      admin: AdminVisitor,
      event: { id: string; code: string },
      address: string,
    ): Promise<{ username: string; password: string }> {
      const entry = { actor: `admin:${admin.username}`, eventId: event.id, eventCode: event.code, address };
      if (await store.host(event.id)) throw new Refusal('host_exists');
      const { password, wrapped } = await draw(admin, event.id);
      try {
        await db.transaction(async (trx) => {
          if (!(await store.holdEvent(trx, event.id))) throw new Refusal('event_purged');
          await store.addHost(trx, event.id, wrapped, clock.now());
          await audit.record({ ...entry, action: 'host.created' }, trx);
        });
      } catch (error) {
        throw isUniqueViolation(error) ? new Refusal('host_exists') : error;
      }
      return { username: event.code, password };
    },

    /** Creates the host of a demo event, without an administrator. `password` as people type it. */
    async addHost(eventId: string, keys: KeyPair, password: string): Promise<void> {
      const wrapped = await wrap(eventId, keys, password);
      await db.transaction((trx) => store.addHost(trx, eventId, wrapped, clock.now()));
    },

    /** Sets a new password for an event's host and ends the host's sessions. Of two concurrent resets one throws event_changed. */
    async resetHost(admin: AdminVisitor, event: { id: string; code: string }, address: string): Promise<string> {
      const entry = { actor: `admin:${admin.username}`, eventId: event.id, eventCode: event.code, address };
      const before = await store.wrappedForHost(event.id);
      if (!before) throw new Refusal('host_not_found');
      const { password, wrapped } = await draw(admin, event.id);
      await db.transaction(async (trx) => {
        if (!(await store.replaceWrapped(trx, event.id, before, wrapped))) throw new Refusal('event_changed');
        await trx.updateTable('hosts').set({ reset_at: clock.now(), reset_seen_at: null }).where('event_id', '=', event.id).execute();
        await sessions.endOfEvent(event.id, trx);
        await audit.record({ ...entry, action: 'host.reset' }, trx);
      });
      await db.eraseDeleted();
      return password;
    },

    proveHost,
  };
}
