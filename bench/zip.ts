import { MB } from '@feierbild/contract/constants.ts';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { adminOf, cookieOf, createEvent, deviceOf, hostOf, type Client } from '../e2e/support/api.ts';
import { drawPhoto } from '../e2e/support/photos.ts';
import { startServer } from '../e2e/support/server.ts';
import { benchPhotos } from './photos.ts';
import { manyOf, runLoad } from './support/load.ts';
import { quiet, watchMemory } from './support/processes.ts';
import { note, promise, round } from './support/report.ts';

const SMALL = 5000;
const LARGE = 300;
const RUNS = 3;

/** Measures making a ZIP of 5,000 photos, and downloading one of real sizes against a plain file of the same bytes. */
export async function benchZip(): Promise<void> {
  await ready();
  await download();
}

async function ready(): Promise<void> {
  const server = await startServer();
  try {
    const event = await createEvent(await adminOf(server.url));
    const tiny = await drawPhoto(1, 64, 48);
    const load = { url: server.url, code: event.code, devices: [await deviceOf(server.url)], connections: 16 };
    const { statuses } = await runLoad({ ...load, files: manyOf([tiny], SMALL) });
    if (statuses[201] !== SMALL) throw new Error(`not all uploads were taken: ${JSON.stringify(statuses)}`);
    const seconds = await makeZip(await hostOf(server.url, event), event.code);
    promise(`ZIP of ${SMALL} photos ready`, seconds, '<=', 1, ' s');
  } finally {
    await server.dispose();
  }
}

async function makeZip(host: Client, code: string): Promise<number> {
  const started = performance.now();
  await host.json('POST', `/api/events/${code}/create-zip`, undefined, 202);
  for (;;) {
    const { status } = await host.json<{ status: string }>('GET', `/api/events/${code}/zip-progress`);
    if (status === 'complete') return (performance.now() - started) / 1000;
    if (status === 'failed') throw new Error('the ZIP failed');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function download(): Promise<void> {
  const server = await startServer();
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-zip-'));
  const plain = join(folder, 'plain.zip');
  const files = createServer(
    (_, response) => void pipeline(createReadStream(plain, { highWaterMark: 256 * 1024 }), response).catch(() => undefined),
  );
  try {
    const event = await createEvent(await adminOf(server.url));
    const load = { url: server.url, code: event.code, devices: [await deviceOf(server.url)], connections: 16 };
    await runLoad({ ...load, files: manyOf(await benchPhotos(4), LARGE) });
    const host = await hostOf(server.url, event);
    await makeZip(host, event.code);
    const cookie = cookieOf(host);
    const zip = { url: `${server.url}/api/events/${event.code}/download`, headers: { cookie } };
    await save(zip, plain);
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    const file = { url: `http://127.0.0.1:${(files.address() as AddressInfo).port}/`, headers: {} };
    const { size } = await stat(plain);

    // Making the previews of the uploaded photos must not change the measurement of downloads.
    await quiet(server.process.pid as number);
    const ratios: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const [ours, theirs] = [await drain(zip), await drain(file)];
      note(`${round(size / MB)} MB: ZIP ${round(size / MB / ours)} MB/s, plain file ${round(size / MB / theirs)} MB/s`);
      ratios.push(theirs / ours);
    }
    // Memory has a run of its own, because reading it slows the process down.
    const before = watchMemory(server.process.pid as number).stop();
    const memory = watchMemory(server.process.pid as number);
    await drain(zip);
    const peak = memory.stop();
    promise('ZIP download / plain file stream (median)', ratios.toSorted((a, b) => a - b)[1] as number, '>=', 0.6);
    promise('memory gained while downloading', (peak - before) / MB, '<=', 60, ' MB');
  } finally {
    files.closeAllConnections();
    files.close();
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Source {
  url: string;
  headers: Record<string, string>;
}

function get({ url, headers }: Source): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request(url, { headers }, resolve).once('error', reject).end());
}

async function save(source: Source, path: string): Promise<void> {
  await writeFile(path, await get(source));
}

/** Measures the seconds until all bytes are received. */
async function drain(source: Source): Promise<number> {
  const started = performance.now();
  const answer = await get(source);
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(answer, 'end');
  if (bytes === 0) throw new Error('no bytes');
  return (performance.now() - started) / 1000;
}
