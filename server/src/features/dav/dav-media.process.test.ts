import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { drawPhoto, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { createMedia, type MediaForm } from './dav-media.ts';
import { FOTOBOX } from './testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);
const WITH_PASSWORD = `?password=${encodeURIComponent(FOTOBOX)}`;

describe.each(all)('software of a photo booth that has no folder, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let media: Server;
  let origin: string;
  let asked: string[];
  let answer: RequestListener;
  /** The addresses to which each host name resolves. */
  let names: Record<string, string>;

  beforeEach(async () => {
    [asked, names] = [[], {}];
    media = createServer((request, response) => {
      asked.push(String(request.url));
      answer(request, response);
    });
    await new Promise<void>((resolve) => media.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(media.address() as AddressInfo).port}`;
    await open({ boothsPrivate: true });
  });
  afterEach(async () => {
    await app.close();
    media.closeAllConnections();
    media.close();
  });

  async function open(networks: { webhookPrivate?: boolean; boothsPrivate?: boolean }): Promise<void> {
    await app?.close();
    const resolve = async (host: string) => [{ address: names[host] ?? '127.0.0.1', family: 4 }];
    app = await openApp({ db: await engine.open(), decoder, stallMs: 1000, ...networks, resolve });
    event = await app.event({ with_fotobox: 1, with_user_upload: 0 }, { fotobox: FOTOBOX });
  }

  const photos = async (): Promise<{ filename: string; device: { name: string } }[]> => {
    const response = await fetch(`${app.url}/api/events/${event.code}/photos`, { headers: { cookie: event.cookie } });
    return ((await response.json()) as { photos: { filename: string; device: { name: string } }[] }).photos;
  };
  const post = async (body: FormData | string, { query = WITH_PASSWORD, headers = {}, path = '/' } = {}) => {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : undefined;
    const address = `${app.url}/dav/${event.code}${path}${query}`;
    const response = await fetch(address, { method: 'POST', body, headers: { ...type, ...headers } });
    return { status: response.status, text: await response.text() };
  };
  const report = (body: unknown) => post(JSON.stringify(body));
  /** Builds a form as Breeze sends it (help.breezesoftware.com, „Post-Processing“), with answers of a survey. */
  const form = (files: Uint8Array[], fields = 14): FormData => {
    const made = new FormData();
    for (let n = 0; n < fields; n++) made.append(`surveyN_type_${n}`, `Antwort ${n}`);
    for (const file of files) made.append('fileToUpload', new File([Buffer.from(file)], 'prints 1.jpg', { type: 'image/jpeg' }));
    made.append('status', 'complete');
    return made;
  };

  it('sends a form with a picture in any field, with the password in the head or in the address', async () => {
    const [one, other] = [await drawPhoto(), await drawPhoto()];
    const authorization = `Basic ${Buffer.from(`${event.code}:${FOTOBOX}`).toString('base64')}`;
    expect(await post(form([one]), { query: '', headers: { authorization } })).toEqual({ status: 201, text: 'OK\n' });
    expect(await post(form([one]))).toEqual({ status: 200, text: 'OK\n' });
    expect((await post(form([other]), { path: '' })).status).toBe(201);
    expect((await photos()).map(({ filename, device }) => [filename, device.name])).toEqual([
      ['prints 1.jpg', 'Fotobox'],
      ['prints 1.jpg', 'Fotobox'],
    ]);
    expect((await app.row(event.id)).device_count).toBe(1);
  });

  it('is refused as everybody else, and the password in the address serves nothing but this', async () => {
    const photo = await drawPhoto();
    expect((await post(form([photo]), { query: '' })).status).toBe(401);
    expect((await post(form([photo]), { query: '?password=geraten' })).status).toBe(401);
    expect((await post(form([photo]), { query: `${WITH_PASSWORD}&password=zwei` })).status).toBe(401);
    expect((await post(form([photo, photo]))).status).toBe(400);
    expect((await post(form([]))).text).toBe('Es wurde keine Datei gesendet.\n');
    expect((await post(form([photo], 200))).status).toBe(400);
    expect(await post(form([Buffer.from('Einkaufsliste')]))).toEqual({ status: 415, text: 'Diese Datei ist kein lesbares Bild\n' });
    expect((await post(form([Buffer.alloc(6_000_000)]))).status).toBe(413);
    for (const method of ['PUT', 'PROPFIND', 'DELETE', 'GET'])
      expect((await fetch(`${app.url}/dav/${event.code}/1.jpg${WITH_PASSWORD}`, { method })).status).toBe(401);
    const foreign = { headers: { origin: 'https://boese.example', 'sec-fetch-site': 'cross-site' } };
    expect((await post(form([photo]), foreign)).status).toBe(403);
    expect(await photos()).toEqual([]);
    await expect.poll(app.leftovers).toEqual({ staged: [], blobs: [] });
  });

  it('reports where a picture is, beside pages and in any shape, and it is fetched', async () => {
    const photo = await drawPhoto();
    answer = (request, response) => {
      if (request.url === '/g/1') response.writeHead(200, { 'content-type': 'text/html' }).end('<img src="1.jpg">');
      else if (request.url === '/logo') response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>');
      else response.writeHead(200, { 'content-type': request.url === '/m/2' ? 'image/jpeg' : 'binary/octet-stream' }).end(photo);
    };
    // Reports in the forms that Booth.Events and Snappic document.
    const flat = {
      contentType: 'image/jpeg',
      eventIdUser: null,
      galleryUrl: `${origin}/g/1`,
      mediaUrl: `${origin}/m/Gr%C3%B6%C3%9Fe.jpg?sig=1`,
    };
    const nested = {
      type: 'session',
      event_id: 1,
      session: { id: 'x', site_url: `${origin}/g/1`, logo: `${origin}/logo`, direct_url: `${origin}/m/2` },
    };
    expect(await report(flat)).toEqual({ status: 201, text: 'OK\n' });
    expect(await report(nested)).toEqual({ status: 200, text: 'OK\n' });
    expect(asked).toEqual(['/m/Gr%C3%B6%C3%9Fe.jpg?sig=1', '/g/1', '/logo', '/m/2']);
    expect((await photos()).map(({ filename }) => filename)).toEqual(['Größe.jpg']);
    expect((await app.row(event.id)).device_count).toBe(1);
  });

  it('makes the server ask nobody but public addresses, and nobody who is not named', async () => {
    answer = (_, response) => response.writeHead(302, { location: `${origin}/1.jpg` }).end();
    expect(await report({ url: `${origin}/weiter.jpg` })).toEqual({
      status: 422,
      text: 'Unter den Adressen, die gemeldet wurden, war kein Bild zu haben.\n',
    });
    expect(asked).toEqual(['/weiter.jpg']);
    answer = (_, response) => response.writeHead(404, { 'content-type': 'image/png' }).end();
    const many = Array.from({ length: 10 }, (_, n) => `${origin}/${n}.jpg`);
    expect((await report([[many]])).status).toBe(422);
    expect(asked).toHaveLength(5);
  });

  it.each([false, true])(
    'names nothing in the operator’s network, whether his webhooks may go there (%s) or not',
    async (webhookPrivate) => {
      const photo = await drawPhoto();
      answer = (_, response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo);
      await open({ webhookPrivate });
      names = { 'innen.example': '10.0.0.1', 'lokal.example': '127.0.0.1' };
      const { port } = new URL(origin);
      const places = [origin, `https://127.0.0.1:${port}`, 'https://[::ffff:10.0.0.1]', 'https://169.254.169.254', 'https://innen.example'];
      for (const place of [...places, `https://lokal.example:${port}`, 'https://u:p@lokal.example', 'ftp://lokal.example', 'file:///etc'])
        expect((await report({ mediaUrl: `${place}/1.jpg` })).status).toBe(422);
      expect(asked).toEqual([]);
      expect(await photos()).toEqual([]);
    },
  );

  it('loses nothing by half, with pictures that break off, do not come or do not end, and with reports that are none', async () => {
    const photo = await drawPhoto();
    const begun: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': String(photo.length) });
      response.write(photo.subarray(0, 1000));
    };
    answer = (request, response) => {
      begun(request, response);
      setImmediate(() => response.socket?.destroy());
    };
    expect((await report({ url: `${origin}/1.jpg` })).status).toBe(400);
    // A picture that does not go on is cut, like a sender that stalls.
    answer = begun;
    expect((await report({ url: `${origin}/1.jpg` })).status).toBe(400);
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg' });
      const more = (): void => void (response.destroyed || (response.write(Buffer.alloc(65_536)), setImmediate(more)));
      more();
    };
    expect((await report({ url: `${origin}/1.jpg` })).status).toBe(413);
    answer = (_, response) => response.socket?.destroy();
    expect((await report({ url: `${origin}/1.jpg` })).status).toBe(422);
    for (const none of ['', '{', '"\ud800"', 'null', '[]', '[{}]', '["x"]', `${'['.repeat(30_000)}${']'.repeat(30_000)}`])
      expect([400, 422]).toContain((await post(none)).status);
    expect((await post(JSON.stringify('x'.repeat(70_000)))).status).toBe(413);
    answer = (_, response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo);
    expect((await report({ url: `${origin}/1.jpg` })).status).toBe(201);
    await expect.poll(async () => (await app.leftovers()).staged).toEqual([]);
  });
});

describe('an address that drips', () => {
  it('gives up its place after a while, with all that the report names', async () => {
    const urls: string[] = [];
    const get = async (url: URL): Promise<IncomingMessage> => {
      urls.push(url.pathname);
      const dripping = (async function* () {
        for (;;) {
          yield Buffer.alloc(2);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })();
      return Object.assign(Readable.from(dripping), {
        statusCode: 200,
        headers: { 'content-type': 'image/jpeg' },
      }) as unknown as IncomingMessage;
    };
    const { fetched } = createMedia({ targets: { get }, ending: new AbortController().signal, patienceMs: 100 });
    const store = async ({ form }: MediaForm): Promise<void> => {
      for await (const part of form) if (part.kind === 'file') for await (const _ of part.bytes);
    };
    const reports = Array.from({ length: 4 }, (_, n) =>
      fetched([`https://a.example/${n}.jpg`, `https://a.example/${n}b.jpg`], 'event', store),
    );
    for (const outcome of await Promise.allSettled(reports))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'media_unreachable' } });
    // The third and fourth report took the places of the first two.
    expect(urls).toEqual(['/0.jpg', '/1.jpg', '/2.jpg', '/3.jpg']);
  });
});
