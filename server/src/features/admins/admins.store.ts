import type { Db, Trx } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';

export type AdminRow = Database['admins'];

/** The rows of administrators, their keys and the recovery code. */
export function createAdminsStore(db: Db) {
  // SQLite has no row locks and needs none: its transactions run one after another.
  const locking = db.engine === 'postgres';

  return {
    byName: (username: string) =>
      db.kysely
        .selectFrom('admins')
        .innerJoin('admin_keys', 'admin_keys.admin_id', 'admins.id')
        .select(['admins.id', 'admins.username', 'admin_keys.wrapped', 'admin_keys.public_key'])
        .where('admins.username', '=', username)
        .executeTakeFirst(),

    /** Whether the admin's key is still `wrapped`, so that the password has not changed. Locks it: a change waits. */
    hold: async (trx: Trx, adminId: string, wrapped: Bytes): Promise<boolean> => {
      const query = trx.selectFrom('admin_keys').select('admin_id').where('admin_id', '=', adminId).where('wrapped', '=', wrapped);
      return (await query.$if(locking, (q) => q.forShare()).executeTakeFirst()) !== undefined;
    },

    all: (): Promise<AdminRow[]> => db.kysely.selectFrom('admins').selectAll().orderBy('created_at').orderBy('id').execute(),

    insert: async (trx: Trx, admin: AdminRow, keys: Database['admin_keys']): Promise<void> => {
      await trx.insertInto('admins').values(admin).execute();
      await trx.insertInto('admin_keys').values(keys).execute();
    },
    /** False if there is none. Also deletes keys and sessions. */
    remove: async (trx: Trx, adminId: string): Promise<boolean> =>
      (await trx.deleteFrom('admins').where('id', '=', adminId).executeTakeFirst()).numDeletedRows > 0n,

    /** Stores the keys for a new password; the following renewal seals the operator's key to them. */
    replaceKeys: async (trx: Trx, keys: Omit<Database['admin_keys'], 'sealed_operator_key'>, now: number): Promise<void> => {
      const { admin_id, ...columns } = keys;
      const { numUpdatedRows } = await trx.updateTable('admin_keys').set(columns).where('admin_id', '=', admin_id).executeTakeFirst();
      if (numUpdatedRows === 0n) throw new Refusal('admin_not_found');
      await trx.updateTable('admins').set({ password_changed_at: now }).where('id', '=', admin_id).execute();
    },

    recovery: () => db.kysely.selectFrom('recovery_keys').selectAll().where('id', '=', 1).executeTakeFirst(),
    setRecovery: async (trx: Trx, row: Database['recovery_keys']): Promise<void> => {
      await trx.deleteFrom('recovery_keys').execute();
      await trx.insertInto('recovery_keys').values(row).execute();
    },
    /** Removes the row and returns it: a code can be used only once. */
    takeRecovery: (trx: Trx) => trx.deleteFrom('recovery_keys').returningAll().executeTakeFirst(),
  };
}
