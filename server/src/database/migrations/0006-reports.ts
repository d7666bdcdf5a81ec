import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What people report to the operator. */
export function reports(): Migration {
  return {
    async up({ schema }: Kysely<unknown>) {
      await schema
        .createTable('reports')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('received_at', 'bigint', (c) => c.notNull())
        .addColumn('event', 'text', (c) => c.notNull())
        .addColumn('photo', 'text', (c) => c.notNull())
        .addColumn('reason', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('settled_at', 'bigint')
        .addColumn('settled_by', 'text')
        .execute();
      await schema.createIndex('reports_received').on('reports').column('received_at').execute();
    },
  };
}
