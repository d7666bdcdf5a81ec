import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, expect, vi } from 'vitest';
import { sharpProgram } from '../create-decoder.ts';
import type { Asker } from '../decoder.ts';
import { createPool, type Pool, type PoolOptions, type Priority } from '../pool.ts';
import { cpuMs } from '../process-times.ts';
import { launchOf, sandboxWorks } from '../sandbox.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';

export const MIB = 1024 * 1024;
/** As the service has it: each test starts processes. */
const code = mkdtempSync(join(RUN_FOLDER, 'code-'));
export const launch = launchOf(sharpProgram, sandboxWorks(sharpProgram, code), { folder: code, writable: false });
export const task = { edge: 400, maxPixels: 200_000_000, maxDecodedPixels: 64_000_000 };
export const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'red' } })
  .jpeg()
  .toBuffer();
/** A picture whose decoding takes longer than the interval between two checks of the process. */
export const large = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: 'red' } })
  .png({ compressionLevel: 1 })
  .toBuffer();
/** A picture that is dear by its header. */
export const dear = await sharp({ create: { width: 9000, height: 7000, channels: 3, background: 'red' } })
  .png({ compressionLevel: 1 })
  .toBuffer();
export const log = { error: vi.fn() };
export const boundless = { timeMs: 20_000, cpuMs: () => Infinity, memoryBytes: 1000 * MIB };
export const small = { ...boundless, cpuMs: (pixels: number) => (pixels > 1_000_000 ? -1 : Infinity) };
/** The expected header for `photo`. */
export const decoded = expect.objectContaining({ type: 'image/jpeg', width: 64, height: 48 });

/** Yields all bytes at once. */
export async function* whole(bytes: Uint8Array) {
  yield bytes;
}

/** Yields the first bytes, and the rest when `gate` opens. */
export async function* heldWhole(bytes: Uint8Array, gate: Promise<void>) {
  yield bytes.subarray(0, 100);
  await gate;
  yield bytes.subarray(100);
}

/** Yields a part of the photo, calls `happens`, then yields the rest. */
export async function* interrupted(happens: () => void | Promise<void>) {
  yield photo.subarray(0, 100);
  await happens();
  yield photo.subarray(100);
}

/** Lets each test open a pool with its own options, and closes it after the test. */
export function usePool() {
  let current: Pool;
  afterEach(() => current.close());

  function open(options: Partial<PoolOptions> = {}): void {
    current = createPool({
      launch,
      size: 1,
      limits: boundless,
      recycle: { jobs: 100, memoryBytes: 1000 * MIB, refused: false },
      idleMs: 60_000,
      eager: true,
      log,
      ...options,
    });
  }

  function decode(
    source: () => AsyncIterable<Uint8Array> = () => whole(photo),
    size = photo.length,
    {
      priority = 'normal',
      owner = '',
      network,
      device,
      maxAnswerBytes = MIB,
      signal,
    }: { priority?: Priority; maxAnswerBytes?: number } & Partial<Asker> = {},
  ) {
    return current.run({ priority, owner, network, device, signal, task, source, size, maxAnswerBytes, use: ({ header }) => header });
  }

  /** Signals all processes; bwrap reports their ids a moment after they are ready. */
  const signal = (name: NodeJS.Signals) => async () => {
    await expect.poll(() => current.pids()).not.toEqual([]);
    for (const pid of current.pids()) process.kill(pid, name);
  };

  /** Yields the large photo and stops its decoder for good once it has used `usedMs` of a core, as if others had the core from then on. */
  async function* heldAfter(usedMs: number) {
    // As in `signal`: the id comes a moment after the process is ready.
    await expect.poll(() => current.pids()).not.toEqual([]);
    const [pid = 0] = current.pids();
    const before = cpuMs(pid);
    const looks = setInterval(() => {
      const used = cpuMs(pid) - before;
      if (used >= 0 && used < usedMs) return;
      clearInterval(looks);
      if (used >= usedMs) process.kill(pid, 'SIGSTOP');
    }, 5);
    yield large;
  }

  const run: Pool['run'] = (job) => current.run(job);
  const pool = {
    run,
    pids: () => current.pids(),
    waiting: () => current.waiting(),
    failing: () => current.failing(),
    close: () => current.close(),
  };
  return { pool, open, decode, signal, heldAfter };
}
