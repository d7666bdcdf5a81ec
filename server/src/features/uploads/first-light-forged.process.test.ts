import { randomBytes } from 'node:crypto';
import type { Photo } from '@feierbild/contract/entities.ts';
import sharp, { type Sharp } from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { single } from '../../lib/stages.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { runsKind } from '../../testing/kinds.ts';
import { holdableDecoder } from '../testing/holdable-decoder.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { drawShape, newKey, tusClient } from './testing.ts';

const EDGES = { width: 800, height: 600 };
/** Largest difference, of 255, between a picture and a smaller copy of it. */
const SAME = 6;

const all = enginesForRules();
const { decoder, hold: holdBackground } = holdableDecoder(useDecoder(all));

const draw = (seed: number): Promise<Buffer> => drawShape(seed, EDGES.width, EDGES.height);
const jpegOf = (photo: Buffer, change: (picture: Sharp) => Sharp): Promise<Buffer> => change(sharp(photo)).jpeg().toBuffer();
const HTML = Buffer.from('<html><script>alert(1)</script></html>'.repeat(200));

/** Draws many pixels in few bytes. */
const grey = (edge: number, progressive: boolean): Promise<Buffer> =>
  sharp({ create: { width: edge, height: edge, channels: 3, background: 'grey' } })
    .toColourspace('b-w')
    .jpeg({ quality: 1, progressive })
    .toBuffer();
async function ofManyScans(): Promise<Buffer> {
  const honest = await grey(4000, true);
  const scan = honest.subarray(honest.lastIndexOf(Buffer.from([0xff, 0xda])), honest.length - 2);
  return Buffer.concat([honest.subarray(0, -2), ...Array<Buffer>(2000).fill(scan), honest.subarray(-2)]);
}
const bombs = { pixels: grey(9000, false), scans: ofManyScans() };
async function animated(type: 'gif' | 'webp'): Promise<Buffer> {
  const frames = Buffer.concat([Buffer.alloc(64 * 64 * 3, 9), Buffer.alloc(64 * 64 * 3, 200)]);
  const film = sharp(frames, { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } });
  return film.toFormat(type, { delay: [100, 100], loop: 0 }).toBuffer();
}

/** Forged previews, each with the state in which its photo ends; null: the photo is not shown at all. */
const KINDS: [what: string, state: Photo['state'] | null, forge: (photo: Buffer) => Promise<{ preview: Buffer; original?: Buffer }>][] = [
  ['another picture', 'stored', async () => ({ preview: await draw(32) })],
  ['the picture upside down', 'stored', async (photo) => ({ preview: await jpegOf(photo, (one) => one.flip()) })],
  [
    'its middle',
    'stored',
    async (photo) => ({ preview: await jpegOf(photo, (one) => one.extract({ left: 200, top: 150, width: 400, height: 300 })) }),
  ],
  ['squeezed', 'stored', async (photo) => ({ preview: await jpegOf(photo, (one) => one.resize(800, 450, { fit: 'fill' })) })],
  ['of a portrait’s sides', 'stored', async (photo) => ({ preview: await jpegOf(photo, (one) => one.resize(600, 800, { fit: 'fill' })) })],
  ['a true one of HTML', 'unreadable', async (photo) => ({ preview: photo, original: HTML })],
  [
    'a true one of what has no whole header',
    'unreadable',
    async (photo) => ({ preview: photo, original: Buffer.concat([photo.subarray(0, 100), Buffer.alloc(5000, 7)]) }),
  ],
  ['HTML', null, async () => ({ preview: HTML })],
  ['HTML behind the first bytes of a JPEG', null, async (photo) => ({ preview: Buffer.concat([photo.subarray(0, 20), HTML]) })],
  ['of 81 megapixels', null, async () => ({ preview: await bombs.pixels })],
  ['of 2,000 scans', null, async () => ({ preview: await bombs.scans })],
  ['an animated GIF', null, async () => ({ preview: await animated('gif') })],
  ['an animated WebP', null, async () => ({ preview: await animated('webp') })],
];

/** Photos to be forged: each kind several times, or once if `npm test` leaves out the system's tests. */
const FORGED = runsKind('system') ? 50 : KINDS.length;

