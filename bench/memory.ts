import { MB } from '@feierbild/contract/constants.ts';
import sharp from 'sharp';
import { adminOf, createEvent, deviceOf } from '../e2e/support/api.ts';
import { startServer } from '../e2e/support/server.ts';
import { benchPhotos } from './photos.ts';
import { manyOf, runLoad } from './support/load.ts';
import { median } from './support/median.ts';
import { quiet, treeMemory, watchMemory } from './support/processes.ts';
import { note, promise, round } from './support/report.ts';

/** Runs whose median counts: a peak depends on the time of garbage collections. */
const RUNS = 3;
const UPLOADS = 200;
const FEWER = 50;
/** Size of a photo that a phone's browser has shrunk. */
const PHOTO_BYTES = 1.3 * MB;
/** Wait after the last work, a little longer than the time after which idle decoders end. */
const REST_MS = 65_000;

/**
 * Measures memory of the server, its decoders and their sandboxes while guests upload at once, until their previews are made: the
 * proportional set size, in which pages that processes share count once. Small photos are also measured a minute later; large ones also
 * with 50 senders at once, because memory must not grow with their number.
 */
export async function benchMemory(): Promise<void> {
  const large = await benchPhotos(4);
  const small = await Promise.all(large.map(smaller));
  const runs: { small: Measured; many: Measured; few: Measured }[] = [];
  while (runs.length < RUNS) {
    const run = {
      small: await measure(small, UPLOADS, { rest: true }),
      many: await measure(large, UPLOADS),
      few: await measure(large, FEWER),
    };
    runs.push(run);
    note(
      `1.3 MB: peak ${inMB(run.small.peak)}, a minute after the last work ${inMB(run.small.after)}; ` +
        `5 MB: peak ${inMB(run.many.peak)} with ${UPLOADS} at once, ${inMB(run.few.peak)} with ${FEWER}`,
    );
  }
  const of = (figure: (run: (typeof runs)[0]) => number): number => median(runs.map(figure)) / MB;
  promise(
    `memory of all processes, ${UPLOADS} uploads of 1.3 MB at once and their previews`,
    of(({ small: { peak } }) => peak),
    '<=',
    450,
    ' MB',
  );
  promise(
    'the same, a minute later',
    of(({ small: { after } }) => after),
    '<=',
    300,
    ' MB',
  );
  promise(`the same with 5 MB, the highest of ${RUNS}`, Math.max(...runs.map(({ many }) => many.peak)) / MB, '<=', 460, ' MB');
  promise(`5 MB, ${UPLOADS} at once / ${FEWER}`, of(({ many }) => many.peak) / of(({ few }) => few.peak), '<=', 1.1);
}

const inMB = (bytes: number): string => `${round(bytes / MB)} MB`;

interface Measured {
  peak: number;
  /** Memory a minute after the last work; without that rest, the peak. */
  after: number;
}

async function smaller(picture: Buffer): Promise<Buffer> {
  for (let quality = 80; ; quality -= 5) {
    const photo = await sharp(picture).jpeg({ quality }).toBuffer();
    if (photo.length <= PHOTO_BYTES) return photo;
  }
}

/** Sends UPLOADS photos, `connections` at once. */
async function measure(pictures: Uint8Array[], connections: number, { rest = false } = {}): Promise<Measured> {
  const server = await startServer();
  try {
    const root = server.process.pid as number;
    const event = await createEvent(await adminOf(server.url));
    // In sequence, as two hundred idle connections would change the measurement.
    const devices: string[] = [];
    while (devices.length < connections) devices.push(await deviceOf(server.url));
    const memory = watchMemory(root);
    const files = manyOf(pictures, UPLOADS);
    const result = await runLoad({ url: server.url, code: event.code, devices, connections, files });
    if (result.statuses[201] !== UPLOADS) throw new Error(`not all uploads were taken: ${JSON.stringify(result.statuses)}`);
    await quiet(root);
    const peak = memory.stop();
    if (!rest) return { peak, after: peak };
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return { peak, after: treeMemory(root) };
  } finally {
    await server.dispose();
  }
}
