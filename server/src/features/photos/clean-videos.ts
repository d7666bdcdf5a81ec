import type { ByteRange } from '../../http/byte-answer.ts';
import type { Decoder } from '../../images/decoder.ts';
import type { CleanCopy } from '../../images/video/facts.ts';
import { free, handOver } from '../../lib/buffer-handover.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';

/** Ranges that are remembered, of all videos together: some megabytes. A video of a phone has about ten. */
const REMEMBERED_RANGES = 200_000;

/** A video to be sent without its location. */
export interface CleanSource {
  id: string;
  /** Its event. */
  owner: string;
  /** Bytes. */
  size: number;
  read(range: ByteRange): AsyncIterable<Bytes>;
}

/**
 * Hands out copies of videos without location: as long as the originals, byte for byte at the same offsets, so that Range works,
 * and made while they are read. What a copy leaves out is found once for each video, and remembered (offsets, no content).
 */
export function createCleanVideos({ decoder }: { decoder: Pick<Decoder, 'cleanVideo'> }) {
  const copies = new Map<string, CleanCopy>();
  const flight = createSingleFlight<CleanCopy>();
  let ranges = 0;

  async function copyOf({ id, owner, size, read }: CleanSource): Promise<CleanCopy> {
    const known = copies.get(id);
    if (known) return known;
    return flight.run(id, async () => {
      const copy = await decoder.cleanVideo(read, size, { owner });
      ranges += copy.keep.length + copy.writes.length;
      copies.set(id, copy);
      for (const [oldest, { keep, writes }] of copies) {
        if (ranges <= REMEMBERED_RANGES || oldest === id) break;
        ranges -= keep.length + writes.length;
        copies.delete(oldest);
      }
      return copy;
    });
  }

  return {
    /** Throws NotAPhoto where the stored video is none, and what `read` throws. */
    async *read(video: CleanSource, range: ByteRange): AsyncGenerator<Bytes> {
      const copy = await copyOf(video);
      let at = range.start;
      for await (const piece of video.read(range)) {
        const clean = handOver(cleaned(piece, at, copy));
        at += piece.length;
        free(piece);
        yield clean;
      }
    },
  };
}

/** The piece that begins at `at` in the video, without what the copy leaves out. */
export function cleaned(piece: Bytes, at: number, { keep, writes }: CleanCopy): Bytes {
  const end = at + piece.length;
  const result = Buffer.alloc(piece.length);
  for (let index = firstAfter(keep, at); index < keep.length && keep[index]![0] < end; index++) {
    const [from, to] = [Math.max(at, keep[index]![0]), Math.min(end, keep[index]![1])];
    result.set(piece.subarray(from - at, to - at), from - at);
  }
  for (const [start, hex] of writes) {
    if (start >= end) break;
    for (const [index, byte] of Buffer.from(hex, 'hex').entries()) {
      if (start + index >= at && start + index < end) result[start + index - at] = byte;
    }
  }
  return result;
}

/** The first range that ends after an offset. */
function firstAfter(ranges: CleanCopy['keep'], offset: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]![1] > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
