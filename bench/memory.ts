import sharp from 'sharp';
import { adminOf, createEvent, deviceOf } from '../e2e/support/api.ts';
import { startServer } from '../e2e/support/server.ts';
import { benchPhotos } from './photos.ts';
import { manyOf, runLoad } from './support/load.ts';
import { median } from './support/median.ts';
import { quiet, treeMemory, watchMemory } from './support/memory.ts';
import { note, promise, round } from './support/report.ts';

const MB = 1_000_000;
/** Each peak depends on when the collector ran: a single one says little. */
const RUNS = 3;
const UPLOADS = 200;
/** Bytes of a photo that a phone's browser has made smaller. */
const PHOTO_BYTES = 1.3 * MB;
/** When all work has ended: the time after which idle decoders end, and some. */
const REST_MS = 65_000;

/**
 * Memory of the server, its decoders and their sandboxes while 200 guests upload at once, until their previews are made and a
 * minute after: the proportional set size, in which pages that processes share count once.
 */
export async function benchMemory(): Promise<void> {
  const pictures = await Promise.all((await benchPhotos(4)).map(smaller));
  const runs: Measured[] = [];
  while (runs.length < RUNS) {
    runs.push(await measure(pictures));
    const { peak, after } = runs.at(-1) as Measured;
    note(`peak ${round(peak / MB)} MB, a minute after the last work ${round(after / MB)} MB`);
  }
  promise(
    'memory of all processes, 200 uploads of 1.3 MB at once and their previews',
    median(runs.map(({ peak }) => peak)) / MB,
    '<=',
    450,
    ' MB',
  );
  promise('the same, a minute later', median(runs.map(({ after }) => after)) / MB, '<=', 300, ' MB');
}

interface Measured {
  peak: number;
  after: number;
}

async function smaller(picture: Buffer): Promise<Buffer> {
  for (let quality = 80; ; quality -= 5) {
    const photo = await sharp(picture).jpeg({ quality }).toBuffer();
    if (photo.length <= PHOTO_BYTES) return photo;
  }
}

async function measure(pictures: Uint8Array[]): Promise<Measured> {
  const server = await startServer();
  try {
    const root = server.process.pid as number;
    const event = await createEvent(await adminOf(server.url));
    // One after the other: two hundred idle connections would change the measurement.
    const devices: string[] = [];
    while (devices.length < UPLOADS) devices.push(await deviceOf(server.url));
    const memory = watchMemory(root);
    const files = manyOf(pictures, UPLOADS);
    const result = await runLoad({ url: server.url, code: event.code, devices, connections: UPLOADS, files });
    if (result.statuses[201] !== UPLOADS) throw new Error(`not all uploads were taken: ${JSON.stringify(result.statuses)}`);
    await quiet(root);
    const peak = memory.stop();
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return { peak, after: treeMemory(root) };
  } finally {
    await server.dispose();
  }
}
