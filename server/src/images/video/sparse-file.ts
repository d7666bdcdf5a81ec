/** Ranges of a file's bytes, by which a video is read without having all of it. Runs in the sandbox. */

/** Thrown for bytes that are not here yet: [start, end). */
export class Needed extends Error {
  readonly start: number;
  readonly end: number;
  constructor(start: number, end: number) {
    super('more bytes are needed');
    [this.start, this.end] = [start, end];
  }
}

/** The file is no video that is taken; the message says why. */
export class NotTaken extends Error {}

/** Asked for at once at least: a header is seldom alone. */
const LEAST_BYTES = 4096;

export interface SparseFile {
  size: number;
  /** Bytes [start, end). Throws Needed, and NotTaken behind the file's end. */
  bytes(start: number, end: number): Buffer;
}

/** `pieces` are [start, end), in the order in which their bytes lie in `body`. */
export function sparseFile(size: number, pieces: readonly (readonly [number, number])[], body: Buffer): SparseFile {
  let at = 0;
  const parts = pieces.map(([start, end]) => {
    const bytes = body.subarray(at, at + end - start);
    at += end - start;
    return { start, end, bytes };
  });
  return {
    size,
    bytes(start, end) {
      if (end > size) throw new NotTaken('the file is cut short');
      const part = parts.find((each) => each.start <= start && each.end >= end);
      if (part) return part.bytes.subarray(start - part.start, end - part.start);
      throw new Needed(start, Math.min(size, Math.max(end, start + LEAST_BYTES)));
    },
  };
}
