import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';

/** Plain bytes of one part at most: what a killed node costs. */
const PART_BYTES = 8 * 1024 * 1024;
/**
 * A part that has SLOW_PART_BYTES ends early once it has taken SLOW_PART_MS, so that a killed node costs a slow sender less: six photos at
 * once over 8 Mbit/s would all be lost before one part has 8 MiB.
 */
const SLOW_PART_BYTES = 1024 * 1024;
const SLOW_PART_MS = 5000;

/** Cuts a stream into parts of at most `partBytes`: a break ends the part, so that what came before it can be kept. */
export function cutIntoParts(source: AsyncIterable<Bytes>, partBytes = PART_BYTES) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Bytes | null = null;
  let ended = false;
  let error: unknown;

  /** Whether there are more bytes; reads until it knows. */
  async function more(): Promise<boolean> {
    while (rest === null && !ended) {
      try {
        const { done, value } = await iterator.next();
        if (done) ended = true;
        else if (value.length > 0) rest = value;
      } catch (cause) {
        ended = true;
        error = cause;
      }
    }
    return rest !== null;
  }

  return {
    more,
    /** The bytes of the next part. They also end where the stream breaks off. */
    async *next(): AsyncGenerator<Bytes> {
      const since = performance.now();
      const isSlow = (): boolean => performance.now() - since >= SLOW_PART_MS;
      for (let size = 0; size < partBytes && !(size >= SLOW_PART_BYTES && isSlow()) && (await more());) {
        const piece = (rest as unknown as Bytes).subarray(0, partBytes - size);
        rest = piece.length < (rest as unknown as Bytes).length ? (rest as unknown as Bytes).subarray(piece.length) : null;
        size += piece.length;
        yield piece;
      }
    },
    /** The error with which the stream broke off, once a part has ended for it. */
    error: (): unknown => error,
    async close(): Promise<void> {
      await iterator.return?.();
    },
  };
}

/** Whether a stream ended because its sender's connection did. */
export function isBreak(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'upload_incomplete';
}
