import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Photo } from '@feierbild/contract/entities.ts';
import sharp from 'sharp';
import { adminOf, createEvent, deviceOf, hostOf, type Client, type EventUnderTest } from '../e2e/support/api.ts';
import { startServer } from '../e2e/support/server.ts';
import { choiceToWall, film } from './first-light-wall.ts';
import { benchPhotos } from './photos.ts';
import { bareDecoders } from './support/bare-decoders.ts';
import { manyOf, type BenchFile } from './support/load.ts';
import { createPhone, type Phone, type PhoneAnswer } from './support/phone.ts';
import { treeCpuMs } from './support/processes.ts';
import { note, promise, round } from './support/report.ts';

const PHOTOS = 320;
const CONNECTIONS = 16;
/** Photos of a night; the original of every tenth never comes. */
const GUESTS_PHOTOS = 2000;
/** BENCH_PARTS=wall runs that part alone; `night` and `film` run only if named. */
const PARTS = (process.env.BENCH_PARTS ?? 'wall,load').split(',');

/** Measures photos whose previews come first. */
export async function benchFirstLight(): Promise<void> {
  if (PARTS.includes('wall')) await choiceToWall();
  if (PARTS.includes('load')) await load();
  if (PARTS.includes('night')) await night();
  if (PARTS.includes('film')) await film();
}

/** Draws a preview as phones do. */
const drawn = (photo: Uint8Array): Promise<Buffer> =>
  sharp(photo).rotate().resize(1600, 1600, { fit: 'inside' }).jpeg({ quality: 72 }).toBuffer();

const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Sent {
  code: string;
  device: string;
  phone: Phone;
}

/** Sends the preview, then the original, as the page does; without `comes` the original never follows. */
async function sendBoth({ code, device, phone }: Sent, preview: Uint8Array, original: BenchFile, comes = true): Promise<PhoneAnswer> {
  const path = `/uploads/${randomBytes(16).toString('base64url')}`;
  const tus = { 'tus-resumable': '1.0.0', 'device-id': device };
  const about = {
    'upload-length': String(original.reduce((sum, { length }) => sum + length, 0)),
    'upload-metadata': `filename ${base64('IMG.jpg')},eventCode ${base64(code)},deviceName ${base64('Anna')}`,
  };
  const announced = await phone.ask('PUT', `${path}/preview`, { ...tus, ...about, 'content-type': 'image/jpeg' }, [preview]);
  if (announced.status !== 201 || !comes) return announced;
  return phone.ask('PATCH', path, { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }, original);
}

