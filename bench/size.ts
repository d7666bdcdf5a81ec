import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../e2e/support/api.ts';
import { startServer } from '../e2e/support/server.ts';
import { missingForCluster } from '../e2e/support/cluster.ts';
import { exercise } from './size/exercise.ts';
import { EVENTS, PHOTOS } from './size/fill.ts';
import { startGeneratedStore, type GeneratedStore } from './size/generated-store.ts';
import { benchLargeEvents } from './size/large-event.ts';
import { nodeOn, openTestDatabases, type TestDatabases, type TestDatabase } from './size/databases.ts';
import { readPlans, writePlans } from './size/plans.ts';
import { work } from './size/work.ts';
import { median } from './support/median.ts';
import { note, promise, round } from './support/report.ts';

const WARM_UP = 40;
const ASKED = 400;
const STARTS = 7;
const SWEPT_MS = 60_000;
const PER_PAGE = 100;

const PARTS: Record<string, (databases: TestDatabases, folder: string) => Promise<void>> = {
  answers: benchAnswers,
  start: ({ few, many }) => withStore((store, settings) => benchStarts({ few, many }, store, settings)),
  sweep: ({ many }) => withStore((store) => benchSweep(many, store)),
  plans: benchPlans,
  event: ({ few, createDatabase }, folder) => benchLargeEvents(few.url, createDatabase, folder),
};

/**
 * Compares a database of 10,000,000 photos with one of a two-thousandth: answers, a node's start, plans of all statements, the sweep and
 * the purge of a large event. Takes some 40 minutes and 20 GB; `BENCH_FOLDER=/tmp/size` keeps the databases for the next run,
 * `BENCH_PARTS=answers,start` runs the named parts alone.
 */
export async function benchSize(): Promise<void> {
  if (missingForCluster.includes('PostgreSQL')) return note('skipped: PostgreSQL missing');
  const kept = process.env.BENCH_FOLDER;
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'feierbild-size-')));
  const named = process.env.BENCH_PARTS?.split(',') ?? Object.keys(PARTS);
  const databases = await openTestDatabases(folder);
  try {
    for (const [name, part] of Object.entries(PARTS)) if (named.includes(name)) await part(databases, folder);
  } finally {
    await databases.stop();
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Asks both databases in turn, and the small one twice: the difference of its own answers is the noise. */
async function benchAnswers({ few, many }: TestDatabases): Promise<void> {
  const [small, large] = [await nodeOn(few), await nodeOn(many)];
  try {
    for (const [name, path] of [
      ['a page of the gallery', (n: number) => `photos?after=${(n * 617) % (PHOTOS - PER_PAGE)}&per_page=${PER_PAGE}`],
      ['a ZIP’s first byte', () => 'download'],
    ] as const) {
      const peers = [
        { of: few, host: small.host, times: [] as number[] },
        { of: many, host: large.host, times: [] as number[] },
        { of: few, host: small.host, times: [] as number[] },
      ];
      for (let n = -WARM_UP; n < ASKED; n++) {
        for (let at = 0; at < peers.length; at++) {
          const { of, host, times } = peers[(n + WARM_UP + at) % peers.length] as (typeof peers)[number];
          const ms = await firstByteMs(host, of, path(n + WARM_UP));
          if (n >= 0) times.push(ms);
        }
      }
      const [a = 0, b = 0, again = 0] = peers.map(({ times }) => median(times));
      note(`${name}: ${round(a)} ms (and ${round(again)} ms) in a database of ${PHOTOS} photos, ${round(b)} ms of ${PHOTOS * EVENTS}`);
      promise(`${name} among ${PHOTOS * EVENTS} photos / among ${PHOTOS}`, (2 * b) / (a + again), '<=', 1.5);
    }
  } finally {
    await small.node.stop();
    await large.node.stop();
  }
}

async function firstByteMs(host: Client, { event }: TestDatabase, path: string): Promise<number> {
  const began = performance.now();
  const answer = await host.request(`/api/events/${event.code}/${path}`);
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  const reader = answer.body?.getReader();
  await reader?.read();
  const ms = performance.now() - began;
  while (!(await reader?.read())?.done);
  return ms;
}

/** Runs a part with a store that has as many blobs as the large database has photos. */
async function withStore(part: (store: GeneratedStore, settings: Record<string, string>) => Promise<void>): Promise<void> {
  const store = await startGeneratedStore();
  try {
    await part(store, { STORAGE_URL: store.url, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' });
  } finally {
    await store.stop();
  }
}

async function benchStarts(
  databases: Pick<TestDatabases, 'few' | 'many'>,
  store: GeneratedStore,
  settings: Record<string, string>,
): Promise<void> {
  const times = { few: [] as number[], many: [] as number[] };
  for (let n = 0; n < STARTS; n++) {
    for (const name of n % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const)) {
      const began = performance.now();
      const node = await startServer({ ...databases[name].settings, ...settings });
      times[name].push(performance.now() - began);
      await node.stop();
    }
  }
  note(`start of a node until it is ready: ${round(median(times.few))} ms on a database of ${PHOTOS} photos`);
  promise(`the same on ${PHOTOS * EVENTS}, with ${store.objects} blobs in the store`, median(times.many), '<=', 2000, ' ms');
  promise('lists of the store that these starts asked for', store.calls.list, '<=', 0);
}

/** Measures the nightly sweep, for a short and a longer time: the listed blobs must not stay in memory. */
async function benchSweep({ url }: TestDatabase, store: GeneratedStore): Promise<void> {
  const short = await work('sweep', { url, store: store.url, partMs: SWEPT_MS / 4, again: true });
  const before = store.calls.list;
  const swept = await work('sweep', { url, store: store.url, partMs: SWEPT_MS, again: true });
  const listed = (store.calls.list - before) * 1000;
  note(
    `a sweep of ${round(swept.ms / 1000)} s looked at ${listed} of ${store.objects} blobs: ${round(listed / (swept.ms / 1000))} a second`,
  );
  promise('blobs that it removed', short.removed + swept.removed + store.calls.delete, '<=', 0);
  promise(`its peak of memory / that of a quarter of the time (${round(short.peakMb)} MB)`, swept.peakMb / short.peakMb, '<=', 1.2);
}

async function benchPlans({ many, log }: TestDatabases): Promise<void> {
  log.length = 0;
  await writePlans(many.url, true);
  const retentionMs = await exercise(many).finally(() => writePlans(many.url, false));
  const { statements, findings } = readPlans(log);
  for (const { statement, what } of findings) note(`${what}: ${statement.slice(0, 300)}`);
  note(`${statements.size} different statements, ${[...statements.values()].reduce((sum, count) => sum + count, 0)} runs`);
  promise('statements that read a large table without an index, or sort it', findings.length, '<=', 0);
  note(`a run of the retention after the busiest hour: ${round(retentionMs / 1000)} s`);
}
