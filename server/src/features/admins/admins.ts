import type { AccountRole } from '@feierbild/contract/calls/accounts.ts';
import type { GivenFactor } from '@feierbild/contract/second-factor.ts';
import { sql, type ExpressionBuilder } from 'kysely';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Trx } from '../../database/open.ts';
import { isSecured } from '../../database/accounts.ts';
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
import type { Account, Prover, SecondFactor } from '../second-factor/second-factor.ts';
import type { StartedSession } from '../sessions/sessions.ts';

export type Admins = ReturnType<typeof createAdmins>;

/** The keys of all accounts by role. */
const accountKeys = ({ selectFrom }: Pick<ExpressionBuilder<Database, never>, 'selectFrom'>) =>
  selectFrom('admin_keys')
    .select(['admin_id', 'public_key', 'wrapped', sql<AccountRole>`'admin'`.as('role')])
    .unionAll(selectFrom('assistant_keys').select(['admin_id', 'public_key', 'wrapped', sql<AccountRole>`'assistant'`.as('role')]))
    .as('keys');

const RECOVERY: KeyOwner = { kind: 'recovery', owner: 'code', subject: 'operator' };

/** Whose name and password were right. */
type Proved = Account & { wrapped: Bytes };

/**
 * The accounts of administrators and their assistants. An assistant's key pair proves the login and leads to no other key. Each change that makes an administrator's password invalid also renews the operator's key pair, in one
 * transaction. After an interruption either the old or the new password works, with all keys.
 */
