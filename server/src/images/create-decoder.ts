import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { MAX_HEIC_PIXELS, MAX_PIXELS, PREVIEW_SIZE, THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import { CARD_HEIGHT, CARD_WIDTH } from '@feierbild/contract/link-preview.ts';
import type { Bytes } from '../lib/bytes.ts';
import { single } from '../lib/stages.ts';
import { bothOf, heicAnswer, sharpAnswer, trusted, typeOfPicture } from './answers.ts';
import { NotAPhoto, type Asker, type Decoded, type Decoder, type Probe } from './decoder.ts';
import type { Answer, Task } from './messages.ts';
import { createNotedOwners } from './noted-owners.ts';
import { createPool, type Pool, type PoolOptions, type Priority } from './pool.ts';
import { createVideoReader, videoProgram } from './read-videos.ts';
import { IsolationMissing, isolationFault, launchOf, type CodeCache, type Program } from './sandbox.ts';

const MIB = 1024 * 1024;

/** Most bytes per pixel of a rendition: noise with alpha needs 2.2. */
const RENDITION_BYTES = 3;
/** Bytes per pixel of an uncompressed PNG, and bytes for its colour profile (at most 4 MB) and one byte a row. */
const PNG_BYTES = 4;
const PNG_OVERHEAD_BYTES = 8 * MIB;
/** Returns the size limit of a JPEG in full size: noise needs 0.9 bytes a pixel, and a small file holds little of it. */
const maxSharedBytes = (size: number): number => Math.min(MAX_PIXELS, 64 * MIB + 4 * size);
const maxPngBytes = (edge: number): number => Math.min(edge * edge, MAX_HEIC_PIXELS) * PNG_BYTES + PNG_OVERHEAD_BYTES;

const MAX_JOBS = 50;
/** A video takes several rounds of messages. */
const MAX_VIDEO_ROUNDS = 200;

/** Returns the CPU limit: some thirty times the cost of an honest picture on a fast core (4 ms a megapixel, 90 ms for HEIC). */
const cpuMs = (pixels: number, { ms, msPerMegapixel }: { ms: number; msPerMegapixel: number }): number =>
  Math.max(ms, (Math.min(pixels, MAX_PIXELS) / 1_000_000) * msPerMegapixel);

export const sharpProgram: Program = {
  entry: join(import.meta.dirname, 'sharp-child.ts'),
  packages: ['sharp', '@img', 'detect-libc', 'semver'],
  addons: true,
};

export const heicProgram: Program = { entry: join(import.meta.dirname, 'heic-child.ts'), packages: ['libheif-js'], addons: false };

export type DecoderPools = ReturnType<typeof createDecoder>;

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
  /** `required` throws IsolationMissing if there is no sandbox. */
  isolation?: 'required' | 'best';
  /** Folder for the processes' compiled code; it is created, and emptied. It halves the start time. */
  codeFolder?: string | null;
  log: { warn(message: string): void; error(message: string): void };
}) {
  if (codeFolder !== null) {
    mkdirSync(codeFolder, { recursive: true, mode: 0o700 });
    // The folder itself stays: a process left over from a killed server has it mounted, and Node never stops looking into a removed folder.
    for (const name of readdirSync(codeFolder)) rmSync(join(codeFolder, name), { recursive: true });
  }
  const fault = isolationFault(sharpProgram, codeFolder);
  if (fault && isolation === 'required') throw new IsolationMissing(fault);
  if (fault) log.warn('Decoder nicht isoliert');
  const isolated = fault === null;
  const offenders = createNotedOwners();
  const poolOf = (program: Program, options: Omit<PoolOptions, 'launch' | 'log' | 'offenders'>, cache: CodeCache | null = null): Pool =>
    createPool({ launch: launchOf(program, isolated, cache), log, offenders, ...options });
  const sharp = poolOf(
    sharpProgram,
    {
      size: processes,
      // An AVIF of 50 megapixels takes 1 GB, a progressive JPEG of 200 megapixels 700 MB.
      limits: { timeMs: 20_000, cpuMs: (pixels) => cpuMs(pixels, { ms: 3000, msPerMegapixel: 100 }), memoryBytes: 1200 * MIB },
      // Limits the photos that a process sees after a photo has taken it over.
      recycle: { jobs: MAX_JOBS, memoryBytes: 400 * MIB, refused: false },
      // A photo of 12 megapixels takes a tenth of this time, one of 192 in 16 scans twice as much.
      slowMs: 1_000,
      idleMs: 60_000,
      eager: true,
    },
    codeFolder === null ? null : { folder: codeFolder, writable: false },
  );
  const heic = poolOf(heicProgram, {
    size: heicProcesses,
    limits: { timeMs: 40_000, cpuMs: (pixels) => cpuMs(pixels, { ms: 10_000, msPerMegapixel: 500 }), memoryBytes: 1200 * MIB },
    // An error leaves garbage in the WebAssembly module's memory.
    recycle: { jobs: MAX_JOBS, memoryBytes: 600 * MIB, refused: true },
    idleMs: 30_000,
    eager: false,
  });
  const video = poolOf(videoProgram, {
    size: 1,
    limits: { timeMs: 10_000, cpuMs: () => 3000, memoryBytes: 400 * MIB },
    recycle: { jobs: MAX_VIDEO_ROUNDS, memoryBytes: 200 * MIB, refused: false },
    idleMs: 30_000,
    eager: false,
  });
  const ofEach = <T>(of: (pool: Pool) => T) => ({ sharp: of(sharp), heic: of(heic), video: of(video) });
  const videos = createVideoReader(video);

  /** Runs a photo through the picture decoder, a HEIC first through the HEIC decoder. */
  async function answerOf(photo: Photo, { maxPixels = MAX_PIXELS, ...wanted }: Wanted, priority: Priority, maxAnswerBytes: number) {
    if (photo.size === 0) throw new NotAPhoto('an empty file');
    const task = { ...wanted, maxPixels, maxDecodedPixels: MAX_HEIC_PIXELS };
    const job = { task, maxAnswerBytes, use: (answer: Answer) => trusted(sharpAnswer, answer, typeOfPicture) };
    const found = await sharp.run({ ...photo, ...job, priority });
    if (!('heif' in found.header)) return found;
    // The HEIC decoder answers twice the wanted size: sharp scales better and makes the last step.
    const edge = task.share ? task.edge : Math.min((task.second ?? task.edge) * 2, Math.max(task.edge, PREVIEW_SIZE));
    return heic.run({
      ...photo,
      priority,
      task: { ...task, edge },
      maxAnswerBytes: maxPngBytes(edge),
      async use(answer) {
        if (task.probe === '') return trusted(heicAnswer, answer, () => null);
        const { header: probe, body } = trusted(heicAnswer, answer, () => 'image/png');
        // The signal is left out: the work has begun and is no longer cancelled.
        const png = { owner: photo.owner, source: () => single(body), size: body.length };
        const made = await sharp.run({ ...png, ...job, priority: 'continued' });
        return { ...made, header: { ...made.header, ...probe } };
      },
    });
  }

  /** Renders the photo at `edge` px, and at `second` px if set, with its probe. */
  async function render(photo: Photo, wanted: Wanted, priority: Priority) {
    const { header, body } = await answerOf(photo, wanted, priority, (wanted.edge ** 2 + (wanted.second ?? 0) ** 2) * RENDITION_BYTES);
    if (!('rendition' in header)) throw new NotAPhoto('the decoder answers nonsense');
    const { rendition, second, ...probe } = header;
    const [bytes, others] = second ? bothOf(body, second) : [body];
    return { probe, rendition: { ...rendition, bytes }, larger: second && others && { ...second, bytes: others } };
  }

  const decoder: Decoder = {
    isolationFault: fault,
    async share(source, size, asker) {
      const wanted = { edge: Number.MAX_SAFE_INTEGER, share: true } as const;
      const { header, body } = await answerOf({ source, size, ...asker }, wanted, 'normal', maxSharedBytes(size));
      if ('as_is' in header) return null;
      if (!('shared' in header)) throw new NotAPhoto('the decoder answers nonsense');
      return body;
    },
    async card(words, picture, asker) {
      const file = picture ?? new Uint8Array(1);
      const photo = { source: () => single(file), size: file.length, ...asker };
      const size = { width: CARD_WIDTH, height: CARD_HEIGHT };
      const wanted = { edge: CARD_WIDTH, card: { ...words, size, alone: picture === null } };
      const { header, body } = await answerOf(photo, wanted, 'normal', CARD_WIDTH * CARD_HEIGHT);
      if (!('card' in header)) throw new NotAPhoto('the decoder answers nonsense');
      return { ...size, type: 'image/jpeg', bytes: body };
    },
    video: videos.probe,
    cleanVideo: videos.cleanCopy,
    async decode(source, size, { withPreview, ...asker }): Promise<Decoded> {
      const { edge: second = PREVIEW_SIZE, ...limits } = withPreview ?? {};
      const wanted = { edge: THUMBNAIL_SIZE, ...(withPreview && { ...limits, second }) };
      const made = await render({ source, size, ...asker }, wanted, 'normal');
      return { ...made.probe, thumbnail: made.rendition, preview: made.larger };
    },
    preview: async (source, size, { urgent, edge = PREVIEW_SIZE, ...asker }) =>
      (await render({ source, size, ...asker }, { edge }, urgent ? 'normal' : 'background')).rendition,
    async probe(source, size, { likeness, urgent, ...asker }): Promise<Probe> {
      const wanted = { edge: THUMBNAIL_SIZE, probe: likeness ? Buffer.from(likeness).toString('base64') : '' };
      const { header } = await answerOf({ source, size, ...asker }, wanted, likeness && !urgent ? 'background' : 'normal', 0);
      if (!('takenAt' in header)) throw new NotAPhoto('the decoder answers nonsense');
      return header;
    },
    failing: sharp.failing,
    async close() {
      await Promise.all([sharp.close(), heic.close(), video.close()]);
    },
  };
  return {
    ...decoder,
    pids: () => ofEach((pool) => pool.pids()),
    /** Jobs that no process has begun. */
    waiting: () => ofEach((pool) => pool.waiting()),
    /** Resident memory of the processes, bytes. */
    memory: () => ofEach((pool) => pool.memory()),
  };
}

/** A request to the decoder. Default of `maxPixels`: MAX_PIXELS. */
type Wanted = Omit<Task, 'maxPixels' | 'maxDecodedPixels'> & Partial<Pick<Task, 'maxPixels'>>;

/** A photo to decode, and the owner of the work. */
interface Photo extends Asker {
  source: () => AsyncIterable<Bytes>;
  size: number;
}
