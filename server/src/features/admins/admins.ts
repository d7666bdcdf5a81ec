import type { AccountRole } from '@feierbild/contract/calls/accounts.ts';
import type { GivenFactor } from '@feierbild/contract/second-factor.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Trx } from '../../database/open.ts';
import { isSecured } from '../../database/accounts.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { generateAdminPassword } from '../../lib/generated-passwords.ts';
import { isUuid, uuidv7 } from '../../lib/ids.ts';
import type { LoginDeps } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import type { Guesser } from '../rate-limits/login-throttle.ts';
import type { KeyHolder } from '../operator-keys/operator-keys.ts';
import type { Account, Claimant, SecondFactor } from '../second-factor/second-factor.ts';
import type { StartedSession } from '../sessions/sessions.ts';
import { accountKeys, cleanAdminName, createAccountKeys, ownerOf } from './account-keys.ts';
import { createRecovery } from './recovery.ts';

export { cleanAdminName } from './account-keys.ts';
export type Admins = ReturnType<typeof createAdmins>;

/** An account whose name and password were right. */
type Authenticated = Account & { wrapped: Bytes };

/**
 * Creates the accounts of administrators and their assistants. An assistant's key pair proves the login and opens no other key. Each change
 * that makes an administrator's password invalid also renews the operator's key pair, in one transaction. After an interruption either the
 * old or the new password works, with all keys.
 */
export function createAdmins(parts: LoginDeps & Pick<Context, 'log'> & { secondFactor: SecondFactor }) {
  const { db, vault, clock, loginThrottle, audit, sessions, operatorKeys, secondFactor, keyAlarm } = parts;
  const { kysely } = db;
  const keys = createAccountKeys(parts);
  const { byName, keysFor, replaceKeys, replaceOwnKeys, replacing } = keys;

  /** Reads all administrators and assistants, the oldest first. */
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

  /** Returns the account of this name if the password is right, or null. Throws Refusal `too_many_attempts`. */
  async function authenticateAccount(username: string, password: string, guesser: Guesser): Promise<Authenticated | null> {
    const name = cleanAdminName(username);
    return loginThrottle.attempt(guesser, {
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

  /** Returns the administrator of this name if the password is right; null for assistants, too. Throws Refusal `too_many_attempts`. */
  async function authenticate(...given: Parameters<typeof authenticateAccount>): Promise<Authenticated | null> {
    const account = await authenticateAccount(...given);
    return account?.role === 'admin' ? account : null;
  }

  /** Adds an account in one transaction with `work`, which returns the operator's private key. False if the name is taken. */
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

  return {
    ...createRecovery({ ...parts, keys }),
    authenticate,
    authenticateAccount,

    /** Starts a session. Throws Refusal `invalid_credentials`, `too_many_attempts`, and the refusals of SecondFactor.pass. */
    async login(
      login: { username: string; password: string; second_factor?: GivenFactor | undefined },
      claimant: Claimant,
    ): Promise<StartedSession & { role: AccountRole; secured: boolean }> {
      const account = await authenticateAccount(login.username, login.password, claimant);
      if (!account) throw new Refusal('invalid_credentials');
      const { role, adminId, username, publicKey, openAdminKey } = account;
      return secondFactor.pass(account, login.second_factor, claimant, async (trx) => {
        await audit.record({ actor: `${role}:${username}`, action: 'admin.login', address: claimant.address }, trx);
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
      // Another node may have created them first.
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
      // Each start warns of an initial password; this one is none, as it was never in the environment or a log.
      const added = await insert({ username: name, role }, password, clock.now(), async (trx) => {
        const operatorKey = await operatorKeys.openFor(trx, by);
        await audit.record({ actor: `admin:${by.username}`, action: `${role}.added`, account: name, address }, trx);
        return operatorKey;
      });
      if (!added) throw invalid('username', 'Diesen Benutzernamen gibt es schon.');
      return { username: name, password };
    },

    /**
     * Removes another account with its sessions, so that at least one administrator stays. For an administrator also renews the operator's
     * key pair, which the removed one could open.
     */
    async remove(by: KeyHolder, adminId: string, address: string | null): Promise<void> {
      if (adminId === by.adminId) throw new Refusal('own_admin');
      if (!isUuid(adminId)) throw new Refusal('admin_not_found');
      await replacing(async (trx) => {
        const operatorKey = await operatorKeys.openFor(trx, by, 'alone');
        const removed = await trx
          .selectFrom(accountKeys)
          .innerJoin('admins', 'admins.id', 'keys.admin_id')
          .select(['keys.role', 'admins.username'])
          .where('keys.admin_id', '=', adminId)
          .executeTakeFirst();
        if (!removed) throw new Refusal('admin_not_found');
        // Also deletes the account's keys and sessions, which reference the row.
        await trx.deleteFrom('admins').where('id', '=', adminId).execute();
        if (removed.role === 'admin') await operatorKeys.renew(trx, operatorKey);
        await audit.record({ actor: `admin:${by.username}`, action: `${removed.role}.removed`, account: removed.username, address }, trx);
      });
    },

    /**
     * Changes the caller's own password, ends all of the account's sessions and starts a new one. Throws Refusal `too_many_attempts`, and
     * `invalid_input` with texts for the fields `current_password` and `new_password`.
     */
    async changePassword(
      username: string,
      passwords: { current: string; next: string },
      by: Guesser,
    ): Promise<StartedSession & { role: AccountRole }> {
      const account = await authenticateAccount(username, passwords.current, by);
      if (!account) throw invalid('current_password', 'Das aktuelle Passwort stimmt nicht.');
      if (passwords.next.normalize('NFC') === passwords.current.normalize('NFC')) {
        throw invalid('new_password', 'Bitte wählen Sie ein anderes Passwort als bisher.');
      }
      const { role, adminId } = account;
      const { keys: own, row } = await keysFor(role, adminId, passwords.next);
      return replacing(async (trx) => {
        if (role === 'admin') await replaceKeys(trx, await operatorKeys.openFor(trx, account, 'alone'), row);
        else await replaceOwnKeys(trx, row, account.wrapped);
        await secondFactor.moveTo(trx, account, own.publicKey);
        await audit.record({ actor: `${role}:${account.username}`, action: 'admin.password', address: by.address }, trx);
        return { role, ...(await sessions.start(role, adminId, own, trx)) };
      });
    },

    /** Removes another administrator's second factors. */
    async resetFactors(by: KeyHolder, adminId: string, address: string): Promise<void> {
      if (adminId === by.adminId) throw new Refusal('own_admin');
      const found = (await list()).find(({ id }) => id === adminId);
      if (!found) throw new Refusal('admin_not_found');
      await secondFactor.reset(`admin:${by.username}`, found, address);
    },
  };
}

function invalid(field: string, text: string): Refusal {
  return new Refusal('invalid_input', { fields: { [field]: text } });
}