export function createAdmins(parts: LoginParts & Pick<Ground, 'log'> & { secondFactor: SecondFactor }) {
  const { db, vault, clock, guesses, audit, sessions, operatorKeys, secondFactor, keyAlarm, log } = parts;
  const { kysely } = db;
  const ownerOf = (role: AccountRole, id: string): KeyOwner => ({ kind: role, owner: id, subject: role === 'admin' ? 'operator' : id });

  const byName = (username: string) =>
    kysely
      .selectFrom('admins')
      .innerJoin(accountKeys, 'keys.admin_id', 'admins.id')
      .select(['admins.id', 'admins.username', 'keys.role', 'keys.wrapped', 'keys.public_key'])
      .where('admins.username', '=', username)
      .executeTakeFirst();

  /** All administrators and assistants, the oldest first. */
  async function list(): Promise<(Database['admins'] & { role: AccountRole; secured: boolean })[]> {
    const rows = await kysely
      .selectFrom('admins')
      .innerJoin(accountKeys, 'keys.admin_id', 'admins.id')
      .selectAll('admins')
      .select(['keys.role', isSecured.as('secured')])
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map((row) => ({ ...row, secured: Boolean(row.secured) }));
  }

  /** The account whose name and password these are, or null. Throws Refusal too_many_attempts. */
  async function proveAccount(username: string, password: string, guesser: Guesser): Promise<Proved | null> {
    const name = cleanAdminName(username);
    return guesses.attempt(guesser, {
      name: `admin:${name}`,
      password,
      find: () => byName(name),
      async open({ id: adminId, role, username: found, public_key: publicKey, wrapped }, caller) {
        const privateKey = await vault.openWithPassword(wrapped, password, ownerOf(role, adminId), publicKey, caller);
        return { role, adminId, username: found, publicKey, wrapped, openAdminKey: () => privateKey };
      },
      onTampered: ({ username: found }) => keyAlarm.raise({ admin: found }),
    });
  }

  /** The same of an administrator alone. */
  async function prove(...given: Parameters<typeof proveAccount>): Promise<Proved | null> {
    const proved = await proveAccount(...given);
    return proved?.role === 'admin' ? proved : null;
  }

  /** Keys for a password. */
  async function keysFor(role: AccountRole, adminId: string, password: string) {
    const keys = vault.createKeyPair();
    const wrapped = await vault.wrapWithPassword(keys, password, ownerOf(role, adminId));
    return { keys, row: { admin_id: adminId, public_key: keys.publicKey, wrapped } };
  }

  /** Adds an account, in one transaction with `work`, which answers the operator's private key. False: there is one of this name. */
  async function insert(
    { username, role }: { username: string; role: AccountRole },
    password: string,
    changedAt: number | null,
    work: (trx: Trx) => Promise<Bytes>,
  ) {
    const now = clock.now();
    const id = uuidv7(now);
    const { row } = await keysFor(role, id, password);
    try {
      await db.transaction(async (trx) => {
        const operatorKey = await work(trx);
        await trx.insertInto('admins').values({ id, username, created_at: now, password_changed_at: changedAt }).execute();
        if (role === 'assistant') return void (await trx.insertInto('assistant_keys').values(row).execute());
        const sealed_operator_key = operatorKeys.sealForAdmin(row.public_key, operatorKey, id);
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
    await operatorKeys.renew(trx, operatorKey);
    await endSessions(trx, admin_id);
  }

  /** The same of an assistant, whose keys lead to no other. Throws login_required where they are no more those that the password has opened. */
  async function replaceOwnKeys(trx: Trx, { admin_id, ...columns }: Database['assistant_keys'], before: Bytes): Promise<void> {
    const own = trx.updateTable('assistant_keys').set(columns).where('admin_id', '=', admin_id).where('wrapped', '=', before);
    if ((await own.executeTakeFirst()).numUpdatedRows === 0n) throw new Refusal('login_required');
    await endSessions(trx, admin_id);
  }

  /** Those of the earlier password. */
  async function endSessions(trx: Trx, id: string): Promise<void> {
    await trx.updateTable('admins').set({ password_changed_at: clock.now() }).where('id', '=', id).execute();
    await sessions.endOfAdmin(id, trx);
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
    proveAccount,

    /** A session by name, password and what else is needed. Throws Refusal invalid_credentials, too_many_attempts, and as SecondFactor.pass. */
    async login(
      login: { username: string; password: string; second_factor?: GivenFactor | undefined },
      prover: Prover,
    ): Promise<StartedSession & { role: AccountRole; secured: boolean }> {
      const account = await proveAccount(login.username, login.password, prover);
      if (!account) throw new Refusal('invalid_credentials');
      const { role, adminId, username, publicKey, openAdminKey } = account;
      return secondFactor.pass(account, login.second_factor, prover, async (trx) => {
        await audit.record({ actor: `${role}:${username}`, action: 'admin.login', address: prover.address }, trx);
        return { role, ...(await sessions.start(role, adminId, { publicKey, privateKey: openAdminKey() }, trx)) };
      });
    },

    /** Creates the first administrator and the operator's key pair in an empty database. Returns the password if it was generated. */
    async ensureFirst(name: string, password: string | null): Promise<string | null> {
      if ((await list()).length > 0) return null;
      const chosen = password ?? generateAdminPassword();
      const fresh = vault.createKeyPair();
      const isFirst = await insert({ username: cleanAdminName(name), role: 'admin' }, chosen, null, async (trx) => {
        await trx.insertInto('operator_keys').values({ id: 1, public_key: fresh.publicKey, created_at: clock.now() }).execute();
        return fresh.privateKey;
      });
      // Another node may have created them.
      return isFirst && password === null ? chosen : null;
    },

    /** True while an administrator still has the password of the first start. */
    initialPasswordInUse: async (): Promise<boolean> => (await list()).some((admin) => admin.password_changed_at === null),

    list,

    /** Adds an administrator, or an assistant. The password is only in the returned value; it is not stored. */
    async add(
      by: KeyHolder,
      { username, role }: { username: string; role: AccountRole },
      address: string | null,
    ): Promise<{ username: string; password: string }> {
      const name = cleanAdminName(username);
      const password = generateAdminPassword();
      // This password was never in the environment or a log, so it does not count as an initial one, of which each start warns.
      const added = await insert({ username: name, role }, password, clock.now(), async (trx) => {
        const operatorKey = await operatorKeys.openFor(trx, by);
        await audit.record({ actor: `admin:${by.username}`, action: `${role}.added`, address }, trx);
        return operatorKey;
      });
      if (!added) throw invalid('username', 'Diesen Benutzernamen gibt es schon.');
      return { username: name, password };
    },

    /**
     * Removes another account with its sessions, so that at least one administrator stays. Where it was an administrator's, renews the
     * operator's key pair, which the removed one could open.
     */
    async remove(by: KeyHolder, adminId: string, address: string | null): Promise<void> {
      if (adminId === by.adminId) throw new Refusal('own_admin');
      if (!isUuid(adminId)) throw new Refusal('admin_not_found');
      await replacing(async (trx) => {
        const operatorKey = await operatorKeys.openFor(trx, by, 'alone');
        const removed = await trx.selectFrom(accountKeys).select('keys.role').where('keys.admin_id', '=', adminId).executeTakeFirst();
        if (!removed) throw new Refusal('admin_not_found');
        // With keys and sessions.
        await trx.deleteFrom('admins').where('id', '=', adminId).execute();
        if (removed.role === 'admin') await operatorKeys.renew(trx, operatorKey);
        await audit.record({ actor: `admin:${by.username}`, action: `${removed.role}.removed`, address }, trx);
      });
    },

    /**
     * Changes the own password, ends all of the account's sessions and returns a new one.
     * Throws Refusal with the texts of the fields `current_password` and `new_password`, and too_many_attempts.
     */
    async changePassword(username: string, passwords: { current: string; next: string }, address: string): Promise<StartedSession> {
      const proved = await proveAccount(username, passwords.current, { address });
      if (!proved) throw invalid('current_password', 'Das aktuelle Passwort stimmt nicht.');
      if (passwords.next.normalize('NFC') === passwords.current.normalize('NFC')) {
        throw invalid('new_password', 'Bitte wählen Sie ein anderes Passwort als bisher.');
      }
      const { role, adminId } = proved;
      const { keys, row } = await keysFor(role, adminId, passwords.next);
      return replacing(async (trx) => {
        if (role === 'admin') await replaceKeys(trx, await operatorKeys.openFor(trx, proved, 'alone'), row);
        else await replaceOwnKeys(trx, row, proved.wrapped);
        await secondFactor.moveTo(trx, proved, keys.publicKey);
        await audit.record({ actor: `${role}:${proved.username}`, action: 'admin.password', address }, trx);
        return sessions.start(role, adminId, keys, trx);
      });
    },

    /** Removes another administrator's second factors. */
    async resetFactors(by: KeyHolder, adminId: string, address: string): Promise<void> {
      if (adminId === by.adminId) throw new Refusal('own_admin');
      if (!isUuid(adminId) || !(await list()).some(({ id }) => id === adminId)) throw new Refusal('admin_not_found');
      await secondFactor.reset(`admin:${by.username}`, adminId, address);
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

    /**
     * Sets a new password for an administrator by a checked recovery code and uses it up. Second factors go: the key that opens the secret
     * of codes went with the old password. False if the code was used in between.
     */
    async recover(proof: KeyPair, username: string, password: string): Promise<boolean> {
      const admin = await byName(cleanAdminName(username));
      if (admin?.role !== 'admin') throw new Refusal('admin_not_found');
      const { row } = await keysFor('admin', admin.id, password);
      return replacing(async (trx) => {
        await operatorKeys.hold(trx, 'alone');
        // A code can be used only once, and no other one in its place.
        const used = await trx.deleteFrom('recovery_keys').where('public_key', '=', proof.publicKey).returningAll().executeTakeFirst();
        if (!used) return false;
        await replaceKeys(trx, operatorKeys.openForRecovery(proof.privateKey, used.sealed_operator_key), row);
        await secondFactor.forget(trx, admin.id);
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
