import type { Decoder } from '../../images/decoder.ts';

/**
 * For tests: makes a decoder whose background work waits from `hold` until the returned function is called, as it does beside uploads that
 * keep coming. Urgent work goes on.
 */
export function holdableDecoder(decoder: Decoder): { decoder: Decoder; hold(): () => void; waiting(): number } {
  let held: PromiseWithResolvers<void> | null = null;
  let waiting = 0;

  async function wait(signal: AbortSignal | undefined): Promise<void> {
    const left = Promise.withResolvers<void>();
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => left.reject(signal.reason));
    waiting += 1;
    await Promise.race([held?.promise, left.promise]).finally(() => (waiting -= 1));
  }

  const isHeld = ({ urgent }: { urgent?: boolean }): boolean => held !== null && !urgent;
  return {
    decoder: {
      ...decoder,
      async probe(source, size, asker) {
        if (asker.likeness && isHeld(asker)) await wait(asker.signal);
        return decoder.probe(source, size, asker);
      },
      async preview(source, size, asker) {
        if (isHeld(asker)) await wait(asker.signal);
        return decoder.preview(source, size, asker);
      },
    },
    waiting: () => waiting,
    hold() {
      held ??= Promise.withResolvers();
      return () => {
        held?.resolve();
        held = null;
      };
    },
  };
}
