import { adminOf, createEvent, deviceOf } from '../e2e/support/api.ts';
import { startServer } from '../e2e/support/server.ts';
import { benchPhotos } from './photos.ts';
import { manyOf, runLoad } from './support/load.ts';
import { median } from './support/median.ts';
import { watchMemory } from './support/memory.ts';
import { note, promise, round } from './support/report.ts';

const MB = 1_000_000;
/** A peak depends on when the collector ran: a single pair says little. */
const RUNS = 5;

/** Memory of the server and its decoders while many guests upload 5 MB at once. */
export async function benchMemory(): Promise<void> {
  const pictures = await benchPhotos(4);
  const few: number[] = [];
  const many: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    few.push(await peak(pictures, 50));
    many.push(await peak(pictures, 200));
  }
  const inMB = (peaks: number[]): string => peaks.map((bytes) => round(bytes / MB)).join(', ');
  note(`peaks with 50 uploads at once ${inMB(few)} MB, with 200 ${inMB(many)} MB`);
  promise('memory of all server processes, 200 uploads at once', Math.max(...many) / MB, '<=', 600, ' MB');
  promise('memory with 200 uploads at once / with 50', median(many) / median(few), '<=', 1.1);
}

async function peak(pictures: Uint8Array[], connections: number): Promise<number> {
  const server = await startServer();
  try {
    const event = await createEvent(await adminOf(server.url));
    // One after the other: two hundred idle connections would take part in what is measured.
    const devices: string[] = [];
    while (devices.length < connections) devices.push(await deviceOf(server.url));
    const memory = watchMemory(server.process.pid as number);
    const result = await runLoad({ url: server.url, code: event.code, devices, connections, files: manyOf(pictures, 200) });
    const bytes = memory.stop();
    if (result.statuses[201] !== 200) throw new Error(`not all uploads were taken: ${JSON.stringify(result.statuses)}`);
    return bytes;
  } finally {
    await server.dispose();
  }
}
