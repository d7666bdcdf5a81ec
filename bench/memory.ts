import { adminOf, createEvent, deviceOf } from '../e2e/support/api.ts';
import { startServer } from '../e2e/support/server.ts';
import { benchPhotos } from './photos.ts';
import { manyOf, runLoad } from './support/load.ts';
import { watchMemory } from './support/memory.ts';
import { note, promise, round } from './support/report.ts';

const MB = 1_000_000;

/** Memory of the server and its decoders while many guests upload 5 MB at once. */
export async function benchMemory(): Promise<void> {
  const pictures = await benchPhotos(4);
  const few = await peak(pictures, 50);
  const many = await peak(pictures, 200);
  note(`peak with 50 uploads at once ${round(few / MB)} MB, with 200 ${round(many / MB)} MB`);
  promise('memory of all server processes, 200 uploads at once', many / MB, '<=', 600, ' MB');
  promise('memory with 200 uploads at once / with 50', many / few, '<=', 1.1);
}

async function peak(pictures: Uint8Array[], connections: number): Promise<number> {
  const server = await startServer();
  try {
    const event = await createEvent(await adminOf(server.url));
    const device = await deviceOf(server.url);
    const memory = watchMemory(server.process.pid as number);
    const result = await runLoad({ url: server.url, code: event.code, device, connections, files: manyOf(pictures, 200) });
    const bytes = memory.stop();
    if (result.statuses[201] !== 200) throw new Error(`not all uploads were taken: ${JSON.stringify(result.statuses)}`);
    return bytes;
  } finally {
    await server.dispose();
  }
}
