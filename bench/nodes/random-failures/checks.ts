import { join } from 'node:path';
import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { cli } from '../../../e2e/support/cli.ts';
import { sha256 } from '../../../e2e/support/sha256.ts';
import { TABLES } from '../../../server/src/database/tables.ts';
import { runSql } from '../../../server/src/database/testing.ts';
import { createJanitor } from '../../../server/src/features/integrity/janitor.ts';
import { systemClock } from '../../../server/src/lib/clock.ts';
import { blobsOf, EVENTS_PREFIX, eventPrefix, partBlob, type BlobStore } from '../../../server/src/storage/blob-store.ts';
import { note } from '../../support/report.ts';
import { jsonOf } from './ask.ts';
import type { HostedEvent } from './events.ts';
import { listGallery } from './hosts.ts';
import type { System } from './system.ts';
import { askUntilAnswered, type ClientContext } from './clients.ts';
import { downloadZip } from './zips.ts';

const READERS = 4;
const WAIT_MS = 60_000;

/** Waits for a condition; false: it did not come true in time. */
export async function comes(what: () => boolean | Promise<boolean>, ms = WAIT_MS): Promise<boolean> {
  for (const until = performance.now() + ms; performance.now() < until; await pause(200)) if (await what()) return true;
  return false;
}

