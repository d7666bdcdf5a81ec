import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { MAX_HEIC_PIXELS, MAX_PIXELS, PREVIEW_SIZE, THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import type { Bytes } from '../lib/bytes.ts';
import { single } from '../lib/stages.ts';
import { heicAnswer, rendered, renderedAnswer, sharedAnswer, sharpAnswer, trusted, type Rendered } from './answers.ts';
import type { Answer } from './frames.ts';
import { NotAPhoto, type Asker, type Decoded, type Decoder, type Rendition } from './decoder.ts';
import { createPool, type Priority } from './pool.ts';
import { createVideoReader, videoProgram } from './read-videos.ts';
import { IsolationMissing, launchOf, sandboxWorks, type Program } from './sandbox.ts';

const MIB = 1024 * 1024;

/** Bytes per pixel of a rendition, at most: noise with alpha needs 2.2. */
const RENDITION_BYTES = 3;
/** Bytes per pixel of an uncompressed PNG, and for its colour profile (at most 4 MB) and one byte a row. */
const PNG_BYTES = 4;
const PNG_OVERHEAD_BYTES = 8 * MIB;
/** Of a JPEG in full size: noise needs 0.9 bytes a pixel, and a small file holds little of it. */
const maxSharedBytes = (size: number): number => Math.min(MAX_PIXELS, 64 * MIB + 4 * size);
const maxPngBytes = (edge: number): number => Math.min(edge * edge, MAX_HEIC_PIXELS) * PNG_BYTES + PNG_OVERHEAD_BYTES;

/** Jobs after which a process is replaced. */
const MAX_JOBS = 50;
/** A video takes several rounds. */
const MAX_VIDEO_ROUNDS = 200;
/** An idle process ends after this time, so that its memory is free. */
const IDLE_MS = 60_000;

export const sharpProgram: Program = {
  entry: join(import.meta.dirname, 'sharp-child.ts'),
  packages: ['sharp', '@img', 'detect-libc', 'semver'],
  addons: true,
};

export const heicProgram: Program = { entry: join(import.meta.dirname, 'heic-child.ts'), packages: ['libheif-js'], addons: false };

/** A decoder with figures of its processes, for metrics and tests. */
export interface DecoderPools extends Decoder {
  pids(): { sharp: number[]; heic: number[] };
  /** Jobs that no process has begun. */
  waiting(): { sharp: number; heic: number; video: number };
  /** Resident memory of the processes, bytes. */
  memory(): { sharp: number; heic: number; video: number };
}

/**
 * Starts the decoder's processes: `processes` (by default one a core, at least 2) for all formats but HEIC, and
 * `heicProcesses` for HEIC when there is one. Blocks once for some 200 ms to find out whether the sandbox works.
 */
export function createDecoder({
  processes = Math.max(2, availableParallelism()),
  heicProcesses = 1,
  isolation = 'best',
  codeFolder = null,
  log,
}: {
  processes?: number;
  heicProcesses?: number;
  /** `required`: throws IsolationMissing where there is no sandbox. */
  isolation?: 'required' | 'best';
  /** For the processes' compiled code; created, and emptied before. With it a start takes half of the time. */
  codeFolder?: string | null;
  log: { warn(message: string): void; error(message: string): void };
}): DecoderPools {
  if (codeFolder !== null) {
    rmSync(codeFolder, { recursive: true, force: true });
    mkdirSync(codeFolder, { recursive: true, mode: 0o700 });
  }
  const isolated = sandboxWorks(sharpProgram, codeFolder);
  if (!isolated && isolation === 'required') throw new IsolationMissing();
  if (!isolated) log.warn('Decoder nicht isoliert');
  const sharp = createPool({
    launch: launchOf(sharpProgram, isolated, codeFolder === null ? null : { folder: codeFolder, writable: false }),
    size: processes,
    // An interlaced RGBA picture of 200 megapixels must be in memory as a whole.
    limits: { timeMs: 20_000, memoryBytes: 1200 * MIB },
    // A process that a photo has taken over sees no more photos than these.
    recycle: { jobs: MAX_JOBS, memoryBytes: 400 * MIB, refused: false },
    idleMs: IDLE_MS,
    eager: true,
    log,
  });
  const heic = createPool({
    launch: launchOf(heicProgram, isolated),
    size: heicProcesses,
    limits: { timeMs: 40_000, memoryBytes: 1200 * MIB },
    // After an error the memory of the WebAssembly module is not cleaned up.
    recycle: { jobs: MAX_JOBS, memoryBytes: 600 * MIB, refused: true },
    idleMs: 30_000,
    eager: false,
    log,
  });
  const video = createPool({
    launch: launchOf(videoProgram, isolated),
    size: 1,
    limits: { timeMs: 10_000, memoryBytes: 400 * MIB },
    recycle: { jobs: MAX_VIDEO_ROUNDS, memoryBytes: 200 * MIB, refused: false },
    idleMs: 30_000,
    eager: false,
    log,
  });
  const videos = createVideoReader(video);

  /** The photo at `edge` px, and what is known of it. */
  async function render(photo: Photo, edge: number, priority: Priority): Promise<Rendered> {
    if (photo.size === 0) throw new NotAPhoto('an empty file');
    const task = { edge, maxPixels: MAX_PIXELS, maxDecodedPixels: MAX_HEIC_PIXELS };
    const maxAnswerBytes = edge * edge * RENDITION_BYTES;
    const found = await sharp.run({ ...photo, priority, task, maxAnswerBytes, use: (answer) => trusted(sharpAnswer, answer, rendered) });
    if (!('heif' in found.header)) return { ...found.header, bytes: found.body };
    // Twice the size that is wanted, so that sharp, which scales better, makes the last step.
    const larger = Math.min(edge * 2, PREVIEW_SIZE);
    return heic.run({
      ...photo,
      priority,
      task: { ...task, edge: larger },
      maxAnswerBytes: maxPngBytes(larger),
      async use(answer) {
        const { header, body } = trusted(heicAnswer, answer, () => 'image/png');
        const use = (png: Answer) => trusted(renderedAnswer, png, rendered);
        const png = await sharp.run({ ...handedOn(photo, body), priority: 'continued', task, maxAnswerBytes, use });
        return { ...png.header, ...header, bytes: png.body };
      },
    });
  }

  async function share(photo: Photo): Promise<Bytes | null> {
    const task = { edge: Number.MAX_SAFE_INTEGER, maxPixels: MAX_PIXELS, maxDecodedPixels: MAX_HEIC_PIXELS, share: true } as const;
    const maxAnswerBytes = maxSharedBytes(photo.size);
    const use = (answer: Answer) => trusted(sharedAnswer, answer, (header) => ('shared' in header ? 'image/jpeg' : null));
    const found = await sharp.run({ ...photo, priority: 'normal', task, maxAnswerBytes, use });
    if ('as_is' in found.header) return null;
    if ('shared' in found.header) return found.body;
    return heic.run({
      ...photo,
      priority: 'normal',
      task,
      maxAnswerBytes: maxPngBytes(task.edge),
      async use(answer) {
        const { body } = trusted(heicAnswer, answer, () => 'image/png');
        return (await sharp.run({ ...handedOn(photo, body), priority: 'continued', task, maxAnswerBytes, use })).body;
      },
    });
  }

  return {
    isolated,
    share: (source, size, asker) => share({ source, size, ...asker }),
    video: videos.facts,
    cleanVideo: videos.cleanCopy,
    async decode(source, size, asker): Promise<Decoded> {
      const { rendition, bytes, ...facts } = await render({ source, size, ...asker }, THUMBNAIL_SIZE, 'normal');
      return { ...facts, thumbnail: { ...rendition, bytes } };
    },
    async preview(source, size, { urgent, ...asker }): Promise<Rendition> {
      const { rendition, bytes } = await render({ source, size, ...asker }, PREVIEW_SIZE, urgent ? 'normal' : 'background');
      return { ...rendition, bytes };
    },
    pids: () => ({ sharp: sharp.pids(), heic: heic.pids() }),
    failing: sharp.failing,
    waiting: () => ({ sharp: sharp.waiting(), heic: heic.waiting(), video: video.waiting() }),
    memory: () => ({ sharp: sharp.memory(), heic: heic.memory(), video: video.memory() }),
    async close() {
      await Promise.all([sharp.close(), heic.close(), video.close()]);
    },
  };
}

/** A photo to decode, and the owner of the work. */
interface Photo extends Asker {
  source: () => AsyncIterable<Bytes>;
  size: number;
}

/** The HEIC decoder's picture for sharp. Without the signal: the work has begun and is no longer cancelled. */
function handedOn({ owner }: Photo, png: Bytes): Photo {
  return { owner, source: () => single(png), size: png.length };
}
