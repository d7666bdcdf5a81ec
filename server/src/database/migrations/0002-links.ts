import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Temporary links. The key goes with its photo; the row stays, so that an ended link can be told from one that never was. */
export function links(engine: 'sqlite' | 'postgres'): Migration {
  const bytes = sql.raw(engine === 'sqlite' ? 'blob' : 'bytea');
  return {
    async up({ schema }: Kysely<unknown>) {
      await schema
        .createTable('links')
        .addColumn('token_hash', bytes, (c) => c.primaryKey())
        .addColumn('event_id', 'text', (c) => c.notNull())
        .addColumn('photo_id', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await schema.createIndex('links_expiry').on('links').column('expires_at').execute();
      await schema
        .createTable('link_keys')
        .addColumn('token_hash', bytes, (c) => c.primaryKey().references('links.token_hash').onDelete('cascade'))
        .addColumn('photo_id', 'text', (c) => c.notNull().references('photos.id').onDelete('cascade'))
        .addColumn('wrapped', bytes, (c) => c.notNull())
        .execute();
      await schema.createIndex('link_keys_photo').on('link_keys').column('photo_id').execute();
    },
  };
}
