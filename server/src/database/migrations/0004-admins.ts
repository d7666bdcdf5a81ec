import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Each administrator has a key pair, to which the operator's private key is sealed: so it can be renewed by one of them without
 * the others' passwords. Where it is not sealed yet, the pair that the password opens is the operator's own.
 */
export function admins(engine: 'sqlite' | 'postgres'): Migration {
  const bytes = sql.raw(engine === 'sqlite' ? 'blob' : 'bytea');
  const empty = sql.raw(engine === 'sqlite' ? "x''" : "''::bytea");
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('admin_keys')
        .addColumn('public_key', bytes, (c) => c.notNull().defaultTo(empty))
        .execute();
      await db.schema.alterTable('admin_keys').addColumn('sealed_operator_key', bytes).execute();
      await sql`update admin_keys set public_key = (select public_key from operator_keys where id = 1)`.execute(db);
      await db.schema
        .createTable('recovery_keys')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('public_key', bytes, (c) => c.notNull())
        .addColumn('wrapped', bytes, (c) => c.notNull())
        .addColumn('sealed_operator_key', bytes, (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
    },
  };
}
