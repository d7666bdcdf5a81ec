import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Chosen photos on their way into a ZIP; they end with the session that chose them. */
export function selections(engine: 'sqlite' | 'postgres'): Migration {
  const bytes = sql.raw(engine === 'sqlite' ? 'blob' : 'bytea');
  return {
    async up({ schema }: Kysely<unknown>) {
      await schema
        .createTable('selections')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('event_id', 'text', (c) => c.notNull().references('events.id').onDelete('cascade'))
        .addColumn('session_id', 'text', (c) => c.notNull().references('sessions.id').onDelete('cascade'))
        .addColumn('etag', 'text', (c) => c.notNull())
        .addColumn('manifest', bytes, (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await schema.createIndex('selections_session').on('selections').columns(['session_id', 'created_at']).execute();
      await schema.createIndex('selections_expiry').on('selections').column('expires_at').execute();
    },
  };
}
