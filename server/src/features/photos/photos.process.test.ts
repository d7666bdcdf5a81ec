import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { enginesForRules } from '../../database/testing.ts';
import type { Decoder } from '../../images/decoder.ts';
import { Refusal } from '../../lib/errors.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { drawPhoto, newDevice, openApp, refusal, type Headers, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('photos on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  let device: Headers;
  /** Previews that the decoder was asked for. */
  let previews: { urgent: boolean }[];

  beforeEach(async () => {
    previews = [];
    const counting: Decoder = {
      ...decoder,
      preview(source, size, asker) {
        previews.push({ urgent: asker.urgent });
        return decoder.preview(source, size, asker);
      },
    };
    app = await openApp({ db: await engine.open(), decoder: counting });
    event = await app.event();
    host = { cookie: event.cookie };
    device = { 'device-id': newDevice() };
  });
  afterEach(() => app.close());

  const call = (path: string, headers: Headers = {}, method = 'GET', body?: unknown) => app.call(method, path, headers, body);
  const json = <T>(path: string, headers: Headers): Promise<T> => app.json('GET', path, headers);
  const add = async (bytes?: Buffer): Promise<Photo> =>
    (await app.upload(event.code, bytes ?? (await drawPhoto()), { device: device['device-id'] as string })).photo;

  it('come back byte for byte as attachment under their name, whole and in parts', async () => {
    const bytes = await drawPhoto({ width: 900, height: 700 });
    const { photo } = await app.upload(event.code, new File([new Uint8Array(bytes)], 'Größe.jpg'), {
      device: device['device-id'] as string,
    });
    for (const visitor of [host, device]) {
      const response = await call(photo.original_url, visitor);
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'content-length': String(bytes.length),
        'content-disposition': `attachment; filename="Gro_e.jpg"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.jpg`,
        'cache-control': 'private, max-age=86400, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
      });
    }
    // The range crosses the border of two segments of the sealed blob.
    const part = await call(photo.original_url, { ...host, range: 'bytes=262000-262400' });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(262_000, 262_401))).toBe(true);
    expect(await refusal(await call(photo.original_url, { ...host, range: `bytes=${bytes.length}-` }))).toEqual([
      416,
      'range_unsatisfiable',
    ]);
    const etag = part.headers.get('etag') as string;
    expect((await call(photo.original_url, { ...host, 'if-none-match': etag })).status).toBe(304);
    const head = await call(photo.original_url, host, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  it('have a thumbnail of at most 400 px in a web format', async () => {
    const photo = await add(await drawPhoto({ width: 900, height: 600 }));
    const response = await call(photo.thumbnail_url, device);
    const { width, height, format } = await sharp(await response.arrayBuffer()).metadata();
    expect([width, height]).toEqual([400, 267]);
    expect(response.headers.get('content-type')).toBe(`image/${format}`);
  });

  it('have a preview of 1,600 px from their upload, and a larger one, made once, where a screen asks, or where that was lost', async () => {
    const { id } = await add(await drawPhoto({ width: 3000, height: 1500 }));
    const listed = async () => (await json<{ photos: [Photo] }>(`/api/events/${event.code}/photos`, host)).photos[0];
    const saved = async () => app.db.kysely.selectFrom('photos').select(['preview_size', 'drawn_by']).executeTakeFirst();
    await expect.poll(saved).toEqual({ preview_size: expect.any(Number), drawn_by: 'upload' });
    expect((await listed()).preview_url).toBe(`/api/photos/${id}/preview?small`);
    const sidesOf = async (answer: Response) => {
      const { width, height } = await sharp(await answer.arrayBuffer()).metadata();
      return [width, height];
    };
    expect(await sidesOf(await call(`/api/photos/${id}/preview?small`, host))).toEqual([1600, 800]);
    expect(previews).toEqual([]);

    const wide = await Promise.all([host, device, host, device].map((visitor) => call(`/api/photos/${id}/preview?wide`, visitor)));
    for (const answer of wide) expect(await sidesOf(answer)).toEqual([2048, 1024]);
    expect(previews).toEqual([{ urgent: true }]);
    expect((await listed()).preview_url).toBe(`/api/photos/${id}/preview`);
    const again = await call(`/api/photos/${id}/preview`, host);
    expect(again.headers.get('cache-control')).toContain('immutable');
    expect((await again.arrayBuffer()).byteLength).toBe(Number(again.headers.get('content-length')));
    expect(previews.length).toBe(1);

    await app.db.kysely.updateTable('photos').set({ preview_type: null, preview_size: null }).execute();
    for (const answer of await Promise.all([host, device].map((visitor) => call(`/api/photos/${id}/preview`, visitor))))
      expect(await sidesOf(answer)).toEqual([2048, 1024]);
    expect(previews.length).toBe(2);
  });

  it('are shown by their thumbnail as long as there is no room for their preview', async () => {
    await app.close();
    let full = true;
    const wrapStore = (store: BlobStore): BlobStore => ({
      ...store,
      put: (key, bytes) => (full && key.endsWith('.preview') ? Promise.reject(new Refusal('disk_full')) : store.put(key, bytes)),
    });
    app = await openApp({ db: await engine.open(), decoder, wrapStore });
    event = await app.event();
    host = { cookie: event.cookie };
    const photo = await add(await drawPhoto({ width: 900, height: 600 }));
    const small = await call(photo.preview_url, host);
    expect([small.status, small.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await small.bytes()).toEqual(await (await call(photo.thumbnail_url, host)).bytes());
    full = false;
    expect(await sharp(await (await call(photo.preview_url, host)).bytes()).metadata()).toMatchObject({ width: 900 });
  });

  it.each(['thumbnail', 'preview'] as const)('get a new %s from the original where its blob is lost or foreign', async (variant) => {
    const photo = await add(await drawPhoto({ width: 900, height: 600 }));
    const url = `/api/photos/${photo.id}/${variant}`;
    const read = async () => {
      const answer = await call(url, host);
      expect(answer.status).toBe(200);
      return sharp(await answer.arrayBuffer()).metadata();
    };
    const { width } = await read();
    const stored = async () => (await app.leftovers()).blobs.filter((key) => key.endsWith(`.${variant}`));
    await expect.poll(stored).toHaveLength(1);
    const [first = ''] = await stored();
    await app.blobs.remove(first);
    expect(await Promise.all([read(), read(), read()])).toMatchObject([{ width }, { width }, { width }]);
    const [second = '', ...others] = await stored();
    expect([second === first, others]).toEqual([false, []]);
    await app.blobs.put(second, Buffer.alloc(3000, 1));
    expect(await read()).toMatchObject({ width });
    expect(await stored()).toHaveLength(1);
    const integrity = await app.integrity.check();
    expect(integrity.findings).toEqual([]);
  });

  it('whose blobs the store does not have are told as its trouble, and as gone only once their row is', async () => {
    const { id } = await add();
    const { download_url } = (await (await call(`/api/photos/${id}/link`, host, 'POST')).json()) as { download_url: string };
    const link = `/api/photos/temp_download/${download_url.split('/').at(-1)}`;
    const paths = [...['thumbnail', 'preview', 'download'].map((variant) => `/api/photos/${id}/${variant}`), link];
    await expect.poll(async () => (await app.leftovers()).blobs.length).toBe(3);
    for (const blob of (await app.leftovers()).blobs) await app.blobs.remove(blob);
    for (const path of paths) {
      const answer = await call(path, host);
      expect([path, answer.headers.get('retry-after') !== null, ...(await refusal(answer))]).toEqual([path, true, 503, 'unavailable']);
    }
    await app.db.kysely.deleteFrom('photos').where('id', '=', id).execute();
    for (const path of paths)
      expect(await refusal(await call(path, host))).toEqual(path === link ? [410, 'link_expired'] : [404, 'photo_not_found']);
  });

  it('do not exist for other devices, other hosts and anyone else', async () => {
    const { id } = await add();
    const strangers: Headers[] = [{}, { 'device-id': newDevice() }, { cookie: (await app.event()).cookie }];
    for (const stranger of strangers) {
      for (const method of ['GET', 'HEAD'] as const) {
        for (const rendition of ['thumbnail', 'preview', 'download']) {
          expect((await call(`/api/photos/${id}/${rendition}`, stranger, method)).status).toBe(404);
        }
      }
      expect(await refusal(await call(`/api/photos/${id}`, stranger, 'DELETE'))).toEqual([404, 'photo_not_found']);
    }
    expect(await refusal(await call(`/api/photos/${id}/slideshow`, strangers[2], 'PUT', { value: false }))).toEqual([
      404,
      'photo_not_found',
    ]);
    expect((await call(`/api/photos/${id}/slideshow`, device, 'PUT', { value: false })).status).toBe(401);
    for (const odd of ['x', '00000000-0000-7000-8000-000000000000', "'%20or%201=1"]) {
      expect(await refusal(await call(`/api/photos/${odd}/thumbnail`, host))).toEqual([404, 'photo_not_found']);
    }
    expect((await app.row(event.id)).photo_count).toBe(1);
  });

  it('show a visitor of two roles what either may see', async () => {
    const photo = await add();
    const other = await app.event();
    expect((await call(photo.thumbnail_url, { cookie: other.cookie, ...device })).status).toBe(200);
  });

  it('go with row, key, counters and bytes, by their device or host', async () => {
    const [first, second] = [await add(), await add()];
    await expect.poll(async () => (await app.leftovers()).blobs.length).toBe(6);
    expect((await call(`/api/photos/${first.id}`, device, 'DELETE')).status).toBe(204);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 1, used_bytes: second.size, device_count: 1 });
    expect((await call(`/api/photos/${second.id}`, host, 'DELETE')).status).toBe(204);
    expect(await refusal(await call(`/api/photos/${second.id}`, host, 'DELETE'))).toEqual([404, 'photo_not_found']);
    expect(await refusal(await call(first.original_url, device))).toEqual([404, 'photo_not_found']);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 0, used_bytes: 0 });
    expect(await app.db.kysely.selectFrom('photo_keys').selectAll().execute()).toEqual([]);
    expect((await app.leftovers()).blobs).toEqual([]);
  });

  it('take with them a ZIP that may list them, and leave one from before they came', async () => {
    const zipAfterDeletion = async (finishedAt: number): Promise<string> => {
      const zip = { status: 'complete', progress: 100, started_at: 0, etag: 'e', size: 1, photo_count: 1, manifest: Buffer.alloc(1) };
      const row = { event_id: event.id, ...zip, finished_at: finishedAt };
      const { id } = await add();
      await app.db.kysely.insertInto('archives').values(row).execute();
      await call(`/api/photos/${id}`, host, 'DELETE');
      return (await app.archive.status(event.id)).status;
    };
    expect(await zipAfterDeletion(Date.now() + HOUR)).toBe('idle');
    expect(await zipAfterDeletion(Date.now() - HOUR)).toBe('complete');
  });

  it('count once when they are deleted twice at the same time', async () => {
    const [first, second] = [await add(), await add()];
    const answers = await Promise.all([host, device].map((visitor) => call(`/api/photos/${first.id}`, visitor, 'DELETE')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 1, used_bytes: second.size });
  });
});
