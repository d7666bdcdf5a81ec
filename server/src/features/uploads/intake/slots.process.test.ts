import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../database/open.ts';
import { engines, type Engine } from '../../../database/testing.ts';
import { createDecoder, type DecoderPools } from '../../../images/create-decoder.ts';
import type { Decoder } from '../../../images/decoder.ts';
import { createLog } from '../../../lib/log.ts';
import { Unavailable } from '../../../lib/errors.ts';
import type { BlobStore } from '../../../storage/blob-store.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../../testing.ts';
import { BYTES, sha256, tusClient } from '../testing.ts';
import { useDecoder } from '../../testing/use-decoder.ts';

/** Slow senders make room after a tenth of this, which is longer than any of these tests: no taken slot is lost. */
const STALL_MS = 1_800_000;

/** Uploads at the same time, of which one event has two thirds, the next one two thirds of the rest, and so on. */
const AT_ONCE = 48;

const engine = engines()[0] as Engine;
const decoder = useDecoder([engine]);
let app: TestApp;
let sockets: Socket[];

interface Opening {
  atOnce?: number;
  stallMs?: number;
  decoder?: Decoder;
  wrapStore?: (store: BlobStore) => BlobStore;
}
async function open(options: Opening = {}): Promise<void> {
  const db: Db = await engine.open();
  app = await openApp({ db, decoder, stallMs: STALL_MS, atOnce: AT_ONCE, ...options });
}
beforeEach(async () => {
  sockets = [];
  await open();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** The beginning of a file. */
const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc';

interface Beginning {
  code?: string;
  device?: string;
  body?: string | Buffer;
  length?: number;
}

/** Begins an upload, by default with a file. */
function begin({ code, device = newDevice(), body = FILE, length = 4_000_000 }: Beginning): Socket {
  const socket = connect(app.port, '127.0.0.1').on('error', () => undefined);
  socket.write(
    `POST /upload HTTP/1.1\r\nHost: x\r\nDevice-Id: ${device}\r\n${code ? `Event-Code: ${code}\r\n` : ''}` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`,
  );
  socket.write(body);
  sockets.push(socket);
  return socket;
}

const beginMany = (count: number, upload: Parameters<typeof begin>[0]) => Array.from({ length: count }, () => begin(upload));
const staged = async () => (await app.leftovers()).staged.length;
const stay = () => expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
const field = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`;

describe('slots for uploads', () => {
  it('are left for other events, however many slow senders one has', async () => {
    const [slow, other] = [await app.event(), await app.event()];
    beginMany(60, { code: slow.code });
    await expect.poll(app.uploads.waiting).toBe(60 - 32);
    expect((await app.upload(other.code, await drawPhoto())).status).toBe(201);
    beginMany(30, { code: other.code });
    await expect.poll(app.uploads.waiting).toBe(28 + 30 - 11);
    expect((await app.upload((await app.event()).code, await drawPhoto())).status).toBe(201);
    stay();
  });

  it('are few for the demo, whose code everybody knows', async () => {
    const demo = await app.event({ demo: 1 });
    beginMany(40, { code: demo.code });
    await expect.poll(app.uploads.waiting).toBe(40 - 16);
    await expect.poll(staged).toBe(16);
    expect((await app.upload((await app.event()).code, await drawPhoto())).status).toBe(201);
    stay();
  });

  it.each(['header', 'form'])('come back when those who have one and those who wait hang up (code in the %s)', async (where) => {
    const { code } = await app.event({ demo: 1 });
    const named = `--b\r\nContent-Disposition: form-data; name="eventCode"\r\n\r\n${code}\r\n`;
    beginMany(40, where === 'header' ? { code } : { body: named + FILE });
    await expect.poll(app.uploads.waiting).toBe(40 - 16);
    for (const socket of sockets) socket.destroy();
    await expect.poll(app.uploads.waiting).toBe(0);
    await expect.poll(staged).toBe(0);
    beginMany(16, { code });
    await expect.poll(staged).toBe(16);
  });

  it('are left for the other devices of an event', async () => {
    const { code } = await app.event();
    beginMany(60, { code, device: newDevice() });
    await expect.poll(app.uploads.waiting).toBe(60 - 16);
    expect((await app.upload(code, await drawPhoto())).status).toBe(201);
    stay();
  });

  it('are not taken by forms that do not say which event they are for', async () => {
    const { code } = await app.event();
    beginMany(60, { body: field('deviceName') });
    await expect.poll(app.uploads.waiting).toBe(60 - 22);
    expect((await app.upload(code, await drawPhoto())).status).toBe(201);
    stay();
    // Senders that hang up while they wait leave the queue.
    for (const socket of sockets.slice(30)) socket.destroy();
    await expect.poll(app.uploads.waiting).toBe(30 - 22);
  });

  it('are given to a form without the header once it says its event, so that it leaves those who do not', async () => {
    const { code } = await app.event();
    const named = `--b\r\nContent-Disposition: form-data; name="eventCode"\r\n\r\n${code}\r\n`;
    beginMany(30, { body: named + FILE });
    await expect.poll(staged).toBe(30);
    expect((await app.upload('', await drawPhoto(), { fields: { eventCode: code } })).status).toBe(201);
    stay();
  });

  it('are lost by slow senders as soon as other devices of the event wait, and by no others', async () => {
    await app.close();
    await open({ stallMs: 30_000 });
    const { code } = await app.event();
    // A guest who has uploaded before may be slow.
    const device = newDevice();
    expect((await app.upload(code, await drawPhoto(), { device })).status).toBe(201);
    const known = begin({ code, device });
    await expect.poll(staged).toBe(1);
    const slow = beginMany(60, { code });
    const timer = setInterval(() => slow.forEach((socket) => socket.write('x'.repeat(120))), 100);
    try {
      await expect.poll(app.uploads.waiting).toBe(61 - 32);
      const from = performance.now();
      expect((await app.upload(code, await drawPhoto({ width: 1200, height: 900 }))).status).toBe(201);
      expect(performance.now() - from).toBeLessThan(22_000);
    } finally {
      clearInterval(timer);
    }
    expect(known.destroyed).toBe(false);
    expect(slow.filter(({ destroyed }) => destroyed).length).toBeLessThan(60);
  });

  it('that wait for a form to name its event end after a quarter of the time for silent senders', async () => {
    await app.close();
    await open({ stallMs: 8000 });
    const from = performance.now();
    const socket = begin({ body: field('deviceName') });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(performance.now() - from).toBeLessThan(7900);
  });

  it('are lost by who sends one field after the other and never a file', async () => {
    await app.close();
    await open({ stallMs: 400 });
    const socket = begin({ body: '' });
    let fields = 0;
    const timer = setInterval(() => {
      fields += 1;
      socket.write(field(`field${fields}`));
    }, 150);
    try {
      await new Promise((resolve) => socket.once('close', resolve));
    } finally {
      clearInterval(timer);
    }
    expect(fields).toBeLessThanOrEqual(8);
  });

  it('for receiving are also released while slow senders are awaited', async () => {
    await app.close();
    await open({ atOnce: 2 * AT_ONCE });
    const { code } = await app.event();
    const slow = beginMany(60, { code });
    await expect.poll(staged).toBe(60);
    const timer = setInterval(() => slow.forEach((socket) => socket.write('x'.repeat(200))), 100);
    try {
      expect((await app.upload(code, await drawPhoto({ width: 1200, height: 900 }))).status).toBe(201);
    } finally {
      clearInterval(timer);
    }
    stay();
  });

  it('for receiving are not held by parts that wait for the photo store', async () => {
    await app.close();
    const held = Promise.withResolvers<void>();
    let waiting = 0;
    const wrapStore = (store: BlobStore): BlobStore => ({
      ...store,
      async adopt(key, path) {
        if (key.includes('/uploads/') && ++waiting) await held.promise;
        await store.adopt(key, path);
      },
    });
    await open({ atOnce: 2 * AT_ONCE, wrapStore });
    const { code } = await app.event();
    const sending = Array.from({ length: 50 }, async () => {
      const device = newDevice();
      const tus = tusClient(() => ({ app, code, device }));
      const path = (await tus.create(9)).headers.location as string;
      return tus.append(path, 0, Buffer.alloc(8));
    });
    // The number exceeds the slots for receiving.
    await expect.poll(() => waiting).toBe(50);
    expect((await app.upload(code, await drawPhoto())).status).toBe(201);
    held.resolve();
    expect((await Promise.all(sending)).every(({ status }) => status === 204)).toBe(true);
  });
});

describe('uploads that wait for a decoder', () => {
  /** Keeps the decoder's only process busy until `finish`. */
  async function occupy(): Promise<{ finish(): void; ended: Promise<unknown> }> {
    const photo = await drawPhoto();
    const reading = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const source = async function* () {
      reading.resolve();
      await gate.promise;
      yield photo;
    };
    const ended = single.decode(source, photo.length, { owner: 'busy' });
    await reading.promise;
    return { finish: gate.resolve, ended };
  }

  let single: DecoderPools;
  beforeAll(() => {
    single = createDecoder({ processes: 1, log: createLog('silent') });
  });
  beforeEach(async () => {
    await app.close();
    await open({ decoder: single });
  });
  afterAll(() => single.close());

  it('keep their slots, so that an event has no more files on the disk than slots', async () => {
    const [demo, event] = [await app.event({ demo: 1 }), await app.event()];
    const { finish, ended } = await occupy();
    const photos = await Promise.all(Array.from({ length: 20 }, () => drawPhoto()));
    const many = photos.map((photo) => app.upload(demo.code, photo));
    await expect.poll(single.waiting).toMatchObject({ sharp: 16 });
    await expect.poll(app.uploads.waiting).toBe(4);
    const other = app.upload(event.code, await drawPhoto());
    await expect.poll(staged).toBe(17);
    finish();
    await ended;
    expect((await Promise.all([...many, other])).map(({ status }) => status)).toEqual(Array(21).fill(201));
    expect(await staged()).toBe(0);
  });

  it('keep them also where all their bytes had arrived before, and only the photo is still to be made', async () => {
    await app.close();
    let down = true;
    const wrapStore = (store: BlobStore): BlobStore => ({
      ...store,
      adopt: (key, path) => (down && key.endsWith('.original') ? Promise.reject(new Unavailable('store', null)) : store.adopt(key, path)),
    });
    await open({ decoder: single, wrapStore });
    const { code } = await app.event({ demo: 1 });
    const uploads = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const [photo, device] = [await drawPhoto(), newDevice()];
        const tus = tusClient(() => ({ app, code, device }));
        const path = (await tus.create(photo.length)).headers.location as string;
        expect((await tus.append(path, 0, photo)).status).toBe(503);
        return () => tus.append(path, photo.length, Buffer.alloc(0));
      }),
    );
    down = false;
    const { finish, ended } = await occupy();
    const photos = uploads.map((complete) => complete());
    await expect.poll(single.waiting).toMatchObject({ sharp: 16 });
    await expect.poll(app.uploads.waiting).toBe(4);
    expect(await staged()).toBe(16);
    finish();
    await ended;
    expect((await Promise.all(photos)).map(({ status }) => status)).toEqual(Array(20).fill(201));
  });

  it('are dropped with their file when their sender is gone', async () => {
    const event = await app.event();
    const { finish, ended } = await occupy();
    const photo = await drawPhoto();
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
    const tail = '\r\n--b--\r\n';
    const form = Buffer.concat([Buffer.from(head), photo, Buffer.from(tail)]);
    const leaving = begin({ code: event.code, body: form, length: form.length });
    const staying = app.upload(event.code, await drawPhoto());
    await expect.poll(single.waiting).toMatchObject({ sharp: 2 });
    leaving.destroy();
    await expect.poll(staged).toBe(1);
    expect(single.waiting()).toMatchObject({ sharp: 1 });
    finish();
    await ended;
    expect((await staying).status).toBe(201);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 1 });
  });

  it('are kept, and the photo is stored, where a sender by tus is gone once all its bytes are there', async () => {
    const { id, code } = await app.event();
    const { finish, ended } = await occupy();
    const [photo, device] = [await drawPhoto(), newDevice()];
    const tus = tusClient(() => ({ app, code, device }));
    const path = (await tus.create(photo.length)).headers.location as string;
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-length': String(photo.length), ...BYTES };
    await tus.breakOff('PATCH', path, headers, photo, async () => single.waiting().sharp === 1);
    const back = tus.append(path, photo.length, Buffer.alloc(0));
    finish();
    await ended;
    await expect.poll(async () => (await app.row(id)).photo_count).toBe(1);
    const { status, body } = await back;
    expect([200, 201]).toContain(status);
    expect(sha256(await tus.download(JSON.parse(body).photo.id))).toEqual(sha256(photo));
    await expect.poll(staged).toBe(0);
  });
});
