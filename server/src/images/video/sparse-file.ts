/** Fetches ranges of a file's bytes, so that a video is read without having all of it. Runs in the sandbox. */

/** The file is not an accepted video; the message gives the reason. */
export class NotTaken extends Error {}

/** Least bytes of one fetch: a header is seldom alone. */
const LEAST_BYTES = 4096;

export interface SparseFile {
  size: number;
  /**
   * Returns the bytes [start, end). Throws NotTaken behind the file's end. `ahead` fetches this many bytes at once for sequential reads,
   * and does not keep them.
   */
  bytes(start: number, end: number, ahead?: number): Buffer;
}

interface Part {
  start: number;
  bytes: Buffer;
}

/** Creates a sparse file. `first`: the file's first bytes; `fetch` returns the bytes [start, end). */
export function sparseFile(size: number, first: Buffer, fetch: (start: number, end: number) => Buffer): SparseFile {
  const parts: Part[] = [{ start: 0, bytes: first }];
  let passing: Part = { start: 0, bytes: Buffer.alloc(0) };
  return {
    size,
    bytes(start, end, ahead) {
      if (end > size) throw new NotTaken('the file is cut short');
      const has = (part: Part): boolean => part.start <= start && part.start + part.bytes.length >= end;
      let part = has(passing) ? passing : parts.findLast(has);
      if (!part) {
        part = { start, bytes: fetch(start, Math.min(size, Math.max(end, start + (ahead ?? LEAST_BYTES)))) };
        if (ahead === undefined) parts.push(part);
        else passing = part;
      }
      return part.bytes.subarray(start - part.start, end - part.start);
    },
  };
}
