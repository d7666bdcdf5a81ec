import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { MAX_HEIC_PIXELS, MAX_PIXELS, PREVIEW_SIZE, THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import type { Bytes } from '../lib/bytes.ts';
import { heicAnswer, rendered, renderedAnswer, sharedAnswer, sharpAnswer, trusted, type Rendered } from './answers.ts';
import type { Answer } from './frames.ts';
import { NotAPhoto, type Asker, type Decoded, type Decoder, type Rendition } from './decoder.ts';
import { createPool, type Turn } from './pool.ts';
import { launchOf, sandboxWorks, type Program } from './sandbox.ts';

const MIB = 1024 * 1024;

/** Bytes a pixel of a rendition at most: noise with alpha has 2.2 of them. */
const RENDITION_BYTES = 3;
/** A stored PNG has so many, and besides its pixels a profile (4 MB at most) and a byte a row. */
const PNG_BYTES = 4;
const PNG_REST = 8 * MIB;
/** A JPEG in full size: noise has 0.9 bytes a pixel, and what weighs little has little of it. */
const mostShared = (size: number): number => Math.min(MAX_PIXELS, 64 * MIB + 4 * size);
const mostPng = (edge: number): number => Math.min(edge * edge, MAX_HEIC_PIXELS) * PNG_BYTES + PNG_REST;

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
  async function render(photo: Photo, edge: number, turn: Turn): Promise<Rendered> {
    if (photo.size === 0) throw new NotAPhoto('an empty file');
    const task = { edge, maxPixels: MAX_PIXELS, maxDecodedPixels: MAX_HEIC_PIXELS };
    const most = edge * edge * RENDITION_BYTES;
    const found = await sharp.run({ ...photo, turn, task, most, use: (answer) => trusted(sharpAnswer, answer, rendered) });
    if (!('heif' in found.header)) return { ...found.header, bytes: found.body };
    // Twice the thumbnail's size, so that the better scaling of the two has the last word.
    const larger = Math.min(edge * 2, PREVIEW_SIZE);
    return heic.run({
      ...photo,
      turn,
      task: { ...task, edge: larger },
      most: mostPng(larger),
      async use(answer) {
        const { header, body } = trusted(heicAnswer, answer, () => 'image/png');
        const use = (png: Answer) => trusted(renderedAnswer, png, rendered);
        const png = await sharp.run({ ...handedOn(photo, body), turn: 'first', task, most, use });
        return { ...png.header, ...header, bytes: png.body };
      },
    });
  }

  async function share(photo: Photo): Promise<Bytes | null> {
    const task = { edge: Number.MAX_SAFE_INTEGER, maxPixels: MAX_PIXELS, maxDecodedPixels: MAX_HEIC_PIXELS, share: true } as const;
    const most = mostShared(photo.size);
    const use = (answer: Answer) => trusted(sharedAnswer, answer, (header) => ('shared' in header ? 'image/jpeg' : null));
    const found = await sharp.run({ ...photo, turn: 'soon', task, most, use });
    if ('as_is' in found.header) return null;
    if ('shared' in found.header) return found.body;
    return heic.run({
      ...photo,
      turn: 'soon',
      task,
      most: mostPng(task.edge),
      async use(answer) {
        const { body } = trusted(heicAnswer, answer, () => 'image/png');
        return (await sharp.run({ ...handedOn(photo, body), turn: 'first', task, most, use })).body;
      },
    });
  }

  return {
    isolated,
    share: (source, size, asker) => share({ source, size, ...asker }),
    async decode(source, size, asker): Promise<Decoded> {
      const { rendition, bytes, ...facts } = await render({ source, size, ...asker }, THUMBNAIL_SIZE, 'soon');
      return { ...facts, thumbnail: { ...rendition, bytes } };
    },
    async preview(source, size, { urgent, ...asker }): Promise<Rendition> {
      const { rendition, bytes } = await render({ source, size, ...asker }, PREVIEW_SIZE, urgent ? 'soon' : 'quiet');
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

/** What is to be decoded, and for whom. */
interface Photo extends Asker {
  source: () => AsyncIterable<Bytes>;
  size: number;
}

/** What the HEIC decoder made of a photo, for the other one; it has begun and is not dropped any more. */
function handedOn({ lane }: Photo, png: Bytes): Photo {
  return { lane, source: () => once(png), size: png.length };
}

async function* once(bytes: Bytes): AsyncGenerator<Bytes> {
  yield bytes;
}
