import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  'alter table events add column originals_seq bigint not null default 0',
  'alter table events add column zip_seq bigint not null default 0',
  'alter table archives add column seq bigint not null default 0',
  'update events set originals_seq = change_seq',
  // No photo of a ZIP is deleted without the ZIP: of as many photos as there are, it has all.
  `update archives set seq = (select change_seq from events where events.id = archives.event_id) where status = 'complete'
    and photo_count = (select count(*) from photos where photos.event_id = archives.event_id and state in ('received', 'stored'))`,
  // Of the ZIP that was downloaded only the time is known: it may have been another than the one that is there, which was not downloaded whole.
  `update events set zip_seq = change_seq where zip_downloaded_at is not null
    and not exists (select 1 from photos where photos.event_id = events.id and photos.created_at >= zip_downloaded_at)
    and not exists (select 1 from archives where archives.event_id = events.id and status = 'complete'
      and (seq < change_seq or downloaded_bytes < size))`,
];

/** Which originals the ZIP that a host has downloaded contains: all that came by a change up to a number. */
export const zipCoverage: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
