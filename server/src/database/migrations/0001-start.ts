import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Everything of schema.ts. Both engines: bytes are blob or bytea, instants and sizes bigint, flags integer. */
export function start(engine: 'sqlite' | 'postgres'): Migration {
  const bytes = sql.raw(engine === 'sqlite' ? 'blob' : 'bytea');
  return {
    async up(db: Kysely<unknown>) {
      const { schema } = db;
      await schema
        .createTable('operator_keys')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('public_key', bytes, (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await schema
        .createTable('admins')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('username', 'text', (c) => c.notNull().unique())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('password_changed_at', 'bigint')
        .execute();
      await schema
        .createTable('admin_keys')
        .addColumn('admin_id', 'text', (c) => c.primaryKey().references('admins.id').onDelete('cascade'))
        .addColumn('wrapped', bytes, (c) => c.notNull())
        .execute();

      let events = schema
        .createTable('events')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('code', 'text', (c) => c.notNull().unique())
        .addColumn('title', 'text', (c) => c.notNull())
        .addColumn('subtitle', 'text', (c) => c.notNull())
        .addColumn('start_date', 'text', (c) => c.notNull())
        .addColumn('end_date', 'text', (c) => c.notNull());
      for (const flag of [
        'is_active',
        'with_nsfw_check',
        'with_random_slideshow',
        'with_fotobox',
        'with_user_upload',
        'with_slideshow',
        'with_videos',
        'with_upload_password',
      ] as const) {
        events = events.addColumn(flag, 'integer', (c) => c.notNull()) as typeof events;
      }
      await events
        .addColumn('storage_limit', 'bigint')
        .addColumn('used_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
        .addColumn('photo_count', 'integer', (c) => c.notNull().defaultTo(0))
        .addColumn('device_count', 'integer', (c) => c.notNull().defaultTo(0))
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('purging_at', 'bigint')
        .addColumn('purged_at', 'bigint')
        .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
        .execute();
      await schema
        .createTable('event_keys')
        .addColumn('event_id', 'text', (c) => c.primaryKey().references('events.id').onDelete('cascade'))
        .addColumn('public_key', bytes, (c) => c.notNull())
        .addColumn('sealed_for_operator', bytes, (c) => c.notNull())
        .execute();
      await schema
        .createTable('event_passwords')
        .addColumn('event_id', 'text', (c) => c.notNull().references('events.id').onDelete('cascade'))
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('verifier', 'text', (c) => c.notNull())
        .addColumn('sealed', bytes, (c) => c.notNull())
        .addPrimaryKeyConstraint('event_passwords_key', ['event_id', 'kind'])
        .execute();

      await schema
        .createTable('hosts')
        .addColumn('event_id', 'text', (c) => c.primaryKey().references('events.id').onDelete('cascade'))
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('reset_at', 'bigint')
        .addColumn('reset_seen_at', 'bigint')
        .execute();
      await schema
        .createTable('host_keys')
        .addColumn('event_id', 'text', (c) => c.primaryKey().references('events.id').onDelete('cascade'))
        .addColumn('wrapped', bytes, (c) => c.notNull())
        .execute();

      await schema
        .createTable('sessions')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('token_hash', bytes, (c) => c.notNull().unique())
        .addColumn('role', 'text', (c) => c.notNull())
        .addColumn('event_id', 'text', (c) => c.references('events.id').onDelete('cascade'))
        .addColumn('admin_id', 'text', (c) => c.references('admins.id').onDelete('cascade'))
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('last_used_at', 'bigint', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .addColumn('expires_at_latest', 'bigint', (c) => c.notNull())
        .execute();
      await schema.createIndex('sessions_event').on('sessions').column('event_id').execute();
      await schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute();
      await schema
        .createTable('session_keys')
        .addColumn('session_id', 'text', (c) => c.primaryKey().references('sessions.id').onDelete('cascade'))
        .addColumn('wrapped', bytes, (c) => c.notNull())
        .execute();

      await schema
        .createTable('devices')
        .addColumn('event_id', 'text', (c) => c.notNull().references('events.id').onDelete('cascade'))
        .addColumn('device_hash', bytes, (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('first_seen_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('devices_key', ['event_id', 'device_hash'])
        .execute();
      await schema
        .createTable('photos')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('event_id', 'text', (c) => c.notNull().references('events.id').onDelete('cascade'))
        .addColumn('device_hash', bytes, (c) => c.notNull())
        .addColumn('device_name', 'text', (c) => c.notNull())
        .addColumn('filename', 'text', (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('size', 'bigint', (c) => c.notNull())
        .addColumn('width', 'integer', (c) => c.notNull())
        .addColumn('height', 'integer', (c) => c.notNull())
        .addColumn('thumbnail_type', 'text', (c) => c.notNull())
        .addColumn('thumbnail_size', 'integer', (c) => c.notNull())
        .addColumn('preview_type', 'text')
        .addColumn('preview_size', 'integer')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('taken_at', 'text')
        .addColumn('slideshow', 'integer', (c) => c.notNull())
        .addColumn('fingerprint', bytes, (c) => c.notNull())
        .execute();
      await schema.createIndex('photos_order').on('photos').columns(['event_id', 'created_at', 'id']).execute();
      await schema.createIndex('photos_fingerprint').unique().on('photos').columns(['event_id', 'fingerprint']).execute();
      await schema.createIndex('photos_device').on('photos').columns(['event_id', 'device_hash', 'id']).execute();
      await schema
        .createTable('photo_keys')
        .addColumn('photo_id', 'text', (c) => c.primaryKey().references('photos.id').onDelete('cascade'))
        .addColumn('event_id', 'text', (c) => c.notNull())
        .addColumn('sealed_for_event', bytes, (c) => c.notNull())
        .addColumn('wrapped_for_device', bytes, (c) => c.notNull())
        .addColumn('facts', bytes, (c) => c.notNull())
        .execute();
      await schema.createIndex('photo_keys_event').on('photo_keys').column('event_id').execute();

      await schema
        .createTable('archives')
        .addColumn('event_id', 'text', (c) => c.primaryKey().references('events.id').onDelete('cascade'))
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('progress', 'integer', (c) => c.notNull())
        .addColumn('started_at', 'bigint', (c) => c.notNull())
        .addColumn('finished_at', 'bigint')
        .addColumn('etag', 'text')
        .addColumn('size', 'bigint')
        .addColumn('photo_count', 'integer', (c) => c.notNull())
        .addColumn('manifest', bytes)
        .execute();

      await schema
        .createTable('failures')
        .addColumn('bucket', 'text', (c) => c.primaryKey())
        .addColumn('window_start', 'bigint', (c) => c.notNull())
        .addColumn('count', 'integer', (c) => c.notNull())
        .execute();
      await schema.createIndex('failures_window').on('failures').column('window_start').execute();
      await schema
        .createTable('leases')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('holder', 'text', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await schema
        .createTable('audit')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('actor', 'text', (c) => c.notNull())
        .addColumn('action', 'text', (c) => c.notNull())
        .addColumn('event_id', 'text')
        .addColumn('event_code', 'text')
        .addColumn('address', 'text')
        .execute();
      await schema.createIndex('audit_at').on('audit').column('at').execute();
    },
  };
}