/** Checks that each acknowledged photo is stored once, byte for byte, and no deleted one: singly, in the ZIP, and in the counters. */
export async function checkPhotos(
  context: ClientContext,
  { cluster }: System,
  event: HostedEvent,
  cookie: string,
  folder: string,
): Promise<void> {
  const { ask, ledger, findings } = context;
  const due = new Map(
    ledger
      .acknowledged(event.id)
      .filter(({ deletion }) => deletion === 'none')
      .map((sent) => [sent.sha, sent]),
  );
  const ids = await listGallery(context, event, { cookie });
  if (!ids) return findings.add('the gallery cannot be read');
  const stored = new Map<string, string>();
  const queue = [...ids];
  const reader = async (): Promise<void> => {
    for (let id = queue.pop(); id; id = queue.pop()) {
      const answer = await askUntilAnswered(ask, { kind: 'GET download', path: `/api/photos/${id}/download`, headers: { cookie } });
      const sha = sha256(answer.body);
      const twin = stored.get(sha);
      if (twin) findings.add(`${id} and ${twin} are the same photo`);
      stored.set(sha, id);
      const sent = ledger.bySha(sha);
      if (!sent) findings.add(`${id} holds what nobody sent`);
      else if (sent.id !== id) findings.add(`${id} was acknowledged as ${sent.id}`);
      else if (sent.deletion !== 'none') findings.add(`${id} was deleted, and is there`);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  for (const [sha, { id }] of due) if (stored.get(sha) !== id) findings.add(`the acknowledged photo ${id} is lost`);

  const zip = await downloadZip(context, event, cookie, join(folder, 'after.zip'), () => true).catch((error: Error) => {
    findings.add(error.message);
    return null;
  });
  if (!zip) findings.add('the ZIP cannot be had');
  else if (zip.toSorted().join() !== [...due.keys()].toSorted().join())
    findings.add(`the ZIP holds ${zip.length} photos instead of ${due.size}, or others`);

  const [row] = await runSql<{ used: number; most: number | null; photos: number; bytes: number; count: number }>(
    cluster.db,
    `select used_bytes as used, storage_limit as most, photo_count as photos, (select coalesce(sum(size), 0) from photos where event_id = events.id) as bytes,
      (select count(*) from photos where event_id = events.id) as count from events where id = '${event.id}'`,
  );
  const bytes = [...due.values()].reduce((sum, { size }) => sum + size, 0);
  const stats = jsonOf<{ total_photos: number }>(
    await ask({ kind: 'GET stats', path: `/api/events/${event.code}/stats`, headers: { cookie } }),
  );
  const counts = [row?.photos, row?.count, stats.total_photos];
  if (counts.some((count) => count !== due.size)) findings.add(`${counts.join(', ')} photos are counted, ${due.size} are right`);
  if (row?.used !== bytes || row.bytes !== bytes) findings.add(`${row?.used} and ${row?.bytes} bytes are counted, ${bytes} are right`);
  if (row && row.most !== null && row.used > row.most) findings.add(`${row.used} bytes are over the limit of ${row.most}`);
  note(`${event.code}: ${due.size} photos of ${(bytes / 1e6).toFixed(0)} MB, ${ledger.acknowledged(event.id).length} acknowledged`);
}

/** Checks that retention and janitor leave nothing of abandoned uploads, purged events and outages. */
export async function checkStores(
  { findings }: ClientContext,
  { cluster, nodes }: System,
  blobs: BlobStore,
  events: HostedEvent[],
  ended: Set<string>,
): Promise<void> {
  const { db } = cluster;
  const [first] = nodes;
  if (!first) return;
  const env = cluster.settingsOf('cli');
  const command = async (args: string[], lines: string[] = []): Promise<void> => {
    const { code, stdout, stderr } = await cli(first.server, args, lines, env);
    if (code !== 0) findings.add(`${args.join(' ')} ended with ${code}: ${stdout} ${stderr}`);
  };
  await runSql(db, `update uploads set expires_at = 1 where photo_id is null`);
  await command(['maintain']);
  const [open] = await runSql<{ count: number }>(db, 'select count(*) as count from uploads where photo_id is null');
  if (open?.count !== 0) findings.add(`${open?.count} expired uploads are left`);

  const before = await unnamed(cluster, blobs);
  const noted = new Set((await runSql<{ key: string }>(db, 'select key from orphans')).map(({ key }) => key));
  const ofEnded = before.filter((key) => [...ended].some((id) => key.startsWith(eventPrefix(id))));
  note(
    `${before.length} blobs without a row, of which ${before.filter((key) => noted.has(key)).length} are written down and ${ofEnded.length} of ended events`,
  );
  await createJanitor({ db, blobs, clock: systemClock }).sweep({ graceMs: 0 });
  for (const key of await unnamed(cluster, blobs)) findings.add(`${key} is left without a row`);
  for (const { code, password } of events) await command(['verify', '--event', code], [password]);

  for (const id of ended) await checkEnded(cluster, blobs, id, findings.add);
  for (const { name, server } of nodes) {
    const staged = async (): Promise<string[]> => await readdir(join(server.dataDir, 'staging'));
    if (!(await comes(async () => (await staged()).length === 0, 10_000)))
      findings.add(`${name} has ${(await staged()).length} files in its staging`);
  }
}

async function unnamed({ db }: System['cluster'], blobs: BlobStore): Promise<string[]> {
  const named = new Set<string>();
  for (const row of await db.kysely.selectFrom('photos').selectAll().execute()) for (const { key } of blobsOf(row)) named.add(key);
  const parts = db.kysely.selectFrom('upload_parts').innerJoin('uploads', 'uploads.id', 'upload_id').select(['event_id', 'upload_id', 'n']);
  for (const { event_id, upload_id, n } of await parts.execute()) named.add(partBlob(event_id, upload_id, n));
  const left: string[] = [];
  for await (const { key } of blobs.list(EVENTS_PREFIX)) if (!named.has(key)) left.push(key);
  return left;
}

async function checkEnded({ db }: System['cluster'], blobs: BlobStore, id: string, add: (text: string) => void): Promise<void> {
  for (const [name, { event, purged }] of Object.entries(TABLES)) {
    // Uploads are deleted with their photos; changes stay for an hour, for pages that are still connected.
    if (event === null || (purged === null && name !== 'uploads') || name === 'changes') continue;
    const [row] = await runSql<{ count: number }>(db, `select count(*) as count from ${name} where ${event} = '${id}'`);
    if (row?.count !== 0) add(`${row?.count} rows of the ended event ${id} are left in ${name}`);
  }
  const [row] = await runSql<{ purged: number | null }>(db, `select purged_at as purged from events where id = '${id}'`);
  if (row && row.purged === null) add(`the ended event ${id} is not purged`);
  for await (const { key } of blobs.list(eventPrefix(id))) add(`${key} of an ended event is left`);
}

/** Errors that say that the database or the store did not answer (lib/errors.ts, database/errors.ts). A fault explains each of them. */
const OUTAGES = ['Unavailable', 'OutcomeUnknown'];
/** Lines of nodes' logs that a fault or a start explains, whatever their error. */
const EXPLAINED = [
  /^(Hinweis|Feierbild läuft|Feierbild is running): /,
  // A start fails with 75 while the database or the store is away; a store that can only be read is reported.
  /^DATABASE_URL: Die Datenbank lässt sich nicht öffnen/,
  /^STORAGE_URL: Der Fotospeicher (antwortet nicht|lehnt ab: HTTP 503)/,
  /^the photo store can be read, and takes nothing$/,
  /^outage (began|ended)$/,
  /^sent away for a while$/,
  /^not ready$/,
  /^(changes|settings|the outbox) could not be read$/,
  /^photos could not be released$/,
  /^webhooks were not looked for$/,
  /^answer broken off$/,
  // The receiver, the mail server and killed nodes cause these.
  /^not delivered( yet)?$/,
  /^an attempt at a delivery failed$/,
  /^an original was not stored at once$/,
  /^(retention|demo) failed$/,
  /^a (preview|blob|ZIP|failed ZIP|part of a download|sent answer|mail) was not (made|removed|noted|stored|written)$/,
];

interface LogLine {
  text: string;
  /** Type of the line's error; undefined: it has none. */
  error?: string | undefined;
}

/** Prints the logs' lines by kind; lines that no fault explains are findings. */
export function checkLogs({ findings }: ClientContext, { nodes }: System): void {
  const times = new Map<string, number>();
  const unexplained = new Map<string, string>();
  for (const { server } of nodes) {
    for (const raw of server.output().split('\n')) {
      if (raw.trim() === '') continue;
      const { text, error } = parseLine(raw);
      times.set(text, (times.get(text) ?? 0) + 1);
      if (!OUTAGES.includes(error ?? '') && !EXPLAINED.some((pattern) => pattern.test(text))) unexplained.set(text, raw);
    }
  }
  for (const [text, count] of times) note(`log: ${count} × ${text}`);
  for (const [text, example] of unexplained) findings.add(`in a log: ${text}: ${example.slice(0, 1500)}`);
}

function parseLine(raw: string): LogLine {
  try {
    const { msg = raw, err } = JSON.parse(raw) as { msg?: string; err?: { type?: string } };
    return { text: msg, error: err?.type };
  } catch {
    return { text: raw };
  }
}
