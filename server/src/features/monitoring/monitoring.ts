import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ClockGuard } from '../../database/clock-guard.ts';
import { NotAPhoto, type Decoder } from '../../images/decoder.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { Context } from '../context.ts';
import type { Live } from '../live/live.ts';
import type { Retention } from '../retention/retention.ts';
import type { StoredUpload, Uploads } from '../uploads/uploads.ts';
import { TOTALS, totalsOf, type Totals } from './monitoring.store.ts';

/** Time within which gauges share one reading, ms. */
const SAME_SCRAPE_MS = 500;
/** Shortest time between two checks of a store that did not answer, ms. */
const CHECK_MS = 60_000;

interface Watched extends Pick<Context, 'db' | 'vault' | 'clock'> {
  uploads: Pick<Uploads, 'waiting'>;
  /** Waiting jobs and resident bytes by kind of decoder process. */
  pools: { isolationFault: object | null; waiting(): Record<string, number>; memory(): Record<string, number> };
  retention: Pick<Retention, 'lastSuccess'>;
  clockGuard: Pick<ClockGuard, 'check'>;
  live: Pick<Live, 'watchers'>;
  store: { up(): boolean };
  installation: { freeBytes(): Promise<number> };
  /** This node's name. */
  node: string;
}

/** Returns the options that all our metrics share. */
function described<L extends string = never>(registry: Registry, name: string, help: string, ...labelNames: L[]) {
  return { name: `feierbild_${name}`, help, labelNames, registers: [registry] };
}

/** Counts uploads by their outcome. */
export function meterUploads(uploads: Uploads, registry: Registry): Uploads {
  const help = 'Uploads: announced by a preview, stored, repeated (was there already) or refused with a code.';
  const outcomes = new Counter(described(registry, 'uploads_total', help, 'result', 'code'));
  /** Counts the outcome of a photo; `storedIn` returns null if there is none yet. */
  async function counted<T>(work: Promise<T>, storedIn: (result: T) => Pick<StoredUpload, 'status' | 'photo'> | null): Promise<T> {
    try {
      const result = await work;
      const stored = storedIn(result);
      const fresh = stored?.photo.state === 'announced' ? 'announced' : 'stored';
      if (stored) outcomes.inc({ result: stored.status === 201 ? fresh : 'repeated', code: '' });
      return result;
    } catch (error) {
      outcomes.inc({ result: 'refused', code: error instanceof Refusal ? error.code : 'internal' });
      throw error;
    }
  }
  const { resumable } = uploads;
  new Counter({
    ...described(registry, 'open_uploads_ended_total', 'Open uploads that this node ended to make room for new ones.'),
    collect() {
      this.reset();
      this.inc(resumable.endedForRoom());
    },
  });
  return {
    ...uploads,
    receive: (upload) => counted(uploads.receive(upload), (stored) => stored),
    resumable: {
      ...resumable,
      begin: (upload) => counted(resumable.begin(upload), () => null),
      announce: (...args) => counted(resumable.announce(...args), ({ stored }) => stored),
      append: (...args) => counted(resumable.append(...args), ({ stored }) => stored),
    },
  };
}

/** Measures the time of calls by a label, and reports how each has ended. `buckets` are in seconds. */
function timer(registry: Registry, name: string, help: string, label: string, buckets: number[]) {
  const times = new Histogram({ ...described(registry, name, help, label), buckets });
  return <T>(kind: string, work: Promise<T>, ended: (error: unknown) => void): Promise<T> => {
    const end = times.startTimer({ [label]: kind });
    void work.then(() => ended(null), ended).finally(end);
    return work;
  };
}

/** Counts a decoder's runs. */
export function meterDecoder<D extends Decoder>(decoder: D, registry: Registry): D {
  const help = 'Decoder runs by kind and outcome: done, not_a_photo or failed.';
  const runs = new Counter(described(registry, 'decoder_runs_total', help, 'kind', 'outcome'));
  const time = 'Time of decoder runs, including their time in the queue.';
  const timed = timer(registry, 'decoder_duration_seconds', time, 'kind', [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40]);
  const outcomeOf = (error: unknown): string => (error instanceof NotAPhoto ? 'not_a_photo' : error === null ? 'done' : 'failed');
  const counted = <T>(kind: string, work: Promise<T>): Promise<T> =>
    timed(kind, work, (error) => runs.inc({ kind, outcome: outcomeOf(error) }));
  return {
    ...decoder,
    decode: (...args) => counted('decode', decoder.decode(...args)),
    preview: (...args) => counted('preview', decoder.preview(...args)),
    probe: (...args) => counted('facts', decoder.probe(...args)),
    share: (...args) => counted('share', decoder.share(...args)),
    video: (...args) => counted('video', decoder.video(...args)),
  };
}

/**
 * Measures a photo store's calls, and notes whether the last one was answered. If it was not, `up` checks the store itself from time to
 * time, as at night nobody else may call it for hours.
 */