/** Measures photos of 12 MP with their previews from 16 connections. */
async function load(): Promise<void> {
  const pictures = await benchPhotos(8);
  const previews = await Promise.all(pictures.map(drawn));
  const bare = await bareDecoders(pictures, PHOTOS);
  const server = await startServer();
  try {
    const admin = await adminOf(server.url);
    const event = await createEvent(admin);
    const sender = { code: event.code, device: await deviceOf(server.url) };
    const files = manyOf(pictures, PHOTOS);
    const root = server.process.pid as number;
    const cpuMs = treeCpuMs(root);
    const statuses: Record<number, number> = {};
    /** Measures answers per second, for previews alone or with their originals. */
    const rateOf = async (comes: boolean): Promise<number> => {
      const phone = createPhone(server.url, CONNECTIONS);
      let next = 0;
      const began = performance.now();
      const connection = async (): Promise<void> => {
        for (let n = next++; n < PHOTOS; n = next++) {
          const { status } = await sendBoth({ ...sender, phone }, previews[n % previews.length] as Buffer, files[n] as BenchFile, comes);
          statuses[status] = (statuses[status] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, connection));
      phone.close();
      return PHOTOS / ((performance.now() - began) / 1000);
    };
    const perSecond = await rateOf(true);
    const answeredMs = (treeCpuMs(root) - cpuMs) / PHOTOS;
    await settled(await hostOf(server.url, event), event, PHOTOS);
    const allMs = (treeCpuMs(root) - cpuMs) / PHOTOS;
    const shownFrom = treeCpuMs(root);
    const shown = await rateOf(false);
    const shownMs = (treeCpuMs(root) - shownFrom) / PHOTOS;
    note(`answers by status: ${JSON.stringify(statuses)}; ${round(perSecond)}/s, previews alone ${round(shown)}/s, bare ${round(bare)}/s`);
    note(`CPU of a preview: ${round(shownMs)} ms; of a photo until it is answered: ${round(answeredMs)} ms`);
    promise('12 MP photos shown by their previews per second / bare thumbnails per second', shown / bare, '>=', 1.6);
    promise('12 MP with previews answered per second / bare thumbnails per second', perSecond / bare, '>=', 0.85);
    promise('CPU of a photo, preview to stored', allMs, '<=', 95, ' ms');
  } finally {
    await server.dispose();
  }
}

/** Waits until no photo is `announced` or `received` any more. */
async function settled(host: Client, event: EventUnderTest, count: number): Promise<Photo[]> {
  for (;;) {
    const { photos } = await host.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/slideshow`);
    if (photos.length >= count && photos.every(({ state }) => state === 'stored' || state === 'unreadable')) return photos;
    await pause(500);
  }
}

/** Sends photos, every tenth without its original, and kills the server among them; checks the host's photos in the morning. */
async function night(): Promise<void> {
  const pictures = await Promise.all((await benchPhotos(4)).map((photo) => sharp(photo).resize(1800).jpeg({ quality: 80 }).toBuffer()));
  const previews = await Promise.all(pictures.map(drawn));
  const server = await startServer();
  try {
    const event = await createEvent(await adminOf(server.url));
    const devices = await Promise.all(Array.from({ length: 20 }, () => deviceOf(server.url)));
    let next = 0;
    const connection = async (phone: Phone, until: number): Promise<void> => {
      for (let n = next++; n < until; n = next++) {
        const original = [pictures[n % pictures.length] as Buffer, randomBytes(16)];
        const from = { code: event.code, phone, device: devices[n % devices.length] as string };
        const { status } = await sendBoth(from, previews[n % previews.length] as Buffer, original, n % 10 !== 9);
        if (status !== 201) throw new Error(`photo ${n}: ${status}`);
      }
      next--;
    };
    for (const until of [GUESTS_PHOTOS / 2, GUESTS_PHOTOS]) {
      const phone = createPhone(server.url, CONNECTIONS);
      await Promise.all(Array.from({ length: CONNECTIONS }, () => connection(phone, until)));
      phone.close();
      // The next server decodes the photos that this one has received.
      if (until < GUESTS_PHOTOS) await server.kill().then(() => server.restart());
    }
    const host = await hostOf(server.url, event);
    const comes = (GUESTS_PHOTOS * 9) / 10;
    const states = async () => {
      const { photos } = await host.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/slideshow`);
      return Object.fromEntries(Object.entries(Object.groupBy(photos, ({ state }) => state)).map(([state, of]) => [state, of.length]));
    };
    await host.json('POST', `/api/events/${event.code}/create-zip`, { previews: true });
    let zip = { status: 'processing', photos: 0 };
    for (; zip.status === 'processing'; zip = await host.json('GET', `/api/events/${event.code}/zip-progress`)) await pause(1000);
    const found = await states();
    note(`${JSON.stringify(found)}; ZIP ${JSON.stringify(zip)}`);
    promise('photos of a night whose originals are stored', found['stored'] ?? 0, '>=', comes);
    promise('those in its ZIP', zip.photos, '>=', comes);
    promise('photos of it of which the preview is there', found['announced'] ?? 0, '>=', GUESTS_PHOTOS - comes);
    const { storage } = await host.json<{ storage: { photos: { count: number } } }>('GET', `/api/events/${event.code}`);
    promise('photos that the event counts', storage.photos.count, '<=', comes);
  } finally {
    await server.dispose();
  }
}
