import { availableParallelism } from 'node:os';
import { createDecoder } from '../server/src/images/create-decoder.ts';
import { benchPhotos } from './photos.ts';
import { bareDecoders } from './support/bare-decoders.ts';
import { note, promise, round } from './support/report.ts';

/** Thumbnails compared between the decoder's pool and as many bare sharp processes. */
const PHOTOS = 160;
const PROCESSES = Math.max(2, availableParallelism());
/** Bytes of one read of a sealed file. */
const PIECE_BYTES = 262_144;

export async function benchDecoder(): Promise<void> {
  const pictures = await benchPhotos(8);
  const before = await bareDecoders(pictures, PHOTOS);
  const cpu = process.cpuUsage();
  const pooled = await throughPool(pictures);
  const { user, system } = process.cpuUsage(cpu);
  const after = await bareDecoders(pictures, PHOTOS);
  note(`bare ${round(before)}/s and ${round(after)}/s, through the pool ${round(pooled)}/s`);
  note(`${round((user + system) / 1000 / PHOTOS)} ms CPU a photo outside of the decoders`);
  promise('thumbnails through the pool / bare', pooled / ((before + after) / 2), '>=', 0.85);
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
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
}
