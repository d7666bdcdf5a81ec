import { MB } from '@feierbild/contract/constants.ts';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Upload } from 'tus-js-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, type EventUnderTest } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { drawPhoto } from './support/photos.ts';
import { startProxy, type Proxy } from './support/proxy.ts';
import { startServer, type TestServer } from './support/server.ts';
import { sha256 } from './support/sha256.ts';
import { sendInBrowser, tusDevice } from './support/tus.ts';

describe('uploads by tus', () => {
  let server: TestServer;
  let event: EventUnderTest;
  let base: Buffer;
  let device: string;
  let tus: ReturnType<typeof tusDevice>;
  let proxy: Proxy;

  beforeAll(async () => {
    server = await startServer();
    event = await createEvent(await adminOf(server.url));
    base = await drawPhoto(1, 1600, 1200);
  });
  afterAll(() => server?.dispose());
  beforeEach(async () => {
    device = await deviceOf(server.url);
    tus = tusDevice(device);
    proxy = await startProxy(server.url);
  });
  afterEach(() => proxy.close());

  /** Makes a photo of so many bytes; decoders skip those after a JPEG's end. */
  const photoOf = (bytes: number): Buffer => Buffer.concat([base, randomBytes(bytes - base.length)]);
  const urlOf = (location: string | null): string => server.url + location;
  async function stored(id: string): Promise<string> {
    const answer = await fetch(`${server.url}/api/photos/${id}/download`, { headers: { 'device-id': device } });
    return sha256(new Uint8Array(await answer.arrayBuffer()));
  }
  /** Lists the device's photos in the event. */
  async function mine(): Promise<{ id: string; size: number }[]> {
    const answer = await fetch(`${server.url}/api/events/${event.code}/my-photos`, { headers: { 'device-id': device } });
    return ((await answer.json()) as { photos: { id: string; size: number }[] }).photos;
  }

  it('says what it speaks, and refuses other versions before anything else', async () => {
    const said = await fetch(`${server.url}/uploads`, { method: 'OPTIONS' });
    expect(said.status).toBe(204);
    expect(Object.fromEntries(said.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-max-size': '500000000',
      'tus-extension': 'creation,creation-with-upload,expiration,termination',
    });
    const url = urlOf((await tus.create(server.url, event.code, 9)).headers.get('location'));
    for (const method of ['HEAD', 'PATCH', 'DELETE', 'POST']) {
      const answer = await fetch(method === 'POST' ? `${server.url}/uploads` : url, { method, headers: { 'device-id': device } });
      expect([method, answer.status, answer.headers.get('tus-version')]).toEqual([method, 412, '1.0.0']);
    }
    expect(await tus.offset(url)).toBe(0);
  });

  it('answers errors with their status and German sentence, always with Tus-Resumable', async () => {
    const photo = photoOf(base.length + 100);
    const url = urlOf((await tus.create(server.url, event.code, photo.length)).headers.get('location'));
    const stranger = tusDevice(await deviceOf(server.url));
    const bytes = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const answers = {
      'wrong offset': [409, await tus.append(url, 7, photo.subarray(7))],
      'a stranger': [404, await stranger.append(url, 0, photo)],
      'an unknown key': [404, await tus.append(`${server.url}/uploads/${randomBytes(16).toString('base64url')}`, 0, photo)],
      'too many bytes': [413, await tus.append(url, 0, Buffer.concat([photo, photo]))],
      'another type': [415, await tus.ask('PATCH', url, { ...bytes, 'content-type': 'application/json' }, Buffer.from('{}'))],
      'no type of ours': [415, await tus.ask('PATCH', url, { ...bytes, 'content-type': 'image/jpeg' }, photo)],
      'no length': [400, await tus.ask('POST', `${server.url}/uploads`)],
      'a deferred length': [400, await tus.ask('POST', `${server.url}/uploads`, { 'upload-defer-length': '1' })],
      'too large': [413, await tus.create(server.url, event.code, 50_000_001)],
      'an unknown event': [404, await tus.create(server.url, 'ABCDEFGH', 9)],
    } as const;
    for (const [what, [status, answer]] of Object.entries(answers)) {
      expect([what, answer.status, answer.headers.get('tus-resumable')]).toEqual([what, status, '1.0.0']);
      expect(JSON.parse(answer.body), what).toMatchObject({ error: expect.stringMatching(/[a-zäöüß]{4}.*\.?$/), code: expect.any(String) });
    }
    expect(await tus.offset(url)).toBe(0);
    expect((await tus.append(url, 0, photo)).status).toBe(201);
  });

  it('ends an upload on demand, and a day after its last byte', async () => {
    const photo = photoOf(3 * MB);
    const url = urlOf((await tus.create(server.url, event.code, photo.length)).headers.get('location'));
    expect((await tus.append(url, 0, photo.subarray(0, MB))).status).toBe(204);
    expect((await tus.ask('DELETE', url)).status).toBe(204);
    expect((await tus.ask('HEAD', url)).status).toBe(404);

    const other = urlOf((await tus.create(server.url, event.code, photo.length)).headers.get('location'));
    await tus.append(other, 0, photo.subarray(0, MB));
    const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 5000 });
    db.exec('pragma busy_timeout = 5000');
    db.exec('update uploads set expires_at = 1 where photo_id is null');
    db.close();
    expect((await tus.ask('HEAD', other)).status).toBe(410);
    expect((await tus.append(other, MB, photo.subarray(MB))).status).toBe(410);
  });

  it('costs at most 256 KiB where 40 MB break off at 95 %', async () => {
    const photo = photoOf(40 * MB);
    const url = proxy.url + (await tus.create(server.url, event.code, photo.length)).headers.get('location');
    proxy.cutAfter(() => 38 * MB);
    await tus.append(url, 0, photo).catch(() => null);
    proxy.cutAfter(null);
    const offset = (await tus.offset(url)) as number;
    expect(offset).toBeGreaterThan(38 * MB - 256 * 1024 - 1000);
    const last = await tus.append(url, offset, photo.subarray(offset));
    expect(last.status).toBe(201);
    expect(await stored(JSON.parse(last.body).photo.id)).toBe(sha256(photo));
  });

  it('begins anew where a POST /upload broke off, which is whole or nothing, and goes on from then on', async () => {
    const photo = photoOf(12 * MB);
    const key = randomBytes(16).toString('base64url');
    const form = new FormData();
    form.append('eventCode', event.code);
    form.append('file', new Blob([photo as Uint8Array<ArrayBuffer>]), 'Kuchen.jpg');
    // Older pages send a key, which the server ignores.
    const headers = { 'device-id': device, 'upload-key': key, 'upload-length': String(photo.length) };
    proxy.cutAfter(() => 9 * MB);
    const send = (url: string) => fetch(`${url}/upload`, { method: 'POST', body: form, headers });
    expect(await send(proxy.url).catch(() => null)).toBeNull();
    const url = `${server.url}/uploads/${key}`;
    expect(await tus.offset(url)).toBeNull();
    await tus.create(server.url, event.code, photo.length, { 'upload-key': key });
    const last = await tus.append(url, 0, photo);
    expect(last.status).toBe(201);
    expect(last.headers.get('repr-digest')).toBe(`sha-256=:${Buffer.from(sha256(photo), 'hex').toString('base64')}:`);
    // The same photo, sent again in full, is not stored twice.
    const again = await send(server.url);
    expect([again.status, again.headers.get('repr-digest')]).toEqual([200, last.headers.get('repr-digest')]);
    expect(await mine()).toHaveLength(1);
  });

  describe('an unmodified tus-js-client', () => {
    function send(file: Buffer, options: Partial<ConstructorParameters<typeof Upload>[1]> = {}): Promise<{ body: string; url: string }> {
      return new Promise((resolve, reject) => {
        const sending: Upload = new Upload(file, {
          endpoint: `${proxy.url}/uploads`,
          headers: { 'Device-ID': device },
          metadata: { filename: 'IMG_0042.jpg', eventCode: event.code, deviceName: 'Jörg' },
          retryDelays: Array.from({ length: 60 }, () => 20),
          onSuccess: ({ lastResponse }) => resolve({ body: lastResponse.getBody(), url: sending.url as string }),
          onError: reject,
          ...options,
        });
        sending.start();
      });
    }

    it.each([
      ['in one request', {}],
      ['with the bytes in its first request', { uploadDataDuringCreation: true }],
      ['in pieces of 1 MB', { chunkSize: MB }],
    ])('sends a photo %s, and is answered with it', async (_, options) => {
      const photo = photoOf(4 * MB);
      const { body } = await send(photo, options);
      expect(await stored(JSON.parse(body).photo.id)).toBe(sha256(photo));
    });

    it('gets a photo through a line that is cut again and again at random bytes', async () => {
      for (const size of [5 * MB, 18 * MB, 30 * MB]) {
        const photo = photoOf(size);
        let cuts = 0;
        proxy.cutAfter(() => {
          cuts++;
          return Math.floor(size * (0.02 + 0.3 * Math.random()));
        });
        await send(photo);
        proxy.cutAfter(null);
        expect(cuts).toBeGreaterThan(3);
        const found = (await mine()).find((one) => one.size === size);
        expect(await stored(found?.id ?? '')).toBe(sha256(photo));
      }
      expect(await mine()).toHaveLength(3);
    });

    it('gets an answer for what is no photo, and does not send it again', async () => {
      await expect(send(randomBytes(300_000))).rejects.toThrow(/415.*not_a_photo/s);
    });

    it('outlives a server that is killed and starts again', async () => {
      const photo = photoOf(30 * MB);
      const kills: Promise<void>[] = [];
      const sending = send(photo, {
        retryDelays: Array.from({ length: 400 }, () => 50),
        onProgress: (sent) => {
          if (sent > 20 * MB && kills.length === 0) kills.push(server.restart());
        },
      });
      await sending;
      await Promise.all(kills);
      const found = (await mine())[0];
      expect(await stored(found?.id ?? '')).toBe(sha256(photo));
    });
  });

  it('gets through by tus-js-client in a browser, over a line that is cut at random bytes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-tus-'));
    const browser = await launchBrowser();
    try {
      const { page } = await openPage(browser, proxy.url);
      for (const size of [3 * MB, 18 * MB]) {
        const photo = photoOf(size);
        const path = join(folder, `IMG_${size}.jpg`);
        await writeFile(path, photo);
        let cuts = 0;
        // Each connection gets at least 1 MB through, because the page itself loads through the proxy, too.
        proxy.cutAfter(() => {
          cuts++;
          return Math.floor(MB + 0.3 * size * Math.random());
        });
        const body = await sendInBrowser(page, { path, code: event.code, device });
        proxy.cutAfter(null);
        expect(cuts).toBeGreaterThan(2);
        expect(await stored(JSON.parse(body).photo.id)).toBe(sha256(photo));
      }
      expect(await mine()).toHaveLength(2);
    } finally {
      await browser.close();
      await rm(folder, { recursive: true });
    }
  });

  it('takes PUT, PATCH, DELETE and HEAD as X-HTTP-Method-Override of a POST, with the same answers and refusals', async () => {
    const photo = photoOf(MB);
    const url = urlOf((await tus.create(server.url, event.code, photo.length)).headers.get('location'));
    const as = (method: string, headers = {}, body?: Uint8Array) =>
      tus.ask('POST', url, { 'x-http-method-override': method, ...headers }, body);
    const bytes = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    expect((await as('PATCH', bytes, photo.subarray(0, 500_000))).status).toBe(204);
    const head = await as('HEAD');
    expect([head.status, head.body, head.headers.get('upload-offset')]).toEqual([200, '', '500000']);
    const rest = { ...bytes, 'upload-offset': '500000' };

    const foreign = { origin: 'https://anderswo.example' };
    for (const method of ['PATCH', 'DELETE'])
      for (const refused of [await tus.ask(method, url, { ...rest, ...foreign }), await as(method, { ...rest, ...foreign })])
        expect([refused.status, JSON.parse(refused.body).code]).toEqual([403, 'foreign_origin']);
    const stranger = tusDevice(await deviceOf(server.url));
    for (const method of ['PATCH', 'DELETE', 'HEAD'])
      expect((await stranger.ask('POST', url, { ...rest, 'x-http-method-override': method })).status).toBe(404);
    expect((await as('PATCH', { ...rest, 'tus-resumable': '0.2.2' })).status).toBe(412);
    // The header allows no other methods.
    for (const method of ['GET', 'OPTIONS', 'CONNECT', 'PROPFIND', 'patch ']) expect([404, 405]).toContain((await as(method)).status);

    const last = await as('PATCH', rest, photo.subarray(500_000));
    expect(last.status).toBe(201);
    const { id } = (JSON.parse(last.body) as { photo: { id: string } }).photo;
    expect(await stored(id)).toBe(sha256(photo));
    const own = `${server.url}/api/photos/${id}`;
    expect((await stranger.ask('POST', own, { 'x-http-method-override': 'DELETE' })).status).toBe(404);
    expect((await tus.ask('POST', own, { 'x-http-method-override': 'DELETE' })).status).toBe(204);
    const other = urlOf((await tus.create(server.url, event.code, photo.length)).headers.get('location'));
    expect((await tus.ask('POST', other, { 'x-http-method-override': 'DELETE' })).status).toBe(204);
    expect(await tus.offset(other)).toBeNull();
  });

  it('asks the Fotobox’s password at its creation only, and answers its last byte with a link', async () => {
    const password = 'Größe & Knipsekasten';
    const boxed = await createEvent(await adminOf(server.url), {
      with_fotobox: true,
      with_user_upload: false,
      fotobox_upload_password: password,
    });
    expect((await tus.create(server.url, boxed.code, 9)).status).toBe(403);
    const photo = photoOf(MB);
    const created = await tus.create(server.url, boxed.code, photo.length, { 'event-password': encodeURIComponent(password) });
    const last = await tus.append(urlOf(created.headers.get('location')), 0, photo);
    expect(JSON.parse(last.body)).toMatchObject({ download_url: expect.stringMatching('^/download/'), expires_at: expect.any(String) });
  });

  it.skipIf(process.platform !== 'linux')('need no memory by their size', async () => {
    const peak = (): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'latin1'))?.[1]) / 1000;
    const bytes = randomBytes(20 * MB);
    const send = async (): Promise<void> => {
      const other = tusDevice(await deviceOf(server.url));
      const url = urlOf((await other.create(server.url, event.code, bytes.length + 1)).headers.get('location'));
      expect((await other.append(url, 0, bytes)).status).toBe(204);
    };
    await send();
    const before = peak();
    await Promise.all(Array.from({ length: 16 }, send));
    // The server has received 320 MB.
    expect(peak() - before).toBeLessThan(120);
  });

  it('is refused with nothing that the contract does not list', () => {
    expect(server.output()).not.toContain('the contract does not list');
  });
});
