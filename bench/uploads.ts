import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminOf, createEvent, deviceOf } from '../e2e/support/api.ts';
import { startServer } from '../e2e/support/server.ts';
import { benchPhotos } from './photos.ts';
import { bareDecoders } from './support/bare-decoders.ts';
import { manyOf, runLoad } from './support/load.ts';
import { readDelays } from './support/loop-delay.ts';
import { quiet, treeCpuMs } from './support/processes.ts';
import { note, promise, round } from './support/report.ts';

/** Uploads of 12 MP JPEGs from 16 connections, compared with bare decoders of the same pictures on all cores. */
const PHOTOS = 480;
/** Uploads before the measurement: a server's first seconds are slower than the rest of its life. */
const WARM_UP = 160;
const CONNECTIONS = 16;

export async function benchUploads(): Promise<void> {
  const pictures = await benchPhotos(8);
  const bare = await bareDecoders(pictures, PHOTOS);
  const delays = join(tmpdir(), `loop-delay-${process.pid}.json`);
  const server = await startServer({
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'support/loop-delay.mjs')}`,
    LOOP_DELAY_FILE: delays,
  });
  try {
    const event = await createEvent(await adminOf(server.url));
    const device = await deviceOf(server.url);
    const load = { url: server.url, code: event.code, devices: [device], connections: CONNECTIONS };
    await runLoad({ ...load, files: manyOf(pictures, WARM_UP, 'warm') });
    const root = server.process.pid as number;
    await readDelays(root, delays);
    const cpuAtStartMs = treeCpuMs(root);
    const result = await runLoad({ ...load, files: manyOf(pictures, PHOTOS) });
    const cpuMs = treeCpuMs(root) - cpuAtStartMs;
    const loop = await readDelays(root, delays);
    await quiet(root);
    const allMs = treeCpuMs(root) - cpuAtStartMs;
    await server.stop();
    const after = await bareDecoders(pictures, PHOTOS);
    const limit = (bare + after) / 2;
    note(`answers by status: ${JSON.stringify(result.statuses)}`);
    note(`bare decoders before and after: ${round(bare)}/s, ${round(after)}/s; uploads ${round(result.perSecond)}/s`);
    note(
      `CPU a photo: ${round((loop.cpuSeconds / PHOTOS) * 1000)} ms in the server, ${round(cpuMs / PHOTOS)} ms with its decoders until the last is answered, ${round(allMs / PHOTOS)} ms with all work; loop delay p50 ${round(loop.p50)} ms, max ${round(loop.max)} ms`,
    );
    promise('CPU of a photo with all its work, its preview too', allMs / PHOTOS, '<=', 100, ' ms');
    promise('the same / that of a bare thumbnail', allMs / PHOTOS / ((availableParallelism() * 1000) / limit), '<=', 2.4);
    promise('uploads answered per second / bare thumbnails per second', result.perSecond / limit, '>=', 0.7);
    promise('event-loop delay p99', loop.p99, '<=', 50, ' ms');
  } finally {
    await server.dispose();
    rmSync(delays, { force: true });
  }
}
