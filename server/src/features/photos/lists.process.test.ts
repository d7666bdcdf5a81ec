import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SLIDESHOW_PHOTOS } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { enginesForRules } from '../../database/testing.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { drawPhoto, newDevice, openApp, refusal, type Headers, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('photos in lists, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  let device: Headers;

  beforeEach(async () => {
    app = await openApp({ db: await engine.open(), decoder });
    event = await app.event();
    host = { cookie: event.cookie };
    device = { 'device-id': newDevice() };
  });
  afterEach(() => app.close());

  const call = (path: string, headers: Headers = {}, method = 'GET', body?: unknown) => app.call(method, path, headers, body);
  const json = <T>(path: string, headers: Headers): Promise<T> => app.json('GET', path, headers);
  const add = async (bytes?: Buffer): Promise<Photo> =>
    (await app.upload(event.code, bytes ?? (await drawPhoto()), { device: device['device-id'] as string })).photo;
  const ids = (photos: Photo[]) => photos.map(({ id }) => id);

  it('are listed to the host page by page, oldest or newest first', async () => {
    const added: string[] = [];
    for (let n = 0; n < 5; n++) added.push((await add()).id);
    type Page = { photos: Photo[]; pagination: unknown };
    const first = await json<Page>(`/api/events/${event.code}/photos?per_page=2`, host);
    expect(ids(first.photos)).toEqual(added.slice(0, 2));
    expect(first.pagination).toEqual({ page: 1, per_page: 2, total: 5, total_pages: 3 });
    expect(ids((await json<Page>(`/api/events/${event.id}/photos?per_page=2&page=3`, host)).photos)).toEqual(added.slice(4));
    expect(ids((await json<Page>(`/api/events/${event.code}/photos?sort=newest`, host)).photos)).toEqual(added.toReversed());
    expect((await call(`/api/events/${event.code}/photos?per_page=101`, host)).status).toBe(400);
    expect((await call(`/api/events/${event.code}/photos`)).status).toBe(401);
    expect((await call(`/api/events/${event.code}/photos`, { cookie: (await app.event()).cookie })).status).toBe(401);
  });

  it('are listed to the host without those that are not shown', async () => {
    const added: string[] = [];
    for (let n = 0; n < 5; n++) added.push((await add()).id);
    for (const id of [added[1], added[4]]) await call(`/api/photos/${id}/slideshow`, host, 'PUT', { value: false });
    const shown = (query: string) =>
      json<{ photos: Photo[]; total: number; pagination: unknown }>(
        `/api/events/${event.code}/photos?view=shown&per_page=2&${query}`,
        host,
      );
    const newest = await shown('sort=newest');
    expect([ids(newest.photos), newest.pagination]).toEqual([[added[3], added[2]], { page: 1, per_page: 2, total: 3, total_pages: 2 }]);
    const first = await shown('after=0');
    expect([ids(first.photos), first.total]).toEqual([[added[0], added[2]], 3]);
    expect((await call(`/api/events/${event.code}/photos?view=shown`, device)).status).toBe(401);
  });

  it('are listed after a position in the order in which they were stored, also behind deleted ones', async () => {
    const added: string[] = [];
    for (let n = 0; n < 4; n++) added.push((await add()).id);
    type After = { photos: Photo[]; total: number; next: number };
    const after = (position: number) => json<After>(`/api/events/${event.code}/photos?after=${position}&per_page=2`, host);
    const first = await after(0);
    expect([ids(first.photos), first.total]).toEqual([added.slice(0, 2), 4]);
    for (const id of [added[1], added[3]]) await call(`/api/photos/${id}`, host, 'DELETE');
    const later = (await add()).id;
    const second = await after(first.next);
    expect([ids(second.photos), second.total]).toEqual([[added[2], later], 3]);
    expect(await after(second.next)).toEqual({ photos: [], total: 3, next: second.next });
    expect((await call(`/api/events/${event.code}/photos?after=-1`, host)).status).toBe(400);
    expect((await call(`/api/events/${event.code}/photos?after=0`)).status).toBe(401);
  });

  it('are listed compressed for who takes that, byte for byte the same list, while their bytes never are', async () => {
    const added = [await add(), await add(), await add(), await add(), await add(), await add()];
    const path = `/api/events/${event.code}/photos?after=0`;
    const raw = async (encoding: string, url = path): Promise<[string | undefined, Buffer]> => {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${app.url}${url}`, { headers: { ...host, 'accept-encoding': encoding } }, resolve).on('error', reject);
      });
      return [answer.headers['content-encoding'], await buffer(answer)];
    };
    const [none, plain] = await raw('br;q=0, identity');
    const [br, brotli] = await raw('gzip, deflate, br');
    const [gz, gzip] = await raw('gzip;q=0.5, deflate');
    expect([none, br, gz]).toEqual([undefined, 'br', 'gzip']);
    expect(brotliDecompressSync(brotli).equals(plain)).toBe(true);
    expect(gunzipSync(gzip).equals(plain)).toBe(true);
    expect(brotli.length).toBeLessThan(plain.length / 2);
    for (const url of [added[0]!.original_url, added[0]!.thumbnail_url, `/api/events/${event.code}`]) {
      expect((await raw('gzip, br', url))[0]).toBe(undefined);
    }
  });

  it('that are stored at the same time are all found by a reader who goes on from the last position', async () => {
    const files = await Promise.all(Array.from({ length: 12 }, (_, n) => drawPhoto({ width: 40 + n, height: 40 })));
    const found: string[] = [];
    let next = 0;
    const read = async (): Promise<void> => {
      const answer = await json<{ photos: Photo[]; next: number }>(`/api/events/${event.code}/photos?after=${next}&per_page=100`, host);
      found.push(...ids(answer.photos));
      ({ next } = answer);
    };
    let storing = true;
    const uploads = Promise.all(files.map(add)).finally(() => (storing = false));
    while (storing) await read();
    await read();
    expect(found.toSorted()).toEqual(ids(await uploads).toSorted());
  });

  it('are listed to the device that uploaded them, newest first, and to no other', async () => {
    const [first, second] = [await add(), await add()];
    const mine = `/api/events/${event.code}/my-photos`;
    expect(ids((await json<{ photos: Photo[] }>(mine, device)).photos)).toEqual([second.id, first.id]);
    expect((await json<{ photos: Photo[] }>(mine, { 'device-id': newDevice() })).photos).toEqual([]);
    expect(await refusal(await call(mine))).toEqual([400, 'device_id_missing']);
  });

  it('are in the slideshow until the host takes them out; without a value the mark flips', async () => {
    const [first, second] = [await add(), await add()];
    type Show = { photos: Photo[]; random: boolean };
    const show = () => json<Show>(`/api/events/${event.code}/slideshow`, host);
    expect(await show()).toMatchObject({ photos: [{ id: first.id }, { id: second.id }], random: false });
    const mark = `/api/photos/${first.id}/slideshow`;
    expect(await (await call(mark, host, 'PUT', { value: false })).json()).toEqual({ slideshow: false });
    expect(await (await call(mark, host, 'PUT', { value: false })).json()).toEqual({ slideshow: false });
    expect(ids((await show()).photos)).toEqual([second.id]);
    expect(await (await call(mark, host, 'PUT')).json()).toEqual({ slideshow: true });
    expect(ids((await show()).photos)).toEqual([first.id, second.id]);

    await app.db.kysely.updateTable('events').set({ with_random_slideshow: 1 }).execute();
    expect((await show()).random).toBe(true);
    await app.db.kysely.updateTable('events').set({ with_slideshow: 0 }).execute();
    expect(await refusal(await call(`/api/events/${event.code}/slideshow`, host))).toEqual([403, 'slideshow_disabled']);
  });

  it('of the slideshow say which are of one device, by what is no proof of it', async () => {
    const [one, other] = [newDevice(), newDevice()];
    for (const [n, by] of [one, one, other].entries()) await app.upload(event.code, await drawPhoto({ width: 100 + n }), { device: by });
    const { photos } = await json<{ photos: Photo[] }>(`/api/events/${event.code}/slideshow`, host);
    const [first, second, third] = photos.map(({ device: { tag } }) => tag);
    expect(first).toMatch(/^[\w-]{8}$/);
    expect([second === first, third === first]).toEqual([true, false]);
    expect(JSON.stringify(photos)).not.toContain(one);
  });

  it('of the slideshow come page by page, and later only what was put in and taken out', async () => {
    interface Answer {
      photos: Photo[];
      seq: number;
      next?: number | null;
      gone?: string[] | null;
    }
    const show = (query: string) => json<Answer>(`/api/events/${event.code}/slideshow?${query}`, host);
    const photos: Photo[] = [];
    for (let n = 0; n < 4; n += 1) photos.push(await add(await drawPhoto({ width: 100 + n })));
    const [first, second, third, fourth] = ids(photos) as [string, string, string, string];
    const one = await show('after=0&per_page=3');
    expect([ids(one.photos), one.seq]).toEqual([[first, second, third], 4]);
    const two = await show(`after=${one.next}&per_page=3`);
    expect([ids(two.photos), two.next]).toEqual([[fourth], null]);
    expect(await show('seq=4')).toMatchObject({ photos: [], gone: [], seq: 4 });

    await call(`/api/photos/${first}/slideshow`, host, 'PUT', { value: false });
    await call(`/api/photos/${second}/slideshow`, host, 'PUT', { value: false });
    await call(`/api/photos/${second}/slideshow`, host, 'PUT', { value: true });
    await call(`/api/photos/${third}`, host, 'DELETE');
    const fifth = await add(await drawPhoto({ width: 300 }));
    const changes = await show('seq=4');
    expect([ids(changes.photos), changes.gone, changes.seq]).toEqual([[second, fifth.id], [first, third], 9]);
    expect(await show('seq=9')).toMatchObject({ photos: [], gone: [], seq: 9 });
    // The number comes from elsewhere, or is too old.
    expect(await show('seq=99')).toMatchObject({ photos: [], gone: null, seq: 9 });
    await app.db.kysely.deleteFrom('changes').where('seq', '<', 7).execute();
    expect(await show('seq=4')).toMatchObject({ gone: null, seq: 9 });
    expect((await show('seq=7')).gone).toEqual([third]);
  });

  it('of the slideshow come in one answer up to ten thousand, and say how many there are', async () => {
    const { id } = await add();
    const row = await app.db.kysely.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const copy = (n: number) => ({ ...row, id: uuidv7(row.created_at), fingerprint: Buffer.from(`${n}`), position: n });
    for (let n = 2; n <= SLIDESHOW_PHOTOS + 1; n += 500) {
      const some = Array.from({ length: Math.min(500, SLIDESHOW_PHOTOS + 2 - n) }, (_, more) => copy(n + more));
      await app.db.kysely.insertInto('photos').values(some).execute();
    }
    type Show = { photos: Photo[]; total: number };
    const { photos, total } = await json<Show>(`/api/events/${event.code}/slideshow`, host);
    expect([photos[0]?.id, photos.length, total]).toEqual([id, SLIDESHOW_PHOTOS, SLIDESHOW_PHOTOS + 1]);
  });
});
