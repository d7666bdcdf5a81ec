import type { ByteRange } from '../../http/byte-answer.ts';
import { NotAPhoto, type Decoder } from '../../images/decoder.ts';
import type { CleanCopy } from '../../images/video/probe.ts';
import { free, handOver } from '../../lib/buffer-handover.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { Refusal } from '../../lib/errors.ts';
import { firstIndex } from '../../lib/first-index.ts';
import type { FoundPhoto } from './photos.store.ts';

/** Ranges remembered for all videos together, some megabytes. A phone's video has about ten. */
const REMEMBERED_RANGES = 200_000;

type Copy = ReturnType<typeof inOrder>;

interface Deps {
  decoder: Pick<Decoder, 'cleanVideo'>;
  /** Reads bytes of the original. */
  read(video: FoundPhoto, range: ByteRange): AsyncIterable<Bytes>;
}

/** Part of the ETag; must change whenever the copy of the same video may get other bytes. */
export const CLEANING = 'clean-2';

/**
 * Hands out copies of videos without location. A copy has the length of its original and the same byte offsets, so that Range works, and is
 * made while it is read. The ranges to leave out are found once for each video and remembered (offsets, no content); so is a video that
 * cannot be copied.
 */
export function createCleanVideos({ decoder, read }: Deps) {
  const copies = createSingleFlight<Copy | null>({ successMs: Infinity });
  /** Number of remembered ranges for each copy, the oldest copy first. */
  const sizes = new Map<string, number>();

  async function find(video: FoundPhoto): Promise<Copy | null> {
    const { id, event_id: owner, size } = video.row;
    const copy = await decoder
      .cleanVideo((range) => read(video, range), size, { owner })
      .then(inOrder, (error: unknown) => {
        if (error instanceof NotAPhoto) return null;
        throw error;
      });
    sizes.set(id, copy ? copy.keep.length + copy.writes.length : 1);
    let ranges = sizes.values().reduce((sum, size) => sum + size, 0);
    for (const [oldest, size] of sizes) {
      if (ranges <= REMEMBERED_RANGES || oldest === id) break;
      ranges -= size;
      sizes.delete(oldest);
      copies.forget(oldest);
    }
    return copy;
  }

  async function copyOf(video: FoundPhoto): Promise<Copy> {
    const copy = await copies.run(video.row.id, () => find(video));
    if (!copy) throw new Refusal('video_not_shared');
    return copy;
  }

  return {
    /** Throws Refusal video_not_shared if no copy can be made, and what `read` throws. */
    check: (video: FoundPhoto): Promise<unknown> => copyOf(video),

    /** Reads bytes of the copy. Throws as `check` does. */
    async *read(video: FoundPhoto, range: ByteRange): AsyncGenerator<Bytes> {
      const copy = await copyOf(video);
      let at = range.start;
      for await (const piece of read(video, range)) {
        const clean = handOver(cleaned(piece, at, copy));
        at += piece.length;
        free(piece);
        yield clean;
      }
    },
  };
}

/** A copy with each list sorted by offset; `writes` are offsets with the bytes to put there. */
function inOrder({ keep, writes }: CleanCopy) {
  const bytes = writes.map(([at, hex]): [number, Bytes] => [at, Buffer.from(hex, 'hex')]);
  return { keep, writes: bytes.sort((one, other) => one[0] - other[0]) };
}

/** Cleans the piece that begins at offset `at` of the video. */
function cleaned(piece: Bytes, at: number, { keep, writes }: Copy): Bytes {
  const end = at + piece.length;
  const result = Buffer.alloc(piece.length);
  const put = (from: number, bytes: Bytes): void => result.set(bytes, from - at);
  for (let index = firstIndex(keep.length, (index) => keep[index]![1] > at); index < keep.length && keep[index]![0] < end; index++) {
    const [from, to] = [Math.max(at, keep[index]![0]), Math.min(end, keep[index]![1])];
    put(from, piece.subarray(from - at, to - at));
  }
  for (
    let index = firstIndex(writes.length, (index) => writes[index]![0] + writes[index]![1].length > at);
    index < writes.length;
    index++
  ) {
    const [from, bytes] = writes[index]!;
    if (from >= end) break;
    put(Math.max(at, from), bytes.subarray(Math.max(0, at - from), end - from));
  }
  return result;
}
