import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engines, type Engine } from '../../database/testing.ts';
import { drawPhoto, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { davClient, FOTOBOX } from './testing.ts';

const engine = engines()[0] as Engine;
const decoder = useDecoder([engine]);
const LATER_MS = 11 * 60 * 1000;

/**
 * Programs delete files that they failed to send, and booths delete their tests; neither may remove a photo that was reported as stored.
 */
describe('what a DELETE in the folder of a Fotobox reaches', () => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let root: string;
  let now: number;
  /** Calls of the photo store's `size` wait for it. */
  let held: Promise<void> | undefined;
  beforeEach(async () => {
    now = Date.now();
    held = undefined;
    app = await openApp({
      db: await engine.open(),
      decoder,
      stallMs: 2000,
      clock: { now: () => now },
      wrapStore: (store) => ({
        ...store,
        async size(key) {
          const size = await store.size(key);
          await held;
          return size;
        },
      }),
    });
    event = await app.event({ with_fotobox: 1, with_user_upload: 0 }, { fotobox: FOTOBOX });
    root = `/dav/${event.code}`;
  });
  afterEach(() => app.close());

  const dav = davClient(() => ({ port: app.port, code: event.code }));
  const other = davClient(() => ({ port: app.port, code: event.code, software: 'Booth/2.0' }));
  const rclone = davClient(() => ({ port: app.port, code: event.code, software: 'rclone/v1.60.1-DEV' }));
  const photos = async (): Promise<string[]> => {
    const response = await fetch(`${app.url}/api/events/${event.code}/photos`, { headers: { cookie: event.cookie } });
    return ((await response.json()) as { photos: { filename: string }[] }).photos.map(({ filename }) => filename).toSorted();
  };
  const put = async (path: string, photo: Uint8Array, by = dav): Promise<void> =>
    expect([201, 204]).toContain((await by('PUT', `${root}/${path}`, {}, photo)).status);
  const move = (from: string, to: string) => dav('MOVE', `${root}/${from}`, { destination: `${app.url}${root}/${to}` });

  /** Sends half of a picture and breaks the connection. */
  async function cut(path: string): Promise<void> {
    const photo = await drawPhoto();
    const { promise, resolve } = Promise.withResolvers<void>();
    const authorization = `Basic ${Buffer.from(`${event.code}:${FOTOBOX}`).toString('base64')}`;
    const headers = { authorization, 'user-agent': 'Booth/1.0', 'content-length': String(photo.length), expect: '100-continue' };
    const sending = request({ port: app.port, method: 'PUT', path: `${root}/${path}`, headers });
    // The server has begun to read.
    sending.on('continue', () => sending.write(photo.subarray(0, 100), () => sending.destroy()));
    sending.on('error', () => undefined).on('close', resolve);
    sending.flushHeaders();
    await promise;
  }

  it.each([
    ['is no picture', 415, () => dav('PUT', `${root}/IMG_1.jpg`, {}, 'Einkaufsliste')],
    ['is too large', 413, () => dav('PUT', `${root}/IMG_1.jpg`, {}, Buffer.alloc(6_000_000))],
    ['is a part', 400, async () => dav('PUT', `${root}/IMG_1.jpg`, { 'content-range': 'bytes 0-9/20' }, await drawPhoto())],
    ['is dropped', 413, () => dav('PUT', `${root}/._1.jpg`, {}, Buffer.alloc(1_100_000))],
  ])('is not what was stored under the name of a file that %s', async (_, status, send) => {
    const photo = await drawPhoto();
    await put('IMG_1.jpg', photo);
    await move('IMG_1.jpg', '._1.jpg');
    await put('IMG_1.jpg', photo);
    expect((await send()).status).toBe(status);
    for (const name of ['IMG_1.jpg', '._1.jpg']) await dav('DELETE', `${root}/${name}`);
    expect(await photos()).toHaveLength(1);
    // A later upload takes the name and can be deleted.
    await put('IMG_1.jpg', await drawPhoto());
    expect((await dav('DELETE', `${root}/IMG_1.jpg`)).status).toBe(204);
    expect(await photos()).toHaveLength(1);
  });

  it('is not what was stored under the name of a file whose connection broke, before that is noticed', async () => {
    await put('IMG_1.jpg', await drawPhoto());
    await cut('IMG_1.jpg');
    expect((await dav('DELETE', `${root}/IMG_1.jpg`)).status).toBe(403);
    expect(await photos()).toEqual(['IMG_1.jpg']);
  });

  it('is of rclone a name alone: it deletes after each failure, also where nothing of the file arrived', async () => {
    await put('IMG_1.jpg', await drawPhoto(), rclone);
    expect((await rclone('DELETE', `${root}/IMG_1.jpg`)).status).toBe(204);
    expect((await rclone('PROPFIND', `${root}/IMG_1.jpg`, { depth: '0' })).status).toBe(404);
    expect(await photos()).toEqual(['IMG_1.jpg']);
  });

  it('is not a photo that was found again for another booth, for a form, or under a name that is another’s since', async () => {
    const [first, second, third] = await Promise.all([drawPhoto(), drawPhoto(), drawPhoto()]);
    await put('1.jpg', first);
    await put('1.jpg', first, other);
    expect((await dav('DELETE', `${root}/1.jpg`)).status).toBe(204);
    expect(await photos()).toHaveLength(1);

    await put('2.jpg', second);
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(second)]), '2.jpg');
    const url = `${app.url}${root}/?password=${encodeURIComponent(FOTOBOX)}`;
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200);
    expect((await dav('DELETE', `${root}/2.jpg`)).status).toBe(204);
    expect(await photos()).toHaveLength(2);

    await put('3.jpg', third);
    await put('3.jpg', await drawPhoto());
    await put('4.jpg', third);
    expect((await dav('DELETE', `${root}/4.jpg`)).status).toBe(204);
    expect(await photos()).toHaveLength(4);
  });

  it('is not a file that another one has replaced meanwhile, where software says which one it means (RFC 9110 § 13.1.1)', async () => {
    const etag = async (path: string) => (await dav('HEAD', `${root}/${path}`)).headers.etag as string;
    const ask = (method: string, path: string, ifMatch: string) =>
      dav(method, `${root}/${path}`, { 'if-match': ifMatch, destination: `${app.url}${root}/neu.jpg` });
    await put('1.jpg', await drawPhoto());
    const first = await etag('1.jpg');
    await put('1.jpg', await drawPhoto());
    for (const method of ['DELETE', 'MOVE'] as const) {
      const refused = await ask(method, '1.jpg', first);
      expect([refused.status, refused.body]).toEqual([412, 'Unter diesem Namen liegt inzwischen etwas anderes.\n']);
      expect((await ask(method, 'keine.jpg', '*')).status).toBe(412);
    }
    expect(await photos()).toEqual(['1.jpg', '1.jpg']);
    expect((await ask('MOVE', '1.jpg', `"other", ${await etag('1.jpg')}`)).status).toBe(201);
    expect((await ask('DELETE', 'neu.jpg', '*')).status).toBe(204);
    expect(await photos()).toEqual(['1.jpg']);
  });

  it('is not a photo of long ago whose file is sent again', async () => {
    const photo = await drawPhoto();
    await put('1.jpg', photo);
    now += LATER_MS;
    await put('1.jpg', photo);
    expect((await dav('DELETE', `${root}/1.jpg`)).status).toBe(204);
    expect(await photos()).toEqual(['1.jpg']);
  });

  it('is not what lies in a folder, where a file takes the folder’s name or fails to', async () => {
    await put('Druck/1.jpg', await drawPhoto());
    expect((await dav('PUT', `${root}/Druck`, {}, 'Einkaufsliste')).status).toBe(415);
    await dav('DELETE', `${root}/Druck`);
    await dav('MKCOL', `${root}/Druck`);
    await put('Druck/2.jpg', await drawPhoto());
    await put('neu.jpg', await drawPhoto());
    expect((await move('neu.jpg', 'Druck')).status).toBe(204);
    await put('Druck/3.jpg', await drawPhoto());
    await put('Druck', await drawPhoto());
    expect(await photos()).toHaveLength(5);
    expect((await dav('DELETE', `${root}/Druck`)).status).toBe(204);
    expect(await photos()).toHaveLength(4);
  });

  it('is gone for who sends the same picture meanwhile, and is told to send it once more', async () => {
    const photo = await drawPhoto();
    await put('1.jpg', photo);
    const hold = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    // A thenable that reports the first wait and holds it.
    held = { then: (...done: Parameters<Promise<void>['then']>) => (looked.resolve(), hold.promise.then(...done)) } as Promise<void>;
    const again = dav('PUT', `${root}/2.jpg`, {}, photo);
    await looked.promise;
    expect((await dav('DELETE', `${root}/1.jpg`)).status).toBe(204);
    hold.resolve();
    expect((await again).status).toBe(503);
    expect(await photos()).toEqual([]);
    await put('2.jpg', photo);
    expect(await photos()).toEqual(['2.jpg']);
  });
});
