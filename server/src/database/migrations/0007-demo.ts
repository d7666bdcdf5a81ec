import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The public demo: which event it is now, and its sample photos. */
export function demo(): Migration {
  return {
    async up({ schema }: Kysely<unknown>) {
      await schema
        .alterTable('events')
        .addColumn('demo', 'integer', (c) => c.notNull().defaultTo(0))
        .execute();
      await schema
        .alterTable('photos')
        .addColumn('sample', 'integer', (c) => c.notNull().defaultTo(0))
        .execute();
      await schema
        .createTable('demo')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('code', 'text', (c) => c.notNull())
        .addColumn('password', 'text', (c) => c.notNull())
        .addColumn('event_id', 'text')
        .addColumn('reset_at', 'bigint')
        .execute();
    },
  };
}