export function meterStore(blobs: BlobStore, registry: Registry): { blobs: BlobStore; up(): boolean } {
  let answers = true;
  let checkedAt = -Infinity;
  const time = 'Time of calls of the photo store; of reads until the first bytes.';
  // The range from a file on a disk to a store in trouble.
  const timed = timer(registry, 'store_duration_seconds', time, 'operation', [0.002, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]);
  const errors = new Counter(described(registry, 'store_errors_total', 'Calls that the photo store did not answer.', 'operation'));
  const counted = <T>(operation: string, work: Promise<T>): Promise<T> =>
    timed(operation, work, (error) => {
      answers = !(error instanceof Unavailable);
      if (!answers) errors.inc({ operation });
    });
  return {
    up() {
      // Not awaited: a silent store would take longer than a scrape may.
      if (!answers && performance.now() - checkedAt >= CHECK_MS) {
        checkedAt = performance.now();
        void counted('check', blobs.check()).catch(() => undefined);
      }
      return answers;
    },
    blobs: {
      ...blobs,
      adopt: (key, path) => counted('put', blobs.adopt(key, path)),
      put: (key, bytes) => counted('put', blobs.put(key, bytes)),
      size: (key) => counted('size', blobs.size(key)),
      remove: (key) => counted('remove', blobs.remove(key)),
      check: () => counted('check', blobs.check()),
      async *read(key, range) {
        const pieces = blobs.read(key, range)[Symbol.asyncIterator]();
        try {
          for (let piece = await counted('read', pieces.next()); !piece.done; piece = await pieces.next()) yield piece.value;
        } finally {
          await pieces.return?.();
        }
      },
    },
  };
}

/**
 * Registers the metrics that are read at each scrape: process and runtime, queues, totals, memory, delay. A gauge whose reading fails is
 * left out.
 */
export function watch(registry: Registry, watched: Watched): void {
  const { db, uploads, pools, retention, clockGuard, vault, live, node, store, installation } = watched;
  collectDefaultMetrics({ register: registry });
  const readTotals = totalsOf(watched, node);
  // All gauges of a scrape share one reading.
  const readings = createSingleFlight<Totals | null>({ successMs: SAME_SCRAPE_MS, failureMs: SAME_SCRAPE_MS });
  const totals = (): Promise<Totals | null> => readings.run('', readTotals);
  const delay = monitorEventLoopDelay();
  delay.enable();

  /** Adds a gauge. `read` returns the value, or values by the content of `label`; null if there is none. */
  const gauge = (name: string, help: string, read: () => Promise<Reading> | Reading, label?: string): void => {
    new Gauge({
      ...described(registry, name, help, ...(label ? [label] : [])),
      async collect() {
        this.reset();
        // Without labels, `reset` leaves a 0 that was never read.
        if (!label) this.remove();
        const reading = await Promise.resolve()
          .then(read)
          .catch(() => null);
        if (typeof reading === 'number') this.set(reading);
        else if (label) for (const [key, value] of Object.entries(reading ?? {})) this.set({ [label]: key }, value);
      },
    });
  };

  const queues = (): Reading => ({ uploads: uploads.waiting(), passwords: vault.waiting(), ...ofDecoders(pools.waiting()) });
  gauge('queue_length', 'What waits: uploads for a slot, passwords to be hashed, photos for a decoder.', queues, 'queue');
  gauge('decoder_isolated', '1 where decoders run in a sandbox, else 0.', () => (pools.isolationFault === null ? 1 : 0));
  const memory = (): Reading => ({ server: process.memoryUsage.rss(), ...ofDecoders(pools.memory()) });
  gauge('memory_bytes', 'Resident memory of the server and of the decoder processes.', memory, 'process');
  gauge('event_loop_delay_p99_seconds', '99th percentile since the last reading.', () => {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return seconds;
  });
  gauge('build_info', 'This node and its version.', () => ({ [node]: 1 }), 'node');
  gauge('watchers', 'Open pages that are notified of changes.', live.watchers);
  gauge('database_connections', 'Connections of this node to PostgreSQL, and requests that wait for one.', db.connections, 'state');
  gauge('notices_up', '1 where this node is notified at once of changes by other nodes, 0 where it has to poll for them.', () => {
    // Null: nobody listens yet, as no page has been open since the start.
    const works = db.notices?.works() ?? null;
    return works === null ? null : Number(works);
  });
  gauge('staging_free_bytes', 'Free bytes on the disk of this node where uploads arrive.', installation.freeBytes);
  const dependencies = async (): Promise<Reading> => ({
    database: await totals().then(
      () => 1,
      () => 0,
    ),
    store: store.up() ? 1 : 0,
  });
  gauge('dependency_up', '1 where database and photo store answered when they were last asked, else 0.', dependencies, 'dependency');
  // One node shows the database's totals, so that the sum over all nodes is right.
  for (const [name, { help }] of Object.entries(TOTALS)) gauge(name, help, async () => (await totals())?.[name] ?? null);
  const leapt = '1 while this node deletes nothing because its clock leapt ahead and nobody has confirmed it.';
  gauge('clock_leapt', leapt, async () => Number(!(await clockGuard.check())));
  gauge('retention_last_success_seconds', 'When this process last deleted all that was due, Unix time.', () => {
    const last = retention.lastSuccess();
    return last === null ? null : last / 1000;
  });
}

type Reading = number | Record<string, number> | null;

const ofDecoders = (values: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`decoder_${name}`, value]));
