import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';

/** Plain bytes of one part at most: what a killed node costs. */
export const PART_BYTES = 8 * 1024 * 1024;
/** Of what arrived before a break, less is not worth a part: the sender sends it again. */
export const LEAST_KEPT_BYTES = 64 * 1024;

/** A stream that is taken in runs. */
export interface Runs {
  /** Whether there are more bytes; reads until it knows. */
  more(): Promise<boolean>;
  /** The next bytes of the stream, at most `bytes`. It also ends where the stream breaks off. */
  run(bytes: number): AsyncGenerator<Bytes>;
  /** The error with which the stream broke off, once a run has ended for it. */
  broken(): unknown;
  close(): Promise<void>;
}

/** Takes a stream apart into runs: a break ends the run, so that what came before it can be kept. */
export function inRuns(source: AsyncIterable<Bytes>): Runs {
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
    async *run(bytes) {
      for (let left = bytes; left > 0 && (await more());) {
        const piece = (rest as unknown as Bytes).subarray(0, left);
        rest = piece.length < (rest as unknown as Bytes).length ? (rest as unknown as Bytes).subarray(piece.length) : null;
        left -= piece.length;
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

/** The stream up to where its sender's line broke; `error` then says so. Other errors are thrown. */
export function untilBreak(source: AsyncIterable<Bytes>): { pieces: AsyncGenerator<Bytes>; error(): unknown } {
  let broken: unknown;
  return {
    pieces: (async function* () {
      try {
        yield* source;
      } catch (error) {
        if (!isBreak(error)) throw error;
        broken = error;
      }
    })(),
    error: () => broken,
  };
}
