import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { tcpProxy } from '../../testing/tcp-proxy.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('an upload whose sender is slow or leaves, on $name', (engine) => {
  let app: TestApp;
  const open = async (options: Partial<Parameters<typeof openApp>[0]> = {}) => {
    app = await openApp({ db: await engine.open(), decoder, ...options });
  };
  beforeEach(() => open());
  afterEach(() => app.close());

  const nothing = { staged: [], blobs: [] };

  it('is refused early with an answer that the client gets to read although it is still sending', async () => {
    const answer = await app.upload('ZZZZZZZZ', Buffer.alloc(4_900_000));
    expect(answer).toMatchObject({ status: 404, code: 'event_not_found' });
  });

  it.each(['midway', 'before the end of the form'])('leaves nothing when the connection is cut %s', async (when) => {
    const event = await app.event();
    const photo = await drawPhoto({ width: 800, height: 600 });
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n';
    const sent = when === 'midway' ? photo.subarray(0, photo.length / 2) : Buffer.concat([photo, Buffer.from('\r\n--b\r\nContent-Dispo')]);
    const socket = connect(app.port, '127.0.0.1');
    socket.write(
      `POST /upload HTTP/1.1\r\nHost: x\r\nDevice-ID: ${newDevice()}\r\nEvent-Code: ${event.code}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${head.length + photo.length + 200}\r\n\r\n${head}`,
    );
    socket.write(sent);
    await expect.poll(async () => (await app.leftovers()).staged.length).toBe(1);
    socket.destroy();
    await expect.poll(() => app.leftovers()).toEqual(nothing);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 0, used_bytes: 0 });
  });

  /** Opens connections that begin an upload and then fall silent; `ended` resolves when all of them are closed. */
  const silentSenders = (code: string, count: number): { sockets: Socket[]; ended: Promise<unknown>; hangUp(): void } => {
    const sockets = Array.from({ length: count }, () => {
      const socket = connect(app.port, '127.0.0.1').on('error', () => undefined);
      socket.write(
        `POST /upload HTTP/1.1\r\nHost: x\r\nDevice-Id: ${newDevice()}\r\nEvent-Code: ${code}\r\n` +
          'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 400000\r\n\r\n' +
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc',
      );
      return socket;
    });
    return {
      sockets,
      ended: Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))),
      hangUp: () => sockets.forEach((socket) => socket.destroy()),
    };
  };

  it('does not wait for slow senders, however many of them have begun', async () => {
    const event = await app.event();
    const slow = silentSenders(event.code, 200);
    await expect.poll(async () => (await app.leftovers()).staged.length).toBe(200);
    expect((await app.upload(event.code, await drawPhoto())).status).toBe(201);
    expect((await app.leftovers()).staged.length).toBe(200);
    slow.hangUp();
    await expect.poll(async () => (await app.leftovers()).staged).toEqual([]);
  });

  it('loses its form when nothing of it comes any more, so that the others are not held up', async () => {
    await app.close();
    const atOnce = 64;
    await open({ atOnce, stallMs: 2000 });
    const event = await app.event();
    // The silent senders fill all slots, and as many again wait.
    const silent = silentSenders(event.code, 2 * atOnce);
    await expect.poll(async () => (await app.leftovers()).staged.length).toBeGreaterThan(32);
    expect((await app.upload(event.code, await drawPhoto())).status).toBe(201);
    await silent.ended;
    await expect.poll(async () => (await app.leftovers()).staged).toEqual([]);
  });

  it('loses its form, too, when a byte comes now and then', async () => {
    await app.close();
    await open({ stallMs: 300 });
    const event = await app.event();
    const trickle = silentSenders(event.code, 1);
    const timer = setInterval(() => trickle.sockets[0]?.write('x'), 50);
    try {
      await trickle.ended;
    } finally {
      clearInterval(timer);
    }
    await expect.poll(() => app.leftovers()).toEqual(nothing);
  });
});

const postgres = all.find(({ name }) => name === 'postgres');

describe.runIf(postgres)('an upload over a line to PostgreSQL that breaks', () => {
  it('keeps its bytes where the commit lands later than it is looked for, and its repeat finds them', async () => {
    const direct = await postgres!.open();
    const url = new URL(postgres!.location(direct).url!);
    const proxy = await tcpProxy(Number(url.port));
    url.port = String(proxy.port);
    const db = await openDatabase({ url: url.href, file: '' }, { schema: 'migrate' });
    const app = await openApp({ db, decoder });
    try {
      const { code } = await app.event();
      const [photo, device] = [await drawPhoto(), newDevice()];
      proxy.cutAt('insert into "photos"', 1500);
      expect(await app.upload(code, photo, { device })).toMatchObject({ status: 503, code: 'unavailable' });
      await expect.poll(() => direct.kysely.selectFrom('photos').select('id').execute()).toHaveLength(1);
      const again = await app.upload(code, photo, { device });
      expect(again.status).toBe(200);
      const { original_url, thumbnail_url } = again.photo;
      for (const path of [original_url, thumbnail_url]) {
        expect((await fetch(app.url + path, { headers: { 'device-id': device } })).status).toBe(200);
      }
    } finally {
      await app.close();
      await db.close();
      await proxy.close();
    }
  });
});
