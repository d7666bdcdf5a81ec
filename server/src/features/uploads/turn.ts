import type { createGate } from '../../lib/gate.ts';

type Gate = ReturnType<typeof createGate>;

/** A place at a gate that others have while its owner waits for a sender. */
export interface Turn {
  /** A stream whose place is lent out while its next piece takes longer than `patience` ms, and taken back when it came. */
  lending<T>(source: AsyncIterable<T>): AsyncGenerator<T>;
  leave(): void;
}

/** Waits for a place. */
export async function takeTurn(gate: Gate, { patience }: { patience: number }): Promise<Turn> {
  let leave = await gate.enter();
  return {
    async *lending(source) {
      const pieces = source[Symbol.asyncIterator]();
      try {
        for (;;) {
          let lent = false;
          const timer = setTimeout(() => {
            lent = true;
            leave();
          }, patience);
          const { done, value } = await pieces.next().finally(() => clearTimeout(timer));
          if (lent) leave = await gate.enter();
          if (done) return;
          yield value;
        }
      } finally {
        await pieces.return?.();
      }
    },
    leave: () => leave(),
  };
}
