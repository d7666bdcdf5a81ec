import { DAY } from '@feierbild/contract/constants.ts';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import type { Decoder } from '../../images/decoder.ts';
import { NOBODY } from '../../http/visitor.ts';
import { createParty } from '../archive/testing/party.ts';
import { drawPhoto, newDevice, openApp, type Headers, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const PLACE = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' } };
const all = enginesForRules();
/** Number of times that a decoder made a link's picture. */
let renderings = 0;
const pools = useDecoder(all);
const decoder: Decoder = {
  ...pools,
  async share(...args) {
    renderings++;
    return pools.share(...args);
  },
};

describe.each(all)('a temporary link on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let now: number;
  beforeEach(async () => {
    now = Date.now();
    app = await openApp({ db: await engine.open(), decoder, clock: { now: () => now } });
    event = await app.event({ with_fotobox: 1 }, { fotobox: 'Knipsekasten' });
  });
  afterEach(() => app.close());

  const get = async (path: string, headers = {}) => {
    const response = await fetch(`${app.url}${path}`, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes, json: () => JSON.parse(bytes.toString()) };
  };
  const make = async (photoId: string, headers: Headers = { cookie: event.cookie }) => {
    const response = await app.call('POST', `/api/photos/${photoId}/link`, headers);
    return { status: response.status, body: (await response.json()) as { download_url: string; expires_at: string; code?: string } };
  };
  const dataOf = (page: string) => page.replace('/download/', '/api/photos/temp_download/');
  /** A picture that has to be made into a JPEG. */
  const plain = async () =>
    sharp(await drawPhoto())
      .png()
      .toBuffer();
  const linkTo = async (file: Uint8Array) => {
    const { photo } = await app.upload(event.code, file);
    const { body } = await make(photo.id);
    return { photo, page: body.download_url, path: dataOf(body.download_url), expires: body.expires_at };
  };

  it('shows its photo for seven days, and not a moment longer', async () => {
    const file = await drawPhoto();
    const { path, page, expires } = await linkTo(file);
    expect(page).toMatch(/^\/download\/[\w-]{43}$/);
    expect(Date.parse(expires)).toBe(now + 7 * DAY);
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.bytes.equals(file)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment; filename="photo_\d+\.jpg"/),
    });
    now += 7 * DAY - 1;
    expect((await get(path)).status).toBe(200);
    now += 1;
    const late = await get(path);
    expect([late.status, late.json().error]).toEqual([410, 'Der Download-Link ist abgelaufen. Bitte erstellen Sie ein neues Foto.']);
  });

  it('is kept as a hash alone: neither its token nor the photo’s key is in the database', async () => {
    const { page } = await linkTo(await drawPhoto());
    const token = page.split('/').at(-1) as string;
    const rows = JSON.stringify([
      await app.db.kysely.selectFrom('links').selectAll().execute(),
      await app.db.kysely.selectFrom('link_keys').selectAll().execute(),
    ]);
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });

  it('contains no location, and keeps its size, its colours and which way is up', async () => {
    const taken = await sharp(await drawPhoto({ width: 300, height: 200 }))
      .withIccProfile('p3')
      .withExif(PLACE)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(taken).metadata()).exif).toBeDefined();
    const { path } = await linkTo(taken);
    const shown = (await get(path)).bytes;
    const { exif, xmp, icc, width, height, format } = await sharp(shown).metadata();
    expect({ exif, xmp, width, height, format }).toEqual({ exif: undefined, xmp: undefined, width: 200, height: 300, format: 'jpeg' });
    expect(icc).toBeDefined();
    const part = await get(path, { range: 'bytes=10-19' });
    expect([part.status, part.bytes.equals(shown.subarray(10, 20))]).toEqual([206, true]);
  });

  it('is a JPEG of any photo, and contains nothing that is appended to a picture', async () => {
    const png = await plain();
    expect((await sharp((await get((await linkTo(png)).path)).bytes).metadata()).format).toBe('jpeg');
    const video = Buffer.concat([await drawPhoto(), Buffer.from('ftypmp42 GPS 52.5 13.4')]);
    expect((await get((await linkTo(video)).path)).bytes.includes('GPS')).toBe(false);
    const drawn = await drawPhoto();
    const comment = Buffer.from('GPS 52.5 13.4');
    const noted = Buffer.concat([drawn.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, comment.length + 2]), comment, drawn.subarray(2)]);
    expect((await get((await linkTo(noted)).path)).bytes.includes('GPS')).toBe(false);
  });

  it('is made once for all who read it at a time, from a sealed file that goes with the last of them', async () => {
    const png = await plain();
    const { path } = await linkTo(png);
    const found = (await app.links.open(path.split('/').at(-1) as string, '192.0.2.1'))!;
    const reader = { address: '192.0.2.1', gone: new AbortController().signal };
    renderings = 0;
    const [one, other] = await Promise.all([app.links.withoutPlace(found, reader), app.links.withoutPlace(found, reader)]);
    const [staged] = await Promise.all([app.leftovers().then((left) => left.staged), get(path, { range: 'bytes=0-0' })]);
    expect([renderings, staged.length]).toEqual([1, 1]);
    const bytes = Buffer.concat(await Array.fromAsync(one!.read({ start: 0, end: one!.size })));
    expect((await sharp(bytes).metadata()).format).toBe('jpeg');
    expect((await app.leftovers()).staged).toEqual(staged);
    other!.release();
    await expect.poll(async () => (await app.leftovers()).staged).toEqual([]);
    expect((await get(path, { range: 'bytes=9999999-' })).status).toBe(416);
    expect((await get(path)).bytes.equals(bytes)).toBe(true);
    await expect.poll(async () => (await app.leftovers()).staged).toEqual([]);
  });

  it('costs nothing to ask about', async () => {
    const { path } = await linkTo(await drawPhoto());
    const etag = (await get(path)).headers.get('etag') as string;
    renderings = 0;
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
    const head = await fetch(`${app.url}${path}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), head.headers.get('content-type')]).toEqual([200, etag, 'image/jpeg']);
    expect(renderings).toBe(0);
  });

  it('is there while another event has 64 slow readers, of whom its networks have a share each, and one who left has none', async () => {
    const { path } = await linkTo(await plain());
    const party = await createParty(app, 'Anderes Fest');
    const { eventId, code: eventCode, keys } = party;
    const host = { sessionId: 's', eventId, eventCode, openEventKey: () => keys.privateKey };
    const png = await plain();
    const made: { network: string; release(): void }[] = [];
    const readers = await Promise.all(
      Array.from({ length: 64 }, async (_, n) => {
        const network = n < 40 ? '192.0.2.1' : '192.0.2.2';
        const found = await app.photos.find({ ...NOBODY, host, deviceId: null, address: network }, await party.add(png));
        return { found, network, leaving: new AbortController() };
      }),
    );
    const slow = readers.map(async ({ found, network, leaving: { signal: gone } }) => {
      const picture = await app.links.withoutPlace(found, { address: network, gone });
      made.push({ network, release: picture!.release });
    });
    const ends = Promise.allSettled(slow);
    await expect.poll(() => made.length).toBeGreaterThanOrEqual(16);
    expect((await get(path)).status).toBe(200);
    expect(Object.entries(Object.groupBy(made, ({ network }) => network)).map(([network, each]) => [network, each?.length])).toEqual([
      ['192.0.2.1', 12],
      ['192.0.2.2', 4],
    ]);

    renderings = 0;
    for (const { leaving } of readers.slice(0, 63)) leaving.abort(new Error('left'));
    made.forEach(({ release }) => release());
    expect((await ends).map(({ status }) => status)).toEqual(
      readers.map((_, n) => (n < 12 || (n >= 40 && n < 44) || n === 63 ? 'fulfilled' : 'rejected')),
    );
    expect(renderings).toBe(1);
    made.at(-1)?.release();
    await expect.poll(async () => (await app.leftovers()).staged).toEqual([]);
  });

  it('comes with each upload of the Fotobox, a fresh one with a repeat, and with no guest’s', async () => {
    const device = newDevice();
    const file = await drawPhoto();
    const send = () => app.upload(event.code, file, { device, headers: { 'event-password': 'Knipsekasten' } });
    const [first, repeat] = [await send(), await send()];
    expect([first.status, repeat.status]).toEqual([201, 200]);
    const urls = [first, repeat].map(({ body }) => (JSON.parse(body) as { download_url: string }).download_url);
    expect(new Set(urls).size).toBe(2);
    for (const url of urls) expect((await get(dataOf(url))).bytes.equals(file)).toBe(true);
    expect(JSON.parse((await app.upload(event.code, await drawPhoto())).body)).not.toHaveProperty('download_url');
  });
});
