import { sql } from 'kysely';
import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { latestPurgeDue } from '@feierbild/contract/event-status.ts';
import type { Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';

/** A node that shows the totals goes on with it for this time after each reading, ms. */
const TOTALS_MS = 90_000;
/** A purge that is due is done within the hour; after this time it is overdue, ms. */
const OVERDUE_MS = 3 * 60 * 60 * 1000;

/** Sums for the metrics; no data of single events. */
export interface Totals {
  events: number;
  photos: number;
  videos: number;
  bytes: number;
  open_uploads: number;
  open_upload_bytes: number;
  open_upload_parts: number;
  /** When the open upload that waits longest had its last byte, ms since 1970; null where none is open. */
  open_upload_oldest_at: number | null;
  overdue_purges: number;
  /** When the last backup was begun, ms since 1970; null where none was taken. */
  backup_at: number | null;
  clock_leapt: boolean;
}

export function createMonitoringStore({
  db: { kysely, engine },
  clock,
  node,
}: {
  db: Pick<Db, 'kysely' | 'engine'>;
  clock: Clock;
  node: string;
}) {
  /**
   * Takes or keeps the lease for the totals in the same statement, so that of several nodes one shows them. Renewed by its holder
   * alone until it is over.
   */
  const mine =
    engine === 'sqlite'
      ? sql`mine as (select 1)`
      : sql`at as (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now),
        mine as (insert into leases (name, holder, expires_at) select 'totals', ${node}, now + ${sql.lit(TOTALS_MS)} from at
          on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
          where leases.holder = excluded.holder or leases.expires_at <= (select now from at) returning 1)`;
  return {
    /** One query. Null where another node shows them. */
    async totals(): Promise<Totals | null> {
      const { rows } = await sql<{
        mine: number;
        events: number;
        photos: number | null;
        videos: number | null;
        bytes: number | null;
        open_uploads: number;
        open_upload_bytes: number | null;
        open_upload_parts: number;
        open_upload_first: number | null;
        overdue: number | null;
        backup: Uint8Array | null;
        refused_at: number | null;
      }>`with ${mine} select
          (select count(*) from mine) as mine,
          count(*) as events, sum(photo_count) as photos, sum(video_count) as videos, sum(used_bytes) as bytes,
          sum(case when end_date <= ${latestPurgeDue(clock.now() - OVERDUE_MS)} then 1 else 0 end) as overdue,
          (select count(*) from uploads where photo_id is null) as open_uploads,
          (select sum(received) from uploads where photo_id is null) as open_upload_bytes,
          (select count(*) from upload_parts) as open_upload_parts,
          (select min(expires_at) from uploads where photo_id is null) as open_upload_first,
          (select value from settings where name = 'last_backup') as backup,
          (select refused_at from clock where id = 1) as refused_at
        from events where purged_at is null`.execute(kysely);
      const row = rows[0];
      if (!row || Number(row.mine) === 0) return null;
      return {
        events: Number(row.events),
        photos: Number(row.photos ?? 0),
        videos: Number(row.videos ?? 0),
        bytes: Number(row.bytes ?? 0),
        open_uploads: Number(row.open_uploads),
        open_upload_bytes: Number(row.open_upload_bytes ?? 0),
        open_upload_parts: Number(row.open_upload_parts),
        open_upload_oldest_at: row.open_upload_first === null ? null : Number(row.open_upload_first) - UPLOAD_KEPT,
        overdue_purges: Number(row.overdue ?? 0),
        backup_at: row.backup && (JSON.parse(Buffer.from(row.backup).toString()) as { at: number }).at,
        clock_leapt: row.refused_at !== null,
      };
    },
  };
}
