import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Db } from '../../database/open.ts';
import { NotAPhoto, type Decoder } from '../../images/decoder.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Metrics, Reading } from '../../lib/metrics.ts';
import type { ClockGuard } from '../../database/clock-guard.ts';
import type { Retention } from '../retention/retention.ts';
import type { Uploads } from '../uploads/uploads.ts';
import { createMonitoringStore } from './monitoring.store.ts';

interface Watched {
  db: Db;
  uploads: Pick<Uploads, 'waiting'>;
  /** Jobs that wait and resident bytes, by kind of decoder process. */
  pools: { isolated: boolean; waiting(): Record<string, number>; memory(): Record<string, number> };
  retention: Pick<Retention, 'lastSuccess'>;
  clockGuard: Pick<ClockGuard, 'check'>;
}

/** Uploads that are counted by what became of them. */
export function meterUploads(uploads: Uploads, metrics: Metrics): Uploads {
  const count = metrics.counter('feierbild_uploads_total', 'Uploads: stored, repeated (was there already) or refused with a code.');
  return {
    ...uploads,
    async receive(upload) {
      try {
        const stored = await uploads.receive(upload);
        count({ result: stored.status === 201 ? 'stored' : 'repeated', code: '' });
        return stored;
      } catch (error) {
        count({ result: 'refused', code: error instanceof Refusal ? error.code : 'internal' });
        throw error;
      }
    },
  };
}

/** A decoder whose runs are counted. */
export function meterDecoder<D extends Decoder>(decoder: D, metrics: Metrics): D {
  const count = metrics.counter('feierbild_decoder_runs_total', 'Decoder runs by kind and outcome: done, not_a_photo or failed.');
  const counted = async <T>(kind: string, work: Promise<T>): Promise<T> => {
    try {
      const result = await work;
      count({ kind, outcome: 'done' });
      return result;
    } catch (error) {
      count({ kind, outcome: error instanceof NotAPhoto ? 'not_a_photo' : 'failed' });
      throw error;
    }
  };
  return {
    ...decoder,
    decode: (...args) => counted('decode', decoder.decode(...args)),
    preview: (...args) => counted('preview', decoder.preview(...args)),
    share: (...args) => counted('share', decoder.share(...args)),
  };
}

/** Reads, whenever it is asked, how the house is: queues, totals, memory, delay. */
export function watch(metrics: Metrics, { db, uploads, pools, retention, clockGuard }: Watched): void {
  const store = createMonitoringStore(db);
  const delay = monitorEventLoopDelay();
  delay.enable();
  metrics.gauge('feierbild_queue_length', 'What waits: uploads for their turn, photos for a decoder.', () => [
    { labels: { queue: 'uploads' }, value: uploads.waiting() },
    ...byName('queue', pools.waiting(), 'decoder_'),
  ]);
  metrics.gauge('feierbild_decoder_isolated', '1 where decoders run in a sandbox, else 0.', () => [{ value: pools.isolated ? 1 : 0 }]);
  metrics.gauge('feierbild_memory_bytes', 'Resident memory of the server and of the decoder processes.', () => [
    { labels: { process: 'server' }, value: process.memoryUsage.rss() },
    ...byName('process', pools.memory(), 'decoder_'),
  ]);
  metrics.gauge('feierbild_event_loop_delay_p99_seconds', '99th percentile since the last reading.', () => {
    const value = delay.percentile(99) / 1e9;
    delay.reset();
    return [{ value }];
  });
  for (const total of ['events', 'photos', 'bytes'] as const) {
    const help = { events: 'Events that are not purged.', photos: 'Photos of all events.', bytes: 'Bytes of originals of all events.' };
    metrics.gauge(`feierbild_${total}`, help[total], async () => [{ value: (await store.totals())[total] }]);
  }
  metrics.gauge(
    'feierbild_clock_leapt',
    '1 while nothing is deleted because the clock leapt ahead and nobody has confirmed it.',
    async () => [{ value: (await clockGuard.check()) ? 0 : 1 }],
  );
  metrics.gauge('feierbild_retention_last_success_seconds', 'When this process last deleted all that was due, Unix time.', () => {
    const last = retention.lastSuccess();
    return last === null ? [] : [{ value: last / 1000 }];
  });
}

function byName(label: string, values: Record<string, number>, prefix: string): Reading[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: prefix + name }, value }));
}
