import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createDecoder } from '../server/src/images/create-decoder.ts';
import { benchPhotos } from './photos.ts';
import { note, promise, round } from './support/report.ts';

/** Thumbnails through the decoder's pool over what two bare sharp processes make of the same pictures. */
const PHOTOS = 160;
const PROCESSES = 2;
/** Bytes of one read of a sealed file. */
const PIECE = 262_144;

export async function benchDecoder(): Promise<void> {
  const pictures = await benchPhotos(8);
  const before = await bare(pictures);
  const cpu = process.cpuUsage();
  const pooled = await throughPool(pictures);
  const { user, system } = process.cpuUsage(cpu);
  const after = await bare(pictures);
  note(`bare ${round(before)}/s and ${round(after)}/s, through the pool ${round(pooled)}/s`);
  note(`${round((user + system) / 1000 / PHOTOS)} ms CPU a photo outside of the decoders`);
  promise('thumbnails through the pool / bare', pooled / ((before + after) / 2), '>=', 0.85);
}

async function bare(pictures: Buffer[]): Promise<number> {
  const script = join(import.meta.dirname, 'support/bare-decoder.mjs');
  const children = Array.from({ length: PROCESSES }, () => fork(script, { serialization: 'advanced', env: { MALLOC_ARENA_MAX: '2' } }));
  const all = (message: object) =>
    Promise.all(children.map((child) => new Promise((resolve) => child.once('message', resolve) && child.send(message))));
  await all({ pictures });
  const started = performance.now();
  await all({ count: PHOTOS / PROCESSES });
  const seconds = (performance.now() - started) / 1000;
  for (const child of children) child.kill();
  return PHOTOS / seconds;
}

async function throughPool(pictures: Buffer[]): Promise<number> {
  const decoder = createDecoder({ processes: PROCESSES, log: console });
  const decode = (picture: Buffer) => decoder.decode(() => inPieces(picture), picture.length, { owner: '' });
  await Promise.all(pictures.map(decode));
  const started = performance.now();
  await Promise.all(Array.from({ length: PHOTOS }, (_, n) => decode(pictures[n % pictures.length] as Buffer)));
  const seconds = (performance.now() - started) / 1000;
  await decoder.close();
  return PHOTOS / seconds;
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE);
}
