import { sql, type RawBuilder } from 'kysely';
import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { latestPurgeDue } from '@feierbild/contract/event-status.ts';
import type { Context } from '../context.ts';

/** Time for which a node that shows the totals keeps doing so after each reading, ms. */
const TOTALS_MS = 90_000;
/** Delay after which a due purge is overdue, ms; purges run every hour. */
const OVERDUE_MS = 3 * 60 * 60 * 1000;

interface Total {
  help: string;
  /** An aggregate over the events that are not purged, or a query of its own. */
  column(now: number): RawBuilder<unknown>;
  /** Converts a column that is no number. */
  value?(column: Uint8Array): number;
}

/** Selects uploads that may continue. */
const open = sql`from uploads where photo_id is null and description is not null`;

/** The database's totals by metric name; no data of single events. Null values are not shown. */
export const TOTALS: Record<string, Total> = {
  events: { help: 'Events that are not purged.', column: () => sql`count(*)` },
  photos: { help: 'Photos of all events.', column: () => sql`coalesce(sum(photo_count), 0)` },
  videos: { help: 'Videos of all events.', column: () => sql`coalesce(sum(video_count), 0)` },
  announced_photos: { help: 'Photos of which only the preview is there.', column: () => sql`coalesce(sum(announced_count), 0)` },
  bytes: { help: 'Bytes of originals of all events.', column: () => sql`coalesce(sum(used_bytes), 0)` },
  open_uploads: {
    help: 'Uploads that are not complete and may go on.',
    column: () => sql`(select count(*) ${open})`,
  },
  open_upload_bytes: {
    help: 'Bytes kept of uploads that are not complete.',
    column: () => sql`(select coalesce(sum(received), 0) ${open})`,
  },
  open_upload_parts: { help: 'Parts that are kept of them.', column: () => sql`(select count(*) from upload_parts)` },
  open_upload_oldest_seconds: {
    help: 'When the one that waits longest had its last byte, Unix time; missing where none is open.',
    column: () => sql`(select (min(expires_at) - ${sql.lit(UPLOAD_KEPT)}) / 1000.0 ${open})`,
  },
  overdue_purges: {
    help: 'Events whose photos should have been deleted hours ago.',
    column: (now) => sql`coalesce(sum(case when end_date <= ${latestPurgeDue(now - OVERDUE_MS)} then 1 else 0 end), 0)`,
  },
  last_backup_seconds: {
    help: 'When the last backup was begun, Unix time.',
    column: () => sql`(select value from settings where name = 'last_backup')`,
    value: (kept) => (JSON.parse(Buffer.from(kept).toString()) as { at: number }).at / 1000,
  },
};
export type Totals = Record<string, number | null>;

/** Returns a function that reads the totals with one query; null if another node shows them. */
export function totalsOf({ db: { kysely, engine }, clock }: Pick<Context, 'db' | 'clock'>, node: string): () => Promise<Totals | null> {
  // The statement also takes or renews the lease for the totals, so that only one of several nodes shows them. Until it expires, only its
  // holder renews it.
  const mine =
    engine === 'sqlite'
      ? sql`mine as (select 1)`
      : sql`at as (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now),
        mine as (insert into leases (name, holder, expires_at) select 'totals', ${node}, now + ${sql.lit(TOTALS_MS)} from at
          on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
          where leases.holder = excluded.holder or leases.expires_at <= (select now from at) returning 1)`;
  return async () => {
    const totals = Object.entries(TOTALS);
    const columns = totals.map(([name, { column }]) => sql`${column(clock.now())} as ${sql.ref(name)}`);
    const { rows } = await sql<Record<string, unknown>>`with ${mine}
      select (select count(*) from mine) as mine, ${sql.join(columns)} from events where purged_at is null`.execute(kysely);
    const row = rows[0];
    if (!row || Number(row.mine) === 0) return null;
    const shown = totals.map(([name, { value = Number }]) => [name, row[name] === null ? null : value(row[name] as Uint8Array)]);
    return Object.fromEntries(shown) as Totals;
  };
}
