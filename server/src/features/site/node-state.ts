import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Context } from '../context.ts';

/** How long a result is cached: the check writes to the photo store, and anybody may call it. */
const CACHE_MS = 3000;
/** A check that takes longer has failed, so that every caller gets an answer in time. */
const DEADLINE_MS = 2500;

export type NodeState = ReturnType<typeof createNodeState>;

/**
 * Decides whether a proxy should send requests to this node. Without `deep`, shared parts (database, photo store) are not checked: their
 * outage would remove all nodes from the proxy, and guests would get the proxy's error page. `minFreeBytes`: free space that staging needs.
 */
export function createNodeState(parts: Pick<Context, 'db' | 'blobs' | 'staging' | 'decoder' | 'log'> & { minFreeBytes: number }) {
  const { db, blobs, staging, decoder, log, minFreeBytes } = parts;
  let draining = false;
  let away = false;
  const shared = createReadiness(async () => {
    await db.check();
    await blobs.check();
  });
  const own = async (): Promise<string | null> => {
    if (draining) return 'the node is ending';
    if (decoder.failing()) return 'decoders do not start';
    return (await staging.freeBytes()) < minFreeBytes ? 'staging has no room' : null;
  };
  return {
    /** Throws Refusal unavailable if this node should get no requests; with `deep` also if database or photo store do not answer. */
    async checkReady({ deep = false }: { deep?: boolean } = {}): Promise<void> {
      const reason = await own();
      if (reason !== null) {
        log.warn({ reason }, 'not ready');
        throw new Refusal('unavailable');
      }
      if (!deep) return;
      await shared().then(
        () => void (away = false),
        (cause: unknown) => {
          // A proxy asks every few seconds: an outage gets one line.
          if (!away) log.error({ err: cause }, 'database or photo store does not answer');
          away = true;
          throw new Refusal('unavailable', { cause });
        },
      );
    },
    /** Makes this node not ready from now on, because it is about to end. */
    drain(): void {
      draining = true;
    },
    isDraining: (): boolean => draining,
  };
}

/** Returns the result of `check`, which runs once for all callers at about the same time. */
export function createReadiness(check: () => Promise<void>, cacheMs = CACHE_MS, deadlineMs = DEADLINE_MS): () => Promise<void> {
  const flight = createSingleFlight<void>({ successMs: cacheMs, failureMs: cacheMs });
  return () => flight.run('', () => withDeadline(check(), deadlineMs, 'database or photo store'));
}