describe.each(all)('forged previews, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  let blobs: BlobStore | undefined;
  /** Tells whether the store takes a blob. */
  let takes: (name: string) => boolean;
  const ended: TestApp[] = [];

  const open = async (db: TestApp['db']): Promise<TestApp> =>
    openApp({
      db,
      decoder,
      wrapStore(own) {
        const kept = (blobs ??= own);
        const put = (name: string, sealed: Bytes): Promise<void> =>
          takes(name) ? kept.put(name, sealed) : Promise.reject(new Error('away'));
        return { ...kept, put };
      },
    });
  beforeEach(async () => {
    blobs = undefined;
    takes = () => true;
    app = await open(await engine.open());
    event = await app.event();
    device = newDevice();
  });
  afterEach(async () => {
    await app.close();
    for (const process of ended.splice(0)) await process.close();
  });

  const { announce, append } = tusClient(() => ({ app, code: event.code, device }));
  const rows = () => app.db.kysely.selectFrom('photos').selectAll().where('event_id', '=', event.id).execute();
  const trail = async () => (await Array.fromAsync(app.audit.list({ eventCode: event.code }))).map(({ action }) => action);
  const look = async (path: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(`${app.url}${path}`, { headers: { cookie: event.cookie } })).arrayBuffer());
  const gallery = async (): Promise<Photo[]> =>
    (JSON.parse((await look(`/api/events/${event.code}/photos?after=0&per_page=100`)).toString()) as { photos: Photo[] }).photos;
  async function differenceOf(path: string, photo: Buffer): Promise<number | undefined> {
    const shown = await look(path);
    return (await decoder.probe(() => single(shown), shown.length, { owner: event.id, likeness: photo })).difference;
  }

  it(`are replaced or refused, all ${FORGED}: none is shown in the end, and the trail names each that was`, async () => {
    const photos = new Map<string, Buffer>();
    const expected: string[] = [];
    for (let n = 0; n < FORGED; n++) {
      const [what, state, forge] = KINDS[n % KINDS.length]!;
      // Each photo has its own shape.
      const photo = await draw(2 * n + 3);
      const { preview, original: whole = photo } = await forge(photo);
      const original = Buffer.concat([whole, randomBytes(8)]);
      const key = newKey();
      const { status, json } = await announce(key, preview, original.length);
      expect([what, status]).toEqual([what, state === null ? 415 : 201]);
      if (state === null) continue;
      expect((await append(`/uploads/${key}`, 0, original)).status).toBe(201);
      expected.push(`${json.photo.id} ${state}`);
      if (state === 'stored') photos.set(json.photo.id, photo);
    }
    await expect.poll(async () => (await rows()).filter(({ state }) => state === 'received')).toEqual([]);
    expect((await rows()).map(({ id, state }) => `${id} ${state}`).toSorted()).toEqual(expected.toSorted());
    for (const { id, preview_url, thumbnail_url, replaced } of await gallery()) {
      const photo = photos.get(id);
      expect(replaced ?? false).toBe(photo !== undefined);
      for (const path of photo ? [preview_url, thumbnail_url] : []) expect(await differenceOf(path, photo!)).toBeLessThan(SAME);
    }
    const actions = await trail();
    expect(actions.filter((action) => action === 'preview.replaced').length).toBe(photos.size);
    expect(actions.filter((action) => action === 'original.unreadable').length).toBe(expected.length - photos.size);
    expect((await app.integrity.check()).findings).toEqual([]);
  });

  it.each(['thumbnail', 'preview'])(
    'are replaced, and named, also where the process ended before it had stored the %s of its own',
    async (variant) => {
      const photo = Buffer.concat([await draw(7), randomBytes(8)]);
      const key = newKey();
      const { id } = (await announce(key, await draw(31), photo.length)).json.photo;
      let asked = 0;
      takes = (name) => !(name.endsWith(variant) && ++asked > 0);
      await append(`/uploads/${key}`, 0, photo);
      await expect.poll(() => asked).toBe(1);
      await app.photos.previews.close();
      expect(await rows()).toMatchObject([{ id, state: 'received' }]);
      ended.push(app);
      takes = () => true;
      app = await open(app.db);
      expect((await app.call('POST', `/api/photos/${id}/link`, { cookie: event.cookie })).status).toBe(201);
      expect(await rows()).toMatchObject([{ id, state: 'stored', drawn_by: 'replaced' }]);
      expect(await trail()).toContain('preview.replaced');
      const [shown] = await gallery();
      for (const path of [shown!.preview_url, shown!.thumbnail_url]) expect(await differenceOf(path, photo)).toBeLessThan(SAME);
    },
  );

  it('are not taken for what replaces them by a browser that has seen them', async () => {
    const photo = await draw(9);
    const key = newKey();
    const { id } = (await announce(key, await jpegOf(photo, (one) => one.resize(800, 450, { fit: 'fill' })), photo.length)).json.photo;
    const hold = holdBackground();
    await append(`/uploads/${key}`, 0, photo);
    const [early] = await gallery();
    expect(early).toMatchObject({ id, state: 'received' });
    hold();
    await expect.poll(async () => (await rows())[0]?.state).toBe('stored');
    const [late] = await gallery();
    for (const url of ['preview_url', 'thumbnail_url'] as const) expect(late![url]).not.toBe(early![url]);
  });
});
