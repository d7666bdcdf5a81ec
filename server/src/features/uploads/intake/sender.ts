import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';

/** A slot for receiving bytes. It can be released while the upload waits for its sender, and acquired again. */
export interface ReceivingSlot extends Disposable {
  release(): void;
  /** Waits for a slot if this one was released. */
  reacquire(): Promise<void>;
}

/** A sender below 64 KB/s releases its slot after RELEASE_AFTER_MS of waiting, and takes one again when its next bytes come. */
const FAST_BYTES_PER_MS = 64;
const RELEASE_AFTER_MS = 500;

/**
 * A sender is cut off if the server has waited for it SLOW_STALLS × `stallMs` or longer in all, and received less than MIN_BYTES_PER_MS
 * (1 KB/s) in that time.
 */
const SLOW_STALLS = 3;
const MIN_BYTES_PER_MS = 1;

export type Sender = ReturnType<typeof createSender>;

/** Waits use the budget up, bytes fill it again (a token bucket): one long silence counts like many short ones. */
export function budgetAfter(budgetMs: number, waitedMs: number, bytes: number): number {
  return Math.min(RELEASE_AFTER_MS, Math.max(0, budgetMs - waitedMs) + bytes / FAST_BYTES_PER_MS);
}

/** Reads from the sender of one upload: limits how long it is awaited, and releases its slot meanwhile. `hangUp` cuts its connection. */
export function createSender({ stallMs, hangUp }: { stallMs: number; hangUp(): void }) {
  /** Time left until the slot is released, ms. */
  let budgetMs = RELEASE_AFTER_MS;
  let slot: ReceivingSlot | undefined;
  /** Time waited for the sender; excludes the time in which the sender waited for the server. */
  let awaitedMs = 0;
  let partsMs = stallMs;
  let awaitedSince: number | null = null;
  let receivedBytes = 0;
  let ended = false;

  async function next<T>(source: AsyncIterator<T>, limitMs: number, bytesOf: (value: T) => number): Promise<T | undefined> {
    const since = (awaitedSince = performance.now());
    // After a stall of this process (a slow disk) timers fire before the bytes that came meanwhile; setImmediate lets those be read first.
    const stallTimer = setTimeout(() => setImmediate(() => awaitedSince === since && hangUp()), limitMs);
    const releaseTimer = slot && setTimeout(slot.release, budgetMs);
    try {
      const { done, value } = await source.next();
      if (done) return undefined;
      receivedBytes += bytesOf(value);
      budgetMs = budgetAfter(budgetMs, performance.now() - since, bytesOf(value));
      return value;
    } finally {
      clearTimeout(stallTimer);
      clearTimeout(releaseTimer);
      awaitedMs += performance.now() - since;
      awaitedSince = null;
    }
  }

  return {
    /** Sets the slot that is released during long waits for this sender. */
    useSlot: (used: ReceivingSlot): void => void (slot = used),

    /** Reads the next part of the form, undefined at its end. The waits for all parts together last `stallMs` at most. */
    async nextPart<P>(parts: AsyncIterator<P>): Promise<P | undefined> {
      const before = awaitedMs;
      const part = await next(parts, partsMs, () => 0);
      partsMs = Math.max(0, partsMs - (awaitedMs - before));
      ended = !part;
      if (part) await slot?.reacquire();
      return part;
    },

    /**
     * Reads the bytes of a file, waiting at most `stallMs` for each piece. After that, or below 1 KB/s in the long run, the connection is
     * cut. Throws Refusal upload_incomplete, too_large.
     */
    async *pieces(file: AsyncIterable<Bytes>, maxBytes: number): AsyncGenerator<Bytes> {
      const source = file[Symbol.asyncIterator]();
      try {
        for (;;) {
          const piece = await next(source, stallMs, ({ length }) => length);
          if (!piece) return;
          if (receivedBytes > maxBytes) throw new Refusal('too_large');
          if (awaitedMs >= SLOW_STALLS * stallMs && receivedBytes < awaitedMs * MIN_BYTES_PER_MS) {
            hangUp();
            throw new Refusal('upload_incomplete');
          }
          await slot?.reacquire();
          yield piece;
        }
      } finally {
        await source.return?.();
      }
    },

    /** Releases the slot until the sender's next bytes come. */
    rest: (): void => slot?.release(),

    /** Ends the measurement: the sender has sent everything. */
    end: (): void => void (ended = true),

    /** Returns how long the sender was awaited so far, and the speed of its file in that time; null once it has ended. */
    speed(): { awaitedMs: number; bytesPerMs: number } | null {
      if (ended) return null;
      const ms = awaitedMs + (awaitedSince === null ? 0 : performance.now() - awaitedSince);
      return { awaitedMs: ms, bytesPerMs: receivedBytes / Math.max(1, ms) };
    },

    /** Returns how long the next bytes have been awaited; 0 while received bytes are being worked on. */
    silentMs: (): number => (awaitedSince === null ? 0 : performance.now() - awaitedSince),

    hangUp,
  };
}
