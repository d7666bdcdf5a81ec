import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ACCEPTED_TYPES, MAX_HEIC_PIXELS, MAX_PIXELS, PREVIEW_SIZE, THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import { z } from 'zod';
import type { Bytes } from '../lib/bytes.ts';
import type { Answer } from './child.ts';
import { NotAPhoto, type Decoded, type Decoder, type Rendition } from './decoder.ts';
import { createPool, type Turn } from './pool.ts';
import { launchOf, sandboxWorks, type Program } from './sandbox.ts';

const MIB = 1024 * 1024;

export const sharpProgram: Program = {
  entry: join(import.meta.dirname, 'sharp-child.ts'),
  packages: ['sharp', '@img', 'detect-libc', 'semver'],
  addons: true,
};

export const heicProgram: Program = { entry: join(import.meta.dirname, 'heic-child.ts'), packages: ['libheif-js'], addons: false };

/** A decoder that also tells its processes, for diagnosis. */
export interface DecoderPools extends Decoder {
  pids(): { sharp: number[]; heic: number[] };
  /** Jobs that wait. */
  waiting(): { sharp: number; heic: number };
  /** Resident bytes of the processes. */
  memory(): { sharp: number; heic: number };
}

/**
 * Starts the decoder's processes: `processes` (by default one a core, at least 2) for all formats but HEIC, and one at a
 * time for HEIC when there is one. Blocks once for some 200 ms to find out whether the sandbox works.
 */
export function createDecoder({
  processes = Math.max(2, availableParallelism()),
  log,
}: {
  processes?: number;
  log: { warn(message: string): void; error(message: string): void };
}): DecoderPools {
  const isolated = sandboxWorks(sharpProgram);
  if (!isolated) log.warn('Decoder nicht isoliert');
  const sharp = createPool({
    launch: launchOf(sharpProgram, isolated),
    size: processes,
    // 200 MP of interlaced RGBA have to be held at once.
    limits: { time: 20_000, memory: 1200 * MIB },
    recycle: { jobs: 1000, memory: 400 * MIB, refused: false },
    idle: null,
    log,
  });
  const heic = createPool({
    launch: launchOf(heicProgram, isolated),
    size: 1,
    limits: { time: 40_000, memory: 1200 * MIB },
    // After an error the WebAssembly's memory is not cleaned up.
    recycle: { jobs: 50, memory: 600 * MIB, refused: true },
    idle: 30_000,
    log,
  });

  /** The photo at `edge` px, and what is known of it. */
  async function render(source: () => AsyncIterable<Bytes>, size: number, edge: number, turn: Turn): Promise<Rendered> {
    if (size === 0) throw new NotAPhoto('an empty file');
    const task = { edge, maxPixels: MAX_PIXELS, maxDecodedPixels: MAX_HEIC_PIXELS };
    const found = await sharp.run({ turn, task, source, size, use: (answer) => trusted(sharpAnswer, answer) });
    if (!('heif' in found.header)) return { ...found.header, bytes: found.body };
    return heic.run({
      turn,
      // Twice the thumbnail's size, so that the better scaling of the two has the last word.
      task: { ...task, edge: Math.min(edge * 2, PREVIEW_SIZE) },
      source,
      size,
      async use(answer) {
        const { header, body } = trusted(heicAnswer, answer);
        const png = await sharp.run({
          turn: 'first',
          task,
          source: () => once(body),
          size: body.length,
          use: (png) => trusted(renderedAnswer, png),
        });
        return { ...png.header, ...header, bytes: png.body };
      },
    });
  }

  async function share(source: () => AsyncIterable<Bytes>, size: number): Promise<Bytes | null> {
    const task = { edge: Number.MAX_SAFE_INTEGER, maxPixels: MAX_PIXELS, maxDecodedPixels: MAX_HEIC_PIXELS, share: true } as const;
    const use = (answer: Answer) => trusted(sharedAnswer, answer);
    const found = await sharp.run({ turn: 'soon', task, source, size, use });
    if ('as_is' in found.header) return null;
    if ('shared' in found.header) return found.body;
    return heic.run({
      turn: 'soon',
      task,
      source,
      size,
      async use(answer) {
        const { body } = trusted(heicAnswer, answer);
        return (await sharp.run({ turn: 'first', task, source: () => once(body), size: body.length, use })).body;
      },
    });
  }

  return {
    isolated,
    share,
    async decode(source, size): Promise<Decoded> {
      const { rendition, bytes, ...facts } = await render(source, size, THUMBNAIL_SIZE, 'soon');
      return { ...facts, thumbnail: { ...rendition, bytes } };
    },
    async preview(source, size, urgent): Promise<Rendition> {
      const { rendition, bytes } = await render(source, size, PREVIEW_SIZE, urgent ? 'soon' : 'quiet');
      return { ...rendition, bytes };
    },
    pids: () => ({ sharp: sharp.pids(), heic: heic.pids() }),
    waiting: () => ({ sharp: sharp.waiting(), heic: heic.waiting() }),
    memory: () => ({ sharp: sharp.memory(), heic: heic.memory() }),
    async close() {
      await Promise.all([sharp.close(), heic.close()]);
    },
  };
}

const pixels = z.int().min(1).max(MAX_PIXELS);
const facts = z.object({
  type: z.enum(ACCEPTED_TYPES),
  width: pixels,
  height: pixels,
  takenAt: z.iso.datetime({ local: true, precision: 0 }).nullable(),
});
const edge = z.int().min(1).max(PREVIEW_SIZE);
const renderedAnswer = facts.extend({ rendition: z.object({ type: z.enum(['image/jpeg', 'image/webp']), width: edge, height: edge }) });
const heicAnswer = facts;
const sharpAnswer = z.union([z.object({ heif: z.literal(true) }), renderedAnswer]);

const sharedAnswer = z.union([
  z.object({ heif: z.literal(true) }),
  z.object({ as_is: z.literal(true) }),
  z.object({ shared: z.literal(true) }),
]);

type Rendered = z.infer<typeof renderedAnswer> & { bytes: Bytes };

/** A decoder process may be in a stranger's hands: its answer counts only in the expected shape. */
function trusted<T>(shape: z.ZodType<T>, { header, body }: Answer): { header: T; body: Bytes } {
  const parsed = shape.safeParse(header);
  if (!parsed.success) throw new NotAPhoto('the decoder answers nonsense');
  return { header: parsed.data, body };
}

async function* once(bytes: Bytes): AsyncGenerator<Bytes> {
  yield bytes;
}
