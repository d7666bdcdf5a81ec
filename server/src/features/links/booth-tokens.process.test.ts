import { DAY } from '@feierbild/contract/constants.ts';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { boothToken, davClient, FOTOBOX } from '../dav/testing.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { BYTES, newKey, tusClient } from '../uploads/testing.ts';

const PASSWORD = { 'event-password': encodeURIComponent(FOTOBOX) };
const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('a link that a Fotobox prints before the upload, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let now: number;
  let device: string;
  beforeEach(async () => {
    const db = await engine.open();
    now = Date.now();
    device = newDevice();
    app = await openApp({ db, decoder, clock: { now: () => now } });
    event = await app.event({ with_fotobox: 1 }, { fotobox: FOTOBOX });
  });
  afterEach(() => app.close());

  const tus = tusClient(() => ({ app, code: event.code, device }));
  const dav = davClient(() => ({ port: app.port, code: event.code }));
  const keyOf = async (ref = event.code, headers: Record<string, string> = PASSWORD) => {
    const response = await fetch(`${app.url}/api/events/${ref}/booth-key`, { headers });
    return { status: response.status, body: (await response.json()) as { key: string; event_id: string; code?: string } };
  };
  const newToken = async (): Promise<string> => {
    const { key, event_id } = (await keyOf()).body;
    return boothToken(key, event_id, now);
  };
  const open = async (token: string) => {
    const response = await fetch(`${app.url}/api/photos/temp_download/${token}`);
    return { status: response.status, type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const shows = async (token: string, photo: Buffer): Promise<void> => {
    const { status, bytes } = await open(token);
    expect([status, bytes.equals(photo)]).toEqual([200, true]);
  };
  const upload = async (photo: Uint8Array, token: string, headers = {}) => {
    const { status, body } = await app.upload(event.code, photo, { device, headers: { ...PASSWORD, 'link-token': token, ...headers } });
    return { status, ...(JSON.parse(body) as { download_url?: string; expires_at: string }) };
  };

  it('is made under a key that the Fotobox password gives, another for each event, and nothing else does', async () => {
    const { status, body } = await keyOf();
    expect([status, Buffer.from(body.key, 'base64url').length, body.event_id]).toEqual([200, 32, event.id]);
    expect((await keyOf(event.id)).body).toEqual(body);
    const other = await app.event({ with_fotobox: 1 }, { fotobox: FOTOBOX });
    expect((await keyOf(other.code)).body.key).not.toBe(body.key);
    expect(await keyOf(event.code, {})).toMatchObject({ status: 403, body: { code: 'wrong_event_password' } });
    expect(await keyOf(event.code, { 'event-password': 'geraten' })).toMatchObject({ status: 403, body: { code: 'wrong_event_password' } });
    expect(await keyOf('ABCDEFGH')).toMatchObject({ status: 404 });
  });

  it('is awaited until its photo comes by a form, and is then its link for seven days', async () => {
    const [token, photo] = [await newToken(), await drawPhoto()];
    const awaited = await open(token);
    expect([awaited.status, awaited.bytes.toString()]).toEqual([202, '{"status":"waiting"}']);
    expect((await fetch(`${app.url}/api/photos/temp_download/${token}`, { method: 'HEAD' })).status).toBe(202);
    now += 2 * DAY;
    const stored = await upload(photo, token);
    expect(stored).toMatchObject({ status: 201, download_url: `/download/${token}`, expires_at: new Date(now + 7 * DAY).toISOString() });
    await shows(token, photo);
    // A repeated upload, and a second print of the same photo.
    expect(await upload(photo, token)).toMatchObject({ status: 200, download_url: `/download/${token}`, expires_at: stored.expires_at });
    const reprint = await newToken();
    expect(await upload(photo, reprint)).toMatchObject({ status: 200, download_url: `/download/${reprint}` });
    await shows(reprint, photo);
    now += 7 * DAY;
    expect((await open(token)).status).toBe(410);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 1 });
  });

  it('gets its photo by tus, whether the first request or the last one names it, and by WebDAV in the file’s name', async () => {
    const [one, other, third] = [await newToken(), await newToken(), await newToken()];
    const photos = [await drawPhoto(), await drawPhoto(), await drawPhoto()] as const;
    for (const [photo, token, first, last] of [
      [photos[0], one, { 'link-token': one }, {}],
      [photos[1], other, {}, { 'link-token': other }],
    ] as const) {
      const key = newKey();
      expect((await tus.create(photo.length, { ...PASSWORD, 'upload-key': key, ...first })).status).toBe(201);
      const answer = await tus.append(`/uploads/${key}`, 0, photo, { ...BYTES, ...last });
      expect(JSON.parse(answer.body)).toMatchObject({ download_url: `/download/${token}`, photo: { filename: 'Größe.jpg' } });
      await shows(token, photo);
    }
    expect((await dav('PUT', `/dav/${event.code}/IMG_1.${third}.jpg`, {}, photos[2])).status).toBe(201);
    await shows(third, photos[2]);
    const moved = await newToken();
    await dav('PUT', `/dav/${event.code}/IMG_2.jpg.tmp`, {}, await drawPhoto());
    expect((await dav('MOVE', `/dav/${event.code}/IMG_2.jpg.tmp`, { destination: `/dav/${event.code}/IMG_2.${moved}.jpg` })).status).toBe(
      201,
    );
    expect((await open(moved)).status).toBe(200);
    const list = await fetch(`${app.url}/api/events/${event.code}/photos`, { headers: { cookie: event.cookie } });
    const { photos: shown } = (await list.json()) as { photos: { filename: string }[] };
    expect(shown.map(({ filename }) => filename).toSorted()).toEqual(['Größe.jpg', 'Größe.jpg', 'IMG_1.jpg', 'IMG_2.jpg']);
  });

  it('is awaited while only a preview of its photo is shown, and is its link as soon as the original came', async () => {
    for (const named of ['first', 'last'] as const) {
      const [key, token, photo] = [newKey(), await newToken(), await drawPhoto()];
      const [first, last] = named === 'first' ? [{ 'link-token': token }, {}] : [{}, { 'link-token': token }];
      const about = { 'upload-length': String(photo.length), 'upload-metadata': tus.metadata(), 'content-type': 'image/jpeg' };
      const announced = await tus.ask('PUT', `/uploads/${key}/preview`, { ...PASSWORD, ...about, ...first }, photo);
      expect([announced.status, JSON.parse(announced.body)]).toMatchObject([201, { photo: { state: 'announced', filename: 'Größe.jpg' } }]);
      expect((await open(token)).status).toBe(202);
      const answer = await tus.append(`/uploads/${key}`, 0, photo, { ...BYTES, ...last });
      expect(JSON.parse(answer.body)).toMatchObject({ download_url: `/download/${token}`, photo: { filename: 'Größe.jpg' } });
      await shows(token, photo);
    }
  });

  it('is unknown where anything of it is wrong, its event is over, or its booth has been off for months', async () => {
    const token = await newToken();
    const bytes = Buffer.from(token, 'base64url');
    for (let n = 0; n < bytes.length; n++) {
      const changed = Buffer.from(bytes);
      changed[n] = (changed[n] as number) ^ 1;
      expect((await open(changed.toString('base64url'))).status).toBe(400);
    }
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const respelled = token.slice(0, -1) + last[last.indexOf(token.at(-1) as string) + 1];
    for (const wrong of [respelled, `${token}A`, token.slice(1), randomBytes(28).toString('base64url'), '..'])
      expect((await open(encodeURIComponent(wrong))).status).not.toBe(202);
    expect((await open(respelled)).status).toBe(400);
    now += 91 * DAY;
    expect((await open(token)).status).toBe(400);
    now -= 91 * DAY;
    await app.db.kysely.updateTable('events').set({ purging_at: now }).where('id', '=', event.id).execute();
    expect((await open(token)).status).toBe(400);
  });

  it('is looked for among all events where it names none, sixty wrong times from an address, which right ones never are', async () => {
    const { key, event_id } = (await keyOf()).body;
    const old = () => boothToken(key, event_id, now, Buffer.alloc(0));
    expect((await open(old())).status).toBe(202);
    const wrong = () => boothToken(randomBytes(32).toString('base64url'), event_id, now);
    const statuses = async (times: number) => {
      const seen: number[] = [];
      for (let n = 0; n < times; n++) seen.push((await open(wrong())).status);
      return [...new Set(seen)];
    };
    expect(await statuses(60)).toEqual([400]);
    expect(await statuses(2)).toEqual([429]);
    expect((await open(await newToken())).status).toBe(202);
    expect((await open(old())).status).toBe(429);
    now += 10 * 60_000;
    expect((await open(old())).status).toBe(202);
  });

  it('belongs to its first photo alone, to the Fotobox alone, and to its event alone; a photo is stored all the same', async () => {
    const [token, photo] = [await newToken(), await drawPhoto()];
    await upload(photo, token);
    const second = await upload(await drawPhoto(), token);
    expect([second.status, second.download_url]).toEqual([201, expect.stringMatching(/^\/download\/[\w-]{43}$/)]);
    await shows(token, photo);
    const unused = await newToken();
    const guest = await upload(await drawPhoto(), unused, { 'event-password': '' });
    expect([guest.status, guest.download_url]).toEqual([201, undefined]);
    expect((await open(unused)).status).toBe(202);
    const [key, photo2] = [newKey(), await drawPhoto()];
    await tus.create(photo2.length, { 'upload-key': key, 'link-token': unused });
    expect(JSON.parse((await tus.append(`/uploads/${key}`, 0, photo2, BYTES)).body)).toMatchObject({ photo: { filename: 'Größe.jpg' } });
    expect((await open(unused)).status).toBe(202);
    const other = await app.event({ with_fotobox: 1 }, { fotobox: FOTOBOX });
    const foreign = await app.upload(other.code, await drawPhoto(), { headers: { ...PASSWORD, 'link-token': unused } });
    expect(foreign.status).toBe(201);
    expect((await open(unused)).status).toBe(202);
    for (const wrong of ['x', randomBytes(28).toString('base64url'), 'y'.repeat(4000)])
      expect((await upload(await drawPhoto(), wrong)).download_url).toMatch(/^\/download\/[\w-]{43}$/);
  });

  it('ends with its photo, and is never awaited again', async () => {
    const token = await newToken();
    const { photo } = await app.upload(event.code, await drawPhoto(), { device, headers: { ...PASSWORD, 'link-token': token } });
    await fetch(`${app.url}/api/photos/${photo.id}`, { method: 'DELETE', headers: { 'device-id': device } });
    expect((await open(token)).status).toBe(410);
    now += 60 * DAY;
    await app.links.endExpired();
    expect((await open(token)).status).toBe(410);
  });
});
