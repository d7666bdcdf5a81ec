/** Runs a pool in a process without free file descriptors for a while, for a test. Prints the results of two photos. */
import { closeSync, openSync } from 'node:fs';
import sharp from 'sharp';
import { sharpProgram } from '../create-decoder.ts';
import { createPool } from '../pool.ts';
import { launchOf } from '../sandbox.ts';

const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'red' } })
  .jpeg()
  .toBuffer();
const pool = createPool({
  launch: launchOf(sharpProgram, false),
  size: 1,
  limits: { timeMs: 20_000, cpuMs: () => Infinity, memoryBytes: 1e9 },
  recycle: { jobs: 100, memoryBytes: 1e9, refused: false },
  idleMs: 60_000,
  eager: false,
  log: { error: () => {} },
});

async function decode(): Promise<string> {
  try {
    return await pool.run({
      priority: 'normal',
      owner: '',
      task: { edge: 400, maxPixels: 200_000_000, maxDecodedPixels: 64_000_000 },
      async *source() {
        yield photo;
      },
      size: photo.length,
      maxAnswerBytes: 1e6,
      use: ({ header }) => (header as { type: string }).type,
    });
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

const taken: number[] = [];
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch {
  // No descriptor is left.
}
const without = await decode();
for (const descriptor of taken) closeSync(descriptor);
console.log(`without: ${without}`);
console.log(`with: ${await decode()}`);
await pool.close();
