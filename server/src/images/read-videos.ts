import { join } from 'node:path';
import { berlinTime } from '@feierbild/contract/berlin.ts';
import { VIDEO_TYPES } from '@feierbild/contract/constants.ts';
import { z } from 'zod';
import type { Bytes } from '../lib/bytes.ts';
import { Refusal } from '../lib/errors.ts';
import { parsed, wallClock } from './answers.ts';
import { NotAPhoto, type Asker, type ReadRange, type VideoProbe } from './decoder.ts';
import type { Job, Pool } from './pool.ts';
import { jsonOf, type Answer, type VideoTask } from './messages.ts';
import type { Program } from './sandbox.ts';
import { MAX_DURATION_MS, MAX_KEPT_RANGES, MAX_SIDE, type CleanCopy } from './video/probe.ts';

export const videoProgram: Program = { entry: join(import.meta.dirname, 'video-child.ts'), packages: [], addons: false };

/** Bytes sent with the request: they contain most headers. */
const FIRST_BYTES = 64 * 1024;
/** Most bytes that the server reads of one video: its `moov` has at most 16 MiB. A copy may read the whole video once more. */
const MAX_READ_BYTES = 20 * 1024 * 1024;
/** Most requests for bytes: a probe needs one for each outermost box at most, a copy two for each of thousands of fragments. */
const MAX_ROUNDS = { probe: 80, clean: 5000 };
/** Time limit for one video: a slow store must not keep the process from others. */
const LIMIT_MS = 30_000;
/** Seconds until a caller may retry after LIMIT_MS. */
const RETRY_AFTER_S = 10;
/** Limit of an answer's body: a copy's ranges as JSON. */
const MAX_ANSWER_BYTES = { probe: 0, clean: 4 * 1024 * 1024 };
/** Cameras whose clock was never set count from 1970 or 1904. */
const FIRST_YEAR = 2000;

const offset = z.int().min(0);
const side = z.int().min(1).max(MAX_SIDE);
const answer = z.union([
  z.object({ needed: z.tuple([offset, offset]) }),
  z.object({ copy: z.literal(true) }),
  z.object({
    probe: z.object({
      type: z.enum(VIDEO_TYPES),
      width: side,
      height: side,
      durationMs: z.int().min(1).max(MAX_DURATION_MS).nullable(),
      codecs: z.string().regex(/^[A-Za-z0-9.]{3,40}(, [A-Za-z0-9.]{3,40})?$/),
      creationDate: z.string().max(64).nullable(),
      createdAt: z.int().nullable(),
    }),
  }),
]);
const cleanCopy = z.object({
  keep: z.array(z.tuple([offset, offset])).max(MAX_KEPT_RANGES),
  writes: z.array(z.tuple([offset, z.string().regex(/^([0-9a-f]{2}){1,16}$/)])).max(MAX_KEPT_RANGES),
});

/** Creates a reader that runs in the processes of a pool: each asks for the ranges that it needs, one after the other. */
export function createVideoReader(pool: Pick<Pool, 'run'>) {
  /** Runs one exchange with a process and returns its last answer. */
  function ask(read: ReadRange, size: number, want: VideoTask['want'], asker: Asker): Promise<Answer> {
    const first = Math.min(size, FIRST_BYTES);
    const mostBytes = MAX_READ_BYTES + (want === 'clean' ? size : 0);
    const conversation: Job<Answer>['use'] = async (begun, more) => {
      const deadline = performance.now() + LIMIT_MS;
      let found = begun;
      let bytes = first;
      for (let round = 0; round < MAX_ROUNDS[want]; round++) {
        const header = parsed(answer, found.header);
        if (!('needed' in header)) return found;
        const [start, end] = header.needed;
        bytes += end - start;
        if (start >= end || end > size || bytes > mostBytes) throw new NotAPhoto('the video needs too many bytes');
        asker.signal?.throwIfAborted();
        if (performance.now() > deadline) throw new Refusal('unavailable', { retryAfter: RETRY_AFTER_S });
        found = await more(() => read({ start, end }), end - start);
      }
      throw new NotAPhoto('the video is in too many pieces');
    };
    const task: VideoTask = { size, want };
    const source = (): AsyncIterable<Bytes> => read({ start: 0, end: first });
    return pool.run({ ...asker, priority: 'normal', task, source, size: first, maxAnswerBytes: MAX_ANSWER_BYTES[want], use: conversation });
  }

  return {
    /** Throws NotAPhoto for everything that is not an accepted video. */
    async probe(read: ReadRange, size: number, asker: Asker): Promise<VideoProbe> {
      if (size === 0) throw new NotAPhoto('an empty file');
      const header = parsed(answer, (await ask(read, size, 'probe', asker)).header);
      if (!('probe' in header)) throw new NotAPhoto('the decoder answers nonsense');
      const { creationDate, createdAt, ...probe } = header.probe;
      // A movie that only knows the instant gets Berlin time.
      const instant = createdAt !== null && createdAt < 4e12 ? berlinTime(createdAt) : null;
      return { ...probe, takenAt: wallClock(creationDate, FIRST_YEAR) ?? wallClock(instant, FIRST_YEAR) };
    },

    async cleanCopy(read: ReadRange, size: number, asker: Asker): Promise<CleanCopy> {
      const { body } = await ask(read, size, 'clean', asker);
      const { keep, writes } = parsed(cleanCopy, jsonOf(body));
      const inOrder = keep.every(([start, end], index) => start < end && end <= size && start >= (keep[index - 1]?.[1] ?? 0));
      const inside = writes.every(([at, hex]) => at + hex.length / 2 <= size);
      if (!inOrder || !inside) throw new NotAPhoto('the decoder answers nonsense');
      return { keep, writes };
    },
  };
}
