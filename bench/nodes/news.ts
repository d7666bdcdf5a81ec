import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { recordChange } from '../../server/src/database/changes.ts';
import { openDatabase, type Db } from '../../server/src/database/open.ts';
import { runSql } from '../../server/src/database/testing.ts';
import { createLive, type Live } from '../../server/src/features/live/live.ts';
import { createSessions } from '../../server/src/features/sessions/sessions.ts';
import { systemClock } from '../../server/src/lib/clock.ts';
import { createLog } from '../../server/src/lib/log.ts';
import { createVault } from '../../server/src/vault/vault.ts';
import { median } from '../support/median.ts';
import { note, promise, round } from '../support/report.ts';

const WATCHED_EVENTS = 1000;
const PAGES = 10_000;
const NEWS = 400;
/** Two polling intervals (POLL_MS in live.ts). */
const IDLE_MS = 60_000;
/** Time within which PostgreSQL's processes report their counters, 10 s (PGSTAT_IDLE_INTERVAL). */
const COUNTED_MS = 15_000;

/** Measures queries of three idle nodes with many open pages, and news from one node to another, without HTTP. */
export async function benchNews(url: string): Promise<void> {
  const open = (): Promise<Db> => openDatabase({ url, file: '' }, { schema: 'require' });
  const dbs = await Promise.all([open(), open(), open()]);
  const [writer] = dbs;
  await runSql(
    writer,
    `insert into events (id, code, title, subtitle, start_date, end_date, is_active, with_nsfw_check, with_random_slideshow, with_fotobox,
    with_user_upload, with_slideshow, with_videos, with_upload_password, created_at)
    select 'watched-' || n, 'W' || n, '', '', '2026-01-01', '2026-01-01', 0, 0, 0, 0, 0, 0, 0, 0, 0 from generate_series(1, ${WATCHED_EVENTS}) n`,
  );
  const eventOf = (n: number): string => `watched-${1 + (n % WATCHED_EVENTS)}`;
  await runSql(
    writer,
    `insert into sessions (id, token_hash, role, event_id, created_at, last_used_at, expires_at, expires_at_latest)
    select 'page-' || n, decode(md5(n::text), 'hex'), 'user', 'watched-' || (1 + n % ${WATCHED_EVENTS}), 0, 0, 9000000000000, 9000000000000
    from generate_series(0, ${PAGES - 1}) n`,
  );
  const log = createLog('silent');
  const vault = createVault();
  const lives: Live[] = dbs.map((db) => createLive({ db, sessions: createSessions({ db, vault, clock: systemClock }), log }));
  const waits: number[] = [];
  const sentAt = new Map<string, number>();
  let ended = 0;
  for (let n = 0; n < PAGES; n++) {
    const eventId = eventOf(n);
    // One page of each event is timed; its node is not the writer's.
    const timed = n < WATCHED_EVENTS;
    const changed = (changes: unknown[] | null): void => {
      const at = sentAt.get(eventId);
      if (timed && changes?.length && at !== undefined) waits.push(performance.now() - at);
    };
    const live = lives[timed ? 1 : n % 3] as Live;
    live.watch(eventId, { session: `page-${n}`, since: 0, wall: false, changed, ended: () => (ended += 1) });
  }
  await pause(COUNTED_MS);
  const statements = async (): Promise<number> => {
    const rows = await runSql<{ count: number }>(
      writer,
      'select xact_commit as count from pg_stat_database where datname = current_database()',
    );
    return rows[0]?.count ?? 0;
  };
  const before = await statements();
  await pause(IDLE_MS);
  const perSecond = ((await statements()) - before) / (IDLE_MS / 1000);
  for (let n = 0; n < NEWS; n++) {
    const eventId = eventOf(n * 37);
    await writer.transaction((trx) => recordChange(trx, eventId, 'came', randomUUID()).then(() => sentAt.set(eventId, performance.now())));
    await pause(10);
  }
  await pause(1000);
  if (ended > 0) throw new Error(`${ended} pages were ended`);
  for (const live of lives) live.close();
  await Promise.all(dbs.map((db) => db.close()));
  await runSql(await open(), `delete from events where id like 'watched-%'`);
  waits.sort((a, b) => a - b);
  note(`${waits.length} of ${NEWS} changes arrived, median ${round(median(waits))} ms`);
  promise('changes that did not arrive', NEWS - waits.length, '<=', 0);
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? Infinity;
  promise(`a change to a page of another node, p99, ${WATCHED_EVENTS} watched events`, p99, '<=', 300, ' ms');
  promise(`database queries a second of three idle nodes with ${PAGES} open pages`, perSecond, '<=', 50);
}
