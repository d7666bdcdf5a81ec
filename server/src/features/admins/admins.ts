import { isUniqueViolation } from '../../database/errors.ts';
import type { Trx } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { cleanHostPassword, generateAdminPassword, generateRecoveryCode } from '../../lib/generated-passwords.ts';
import { isUuid, uuidv7 } from '../../lib/ids.ts';
import { Tampered, WrongSecret, type KeyOwner, type KeyPair } from '../../vault/vault.ts';
import type { LoginParts } from '../accounts/accounts.ts';
import type { Ground } from '../ground.ts';
import type { Guesser } from '../limits/guesses.ts';
import type { KeyHolder } from '../operator-keys/operator-keys.ts';
import type { StartedSession } from '../sessions/sessions.ts';

export type Admins = ReturnType<typeof createAdmins>;

const RECOVERY: KeyOwner = { kind: 'recovery', owner: 'code', subject: 'operator' };

/**
 * The administrators' own accounts. Each change that makes a password invalid also renews the operator's key pair, in one
 * transaction. After an interruption either the old or the new password works, with all keys.
 */
export function createAdmins(parts: LoginParts & Pick<Ground, 'log'>) {
  const { db, vault, clock, guesses, audit, sessions, operatorKeys, keyAlarm, log } = parts;
  const { kysely } = db;
  const ownerOf = (adminId: string): KeyOwner => ({ kind: 'admin', owner: adminId, subject: 'operator' });

  const byName = (username: string) =>
    kysely
      .selectFrom('admins')
      .innerJoin('admin_keys', 'admin_keys.admin_id', 'admins.id')
      .select(['admins.id', 'admins.username', 'admin_keys.wrapped', 'admin_keys.public_key'])
      .where('admins.username', '=', username)
      .executeTakeFirst();

  /** All administrators, the oldest first. */
  const list = (): Promise<Database['admins'][]> => kysely.selectFrom('admins').selectAll().orderBy('created_at').orderBy('id').execute();

  /** The administrator whose name and password these are, or null. Throws Refusal too_many_attempts. */
  async function prove(username: string, password: string, guesser: Guesser): Promise<(KeyHolder & { wrapped: Bytes }) | null> {
    const name = cleanAdminName(username);
    return guesses.attempt(guesser, {
      name: `admin:${name}`,
      password,
      find: () => byName(name),
      async open({ id: adminId, username: found, public_key: publicKey, wrapped }, caller) {
        const privateKey = await vault.openWithPassword(wrapped, password, ownerOf(adminId), publicKey, caller);
        return { adminId, username: found, publicKey, wrapped, openAdminKey: () => privateKey };
      },
      onTampered: ({ username: found }) => keyAlarm.raise({ admin: found }),
    });
  }

  /** Keys for a password. */
  async function keysFor(adminId: string, password: string) {
    const keys = vault.createKeyPair();
    const wrapped = await vault.wrapWithPassword(keys, password, ownerOf(adminId));
    return { keys, row: { admin_id: adminId, public_key: keys.publicKey, wrapped } };
  }

  /** Adds an administrator, in one transaction with `work`, which answers the operator's private key. False: there is one of this name. */
  async function insert(username: string, password: string, changedAt: number | null, work: (trx: Trx) => Promise<Bytes>) {
    const now = clock.now();
    const id = uuidv7(now);
    const { row } = await keysFor(id, password);
    try {
      await db.transaction(async (trx) => {
        const sealed_operator_key = operatorKeys.sealForAdmin(row.public_key, await work(trx), id);
        await trx.insertInto('admins').values({ id, username, created_at: now, password_changed_at: changedAt }).execute();
        await trx
          .insertInto('admin_keys')
          .values({ ...row, sealed_operator_key })
          .execute();
      });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Stores the keys of a new password; the operator's key pair, to which the old one led, is renewed, and all sessions end. */
  async function replaceKeys(
    trx: Trx,
    operatorKey: Bytes,
    { admin_id, ...columns }: Omit<Database['admin_keys'], 'sealed_operator_key'>,
  ): Promise<void> {
    const { numUpdatedRows } = await trx.updateTable('admin_keys').set(columns).where('admin_id', '=', admin_id).executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Refusal('admin_not_found');
    await trx.updateTable('admins').set({ password_changed_at: clock.now() }).where('id', '=', admin_id).execute();
    await operatorKeys.renew(trx, operatorKey);
    await sessions.endOfAdmin(admin_id, trx);
  }

  /**
   * A transaction that replaces keys, whose bytes are then removed from the database's files at once. If a reader blocks that, the hourly
   * run or, after a crash, the next start does it.
   */
  async function replacing<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    const result = await db.transaction(work);
    await db.wipe().catch((error: unknown) => log.error({ err: error }, 'old keys were not wiped yet'));
    return result;
  }

  return {
    prove,

    /** A session by name and password. Throws Refusal invalid_credentials, too_many_attempts. */
    async login(login: { username: string; password: string }, guesser: Guesser): Promise<StartedSession> {
      const admin = await prove(login.username, login.password, guesser);
      if (!admin) throw new Refusal('invalid_credentials');
      const { adminId, username, publicKey, wrapped, openAdminKey } = admin;
      return db.transaction(async (trx) => {
        // Where the password was changed after the check, no new session may start; until the end of this one a change waits.
        const held = trx.selectFrom('admin_keys').select('admin_id').where('admin_id', '=', adminId).where('wrapped', '=', wrapped);
        if (!(await held.forShare().executeTakeFirst())) throw new Refusal('invalid_credentials');
        await audit.record({ actor: `admin:${username}`, action: 'admin.login', address: guesser.address }, trx);
        return sessions.start('admin', adminId, { publicKey, privateKey: openAdminKey() }, trx);
      });
    },

    /** Creates the first administrator and the operator's key pair in an empty database. Returns the password if it was generated. */
    async ensureFirst(name: string, password: string | null): Promise<string | null> {
      if ((await list()).length > 0) return null;
      const chosen = password ?? generateAdminPassword();
      const fresh = vault.createKeyPair();
      const isFirst = await insert(cleanAdminName(name), chosen, null, async (trx) => {
        await trx.insertInto('operator_keys').values({ id: 1, public_key: fresh.publicKey, created_at: clock.now() }).execute();
        return fresh.privateKey;
      });
      // Another node may have created them.
      return isFirst && password === null ? chosen : null;
    },

    /** True while an administrator still has the password of the first start. */
    initialPasswordInUse: async (): Promise<boolean> => (await list()).some((admin) => admin.password_changed_at === null),

    list,

    /** Adds an administrator. The password is only in the returned value; it is not stored. */
    async add(by: KeyHolder, username: string, address: string | null): Promise<{ username: string; password: string }> {
      const name = cleanAdminName(username);
      const password = generateAdminPassword();
      // This password was never in the environment or a log, so it does not count as an initial one, of which each start warns.
      const added = await insert(name, password, clock.now(), async (trx) => {
        const operatorKey = await operatorKeys.openFor(trx, by);
        await audit.record({ actor: `admin:${by.username}`, action: 'admin.added', address }, trx);
        return operatorKey;
      });
      if (!added) throw invalid('username', 'Diesen Benutzernamen gibt es schon.');
      return { username: name, password };
    },

    /** Removes another administrator (so at least one stays) and renews the operator's key pair, which the removed one could open. */
    async remove(by: KeyHolder, adminId: string, address: string | null): Promise<void> {
      if (adminId === by.adminId) throw new Refusal('own_admin');
      if (!isUuid(adminId)) throw new Refusal('admin_not_found');
      await replacing(async (trx) => {
        const operatorKey = await operatorKeys.openFor(trx, by, 'alone');
        // With keys and sessions.
        const { numDeletedRows } = await trx.deleteFrom('admins').where('id', '=', adminId).executeTakeFirst();
        if (numDeletedRows === 0n) throw new Refusal('admin_not_found');
        await operatorKeys.renew(trx, operatorKey);
        await audit.record({ actor: `admin:${by.username}`, action: 'admin.removed', address }, trx);
      });
    },

    /**
     * Changes the own password, ends all of the administrator's sessions and returns a new one.
     * Throws Refusal with the texts of the fields `current_password` and `new_password`, and too_many_attempts.
     */
    async changePassword(username: string, passwords: { current: string; next: string }, address: string): Promise<StartedSession> {
      const proved = await prove(username, passwords.current, { address });
      if (!proved) throw invalid('current_password', 'Das aktuelle Passwort stimmt nicht.');
      if (passwords.next.normalize('NFC') === passwords.current.normalize('NFC')) {
        throw invalid('new_password', 'Bitte wählen Sie ein anderes Passwort als bisher.');
      }
      const { adminId } = proved;
      const { keys, row } = await keysFor(adminId, passwords.next);
      return replacing(async (trx) => {
        await replaceKeys(trx, await operatorKeys.openFor(trx, proved, 'alone'), row);
        await audit.record({ actor: `admin:${proved.username}`, action: 'admin.password', address }, trx);
        return sessions.start('admin', adminId, keys, trx);
      });
    },

    /** Makes a recovery code, which replaces an earlier one. It is only in the returned value; it is not stored. */
    async createRecoveryCode(by: KeyHolder): Promise<string> {
      const code = generateRecoveryCode();
      const keys = vault.createKeyPair();
      const wrapped = await vault.wrapWithPassword(keys, cleanHostPassword(code), RECOVERY);
      await replacing(async (trx) => {
        const sealed_operator_key = operatorKeys.sealForRecovery(keys.publicKey, await operatorKeys.openFor(trx, by));
        const row = { id: 1, public_key: keys.publicKey, wrapped, sealed_operator_key, created_at: clock.now() };
        await trx.deleteFrom('recovery_keys').execute();
        await trx.insertInto('recovery_keys').values(row).execute();
        await audit.record({ actor: `admin:${by.username}`, action: 'admin.recovery-code' }, trx);
      });
      return code;
    },

    /** The key pair that the recovery code opens, or null if the code is wrong. Does not use up the code. */
    async proveRecovery(code: string): Promise<KeyPair | null> {
      const row = await kysely.selectFrom('recovery_keys').selectAll().where('id', '=', 1).executeTakeFirst();
      if (!row) return null;
      try {
        const privateKey = await vault.openWithPassword(row.wrapped, cleanHostPassword(code), RECOVERY, row.public_key);
        return { publicKey: row.public_key, privateKey };
      } catch (error) {
        if (error instanceof WrongSecret || error instanceof Tampered) return null;
        throw error;
      }
    },

    /** Sets a new password for an administrator by a checked recovery code and uses it up. False if it was used in between. */
    async recover(proof: KeyPair, username: string, password: string): Promise<boolean> {
      const admin = await byName(cleanAdminName(username));
      if (!admin) throw new Refusal('admin_not_found');
      const { row } = await keysFor(admin.id, password);
      return replacing(async (trx) => {
        await operatorKeys.hold(trx, 'alone');
        // A code can be used only once, and no other one in its place.
        const used = await trx.deleteFrom('recovery_keys').where('public_key', '=', proof.publicKey).returningAll().executeTakeFirst();
        if (!used) return false;
        await replaceKeys(trx, operatorKeys.openForRecovery(proof.privateKey, used.sealed_operator_key), row);
        await audit.record({ actor: `admin:${admin.username}`, action: 'admin.recovered' }, trx);
        return true;
      });
    },
  };
}

/** An administrator's name as it is stored. */
export function cleanAdminName(name: string): string {
  return name.trim().normalize('NFC');
}

function invalid(field: string, text: string): Refusal {
  return new Refusal('invalid_input', { fields: { [field]: text } });
}
