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

/** The keys of all accounts by role. */
export const accountKeys = ({ selectFrom }: Pick<ExpressionBuilder<Database, never>, 'selectFrom'>) =>
  selectFrom('admin_keys')
    .select(['admin_id', 'public_key', 'wrapped', sql<AccountRole>`'admin'`.as('role')])
    .unionAll(selectFrom('assistant_keys').select(['admin_id', 'public_key', 'wrapped', sql<AccountRole>`'assistant'`.as('role')]))
    .as('keys');

/** What a password's key is bound to. */
export const ownerOf = (role: AccountRole, id: string): KeyOwner => ({
  kind: role,
  owner: id,
  subject: role === 'admin' ? 'operator' : id,
});

/** An administrator's name as it is stored. */
export function cleanAdminName(name: string): string {
  return name.trim().normalize('NFC');
}

/** The key pairs of administrators and assistants, each wrapped by its account's password. */
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

  /** Keys for a password. */
  async function keysFor(role: AccountRole, adminId: string, password: string) {
    const keys = vault.createKeyPair();
    const wrapped = await vault.wrapWithPassword(keys, password, ownerOf(role, adminId));
    return { keys, row: { admin_id: adminId, public_key: keys.publicKey, wrapped } };
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

  /** The same of an assistant, whose keys lead to no other. Throws login_required where they were replaced since the password opened them. */
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

  return { byName, keysFor, replaceKeys, replaceOwnKeys, replacing };
}
