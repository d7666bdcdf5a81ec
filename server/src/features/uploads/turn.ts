import { createSenderRate } from '../../lib/concurrency/sender-rate.ts';

/** A sender below 64 KB/s is slow. */
const SLOW_BYTES_PER_MS = 64;

/** A place at a gate that others have while its owner waits for a sender. */
export interface Turn {
  /**
   * A stream whose place is lent out while its next piece is awaited, and taken back when it came, once the sender was
   * awaited `patience` ms longer than its bytes are worth: a long silence counts like many short ones. `size`: bytes of a piece.
   */
  lending<T>(source: AsyncIterable<T>, size: (piece: T) => number): AsyncGenerator<T>;
  leave(): void;
}

/** Waits for a place. */
export async function takeTurn(enter: () => Promise<() => void>, { patience }: { patience: number }): Promise<Turn> {
  let leave = await enter();
  return {
    async *lending(source, size) {
      const pieces = source[Symbol.asyncIterator]();
      const rate = createSenderRate({ graceMs: patience, bytesPerMs: SLOW_BYTES_PER_MS });
      try {
        for (;;) {
          let lent = false;
          const from = performance.now();
          const timer = setTimeout(() => {
            lent = true;
            leave();
          }, rate.budgetMs());
          const { done, value } = await pieces.next().finally(() => clearTimeout(timer));
          if (done) return;
          rate.count(performance.now() - from, size(value));
          if (lent) leave = await enter();
          yield value;
        }
      } finally {
        await pieces.return?.();
      }
    },
    leave: () => leave(),
  };
}
