import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';

/** Plain bytes of one part at most: what a killed node costs. */
export const PART_BYTES = 8 * 1024 * 1024;
/** A slow sender's part may be that much smaller: six photos at once over 8 Mbit/s would all be lost with a node before they are 8 MiB. */
const SLOW_PART_BYTES = 1024 * 1024;
const SLOW_PART_MS = 5000;
/** Of what arrived before a break, less is not worth a part: the sender sends it again. */
export const LEAST_KEPT_BYTES = 64 * 1024;

/** A stream that is taken in runs. */
export interface Runs {
  /** Whether there are more bytes; reads until it knows. */
  more(): Promise<boolean>;
  /** The next bytes of the stream that make a part. It also ends where the stream breaks off. */
  run(): AsyncGenerator<Bytes>;
  /** The error with which the stream broke off, once a run has ended for it. */
  broken(): unknown;
  close(): Promise<void>;
}

/** Takes a stream apart into runs of `partBytes` at most: a break ends the run, so that what came before it can be kept. */
export function inRuns(source: AsyncIterable<Bytes>, partBytes = PART_BYTES): Runs {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Bytes | null = null;
  let ended = false;
  let error: unknown;

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
    async *run() {
      const since = performance.now();
      const isSlow = (): boolean => performance.now() - since >= SLOW_PART_MS;
      for (let size = 0; size < partBytes && !(size >= SLOW_PART_BYTES && isSlow()) && (await more());) {
        const piece = (rest as unknown as Bytes).subarray(0, partBytes - size);
        rest = piece.length < (rest as unknown as Bytes).length ? (rest as unknown as Bytes).subarray(piece.length) : null;
        size += piece.length;
        yield piece;
      }
    },
    broken: () => error,
    async close() {
      await iterator.return?.();
    },
  };
}

/** Counts the bytes of a stream. */
export function counted(source: AsyncIterable<Bytes>): { pieces: AsyncGenerator<Bytes>; size(): number } {
  let size = 0;
  return {
    pieces: (async function* () {
      for await (const piece of source) {
        size += piece.length;
        yield piece;
      }
    })(),
    size: () => size,
  };
}

/** Whether a stream ended because its sender's line did. */
export function isBreak(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'upload_incomplete';
}
