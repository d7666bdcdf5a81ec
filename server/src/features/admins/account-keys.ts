import type { AccountRole } from '@feierbild/contract/calls/accounts.ts';
import { sql, type ExpressionBuilder } from 'kysely';
import type { Trx } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import type { KeyOwner } from '../../vault/vault.ts';
import type { LoginDeps } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';

export type AccountKeys = ReturnType<typeof createAccountKeys>;

/** Selects the keys of all accounts with their roles. */
export const accountKeys = ({ selectFrom }: Pick<ExpressionBuilder<Database, never>, 'selectFrom'>) =>
  selectFrom('admin_keys')
    .select(['admin_id', 'public_key', 'wrapped', sql<AccountRole>`'admin'`.as('role')])
    .unionAll(selectFrom('assistant_keys').select(['admin_id', 'public_key', 'wrapped', sql<AccountRole>`'assistant'`.as('role')]))
    .as('keys');

/** Returns the owner to whom the vault binds a wrapped key. */
export const ownerOf = (role: AccountRole, id: string): KeyOwner => ({
  kind: role,
  owner: id,
  subject: role === 'admin' ? 'operator' : id,
});

/** Normalises an administrator's name to its stored form. */
export function cleanAdminName(name: string): string {
  return name.trim().normalize('NFC');
}

/** Creates the key pairs of administrators and assistants, each wrapped by its account's password. */
export function createAccountKeys({
  db,
  vault,
  clock,
  sessions,
  operatorKeys,
  log,
}: Pick<LoginDeps, 'db' | 'vault' | 'clock' | 'sessions' | 'operatorKeys'> & Pick<Context, 'log'>) {
  const byName = (username: string) =>
    db.kysely
      .selectFrom('admins')
      .innerJoin(accountKeys, 'keys.admin_id', 'admins.id')
      .select(['admins.id', 'admins.username', 'keys.role', 'keys.wrapped', 'keys.public_key'])
      .where('admins.username', '=', username)
      .executeTakeFirst();

  /** Creates a key pair and wraps it with the password. */
  async function keysFor(role: AccountRole, adminId: string, password: string) {
    const keys = vault.createKeyPair();
    const wrapped = await vault.wrapWithPassword(keys, password, ownerOf(role, adminId));
    return { keys, row: { admin_id: adminId, public_key: keys.publicKey, wrapped } };
  }

  /**
   * Stores the keys of an administrator's new password, renews the operator's key pair, which the old keys opened, and ends the account's
   * sessions.
   */
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

  /**
   * Stores the keys of an assistant's new password, which open no other key, and ends the assistant's sessions. Throws Refusal
   * `login_required` where the keys changed since the password opened them.
   */
  async function replaceOwnKeys(trx: Trx, { admin_id, ...columns }: Database['assistant_keys'], before: Bytes): Promise<void> {
    const own = trx.updateTable('assistant_keys').set(columns).where('admin_id', '=', admin_id).where('wrapped', '=', before);
    if ((await own.executeTakeFirst()).numUpdatedRows === 0n) throw new Refusal('login_required');
    await endSessions(trx, admin_id);
  }

  /** Ends the sessions of the earlier password. */
  async function endSessions(trx: Trx, id: string): Promise<void> {
    await trx.updateTable('admins').set({ password_changed_at: clock.now() }).where('id', '=', id).execute();
    await sessions.endOfAdmin(id, trx);
  }

  /**
   * Runs a transaction that replaces keys, then wipes the old keys' bytes from the database's files. If a reader blocks the wiping, the
   * hourly run or, after a crash, the next start does it.
   */
  async function replacing<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    const result = await db.transaction(work);
    await db.wipe().catch((error: unknown) => log.error({ err: error }, 'old keys were not wiped yet'));
    return result;
  }

  return { byName, keysFor, replaceKeys, replaceOwnKeys, replacing };
}
