import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { MB, UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { BYTES, newKey, photoOf, sha256, tusClient } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('a resumable upload on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  let now: number;

  beforeEach(async () => {
    now = Date.now();
    app = await openApp({ db: await engine.open(), decoder, maxBytes: 40 * MB, clock: { now: () => now } });
    event = await app.event();
    device = newDevice();
  });
  afterEach(() => app.close());

  const { ask, create, append, metadata, download, row } = tusClient(() => ({
    app,
    code: event.code,
    device,
  }));

  it('goes on where it stands, over any number of requests, and ends as the photo', async () => {
    const photo = await photoOf(10 * MB);
    const created = await create(photo.length);
    expect(created).toMatchObject({ status: 201, headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0' } });
    const path = created.headers.location as string;
    expect(path).toMatch(/^\/uploads\/[\w-]{22}$/);
    expect(await ask('HEAD', path)).toMatchObject({
      status: 200,
      headers: {
        'upload-offset': '0',
        'upload-length': String(photo.length),
        'cache-control': 'no-store',
        'upload-expires': new Date(now + UPLOAD_KEPT).toUTCString(),
      },
    });
    expect(await append(path, 0, photo.subarray(0, 9 * MB))).toMatchObject({ status: 204, headers: { 'upload-offset': String(9 * MB) } });
    // More than 8 MiB are two parts already; a machine that stands still makes more.
    expect((await app.leftovers()).blobs.length).toBeGreaterThanOrEqual(2);
    const last = await append(path, 9 * MB, photo.subarray(9 * MB));
    expect(last.status).toBe(201);
    expect(last.headers['repr-digest']).toBe(`sha-256=:${sha256(photo).toString('base64')}:`);
    const stored = JSON.parse(last.body).photo;
    expect(stored).toMatchObject({ filename: 'Größe.jpg', device: { name: 'Jörg' }, size: photo.length });
    expect(sha256(await download(stored.id))).toEqual(sha256(photo));
    expect(await app.row(event.id)).toMatchObject({ used_bytes: photo.length, photo_count: 1, device_count: 1 });
    const { staged, blobs } = await app.leftovers();
    expect([staged, blobs.filter((key) => key.includes('uploads'))]).toEqual([[], []]);
    expect(await app.db.kysely.selectFrom('upload_keys').selectAll().execute()).toEqual([]);

    // A client that lost the answer can ask again for a day.
    const again = await append(path, photo.length, Buffer.alloc(0));
    expect(again).toMatchObject({ status: 200, headers: { 'repr-digest': last.headers['repr-digest'] } });
    expect(JSON.parse(again.body)).toEqual({ photo: stored });
    now += UPLOAD_KEPT;
    expect((await append(path, photo.length, Buffer.alloc(0))).status).toBe(410);
    await app.uploads.resumable.endExpired();
    expect((await append(path, photo.length, Buffer.alloc(0))).status).toBe(404);
    expect((await download(stored.id)).length).toBe(photo.length);
  });

  it('answers a repeat of its creation with the same address, and a key of another size with 409', async () => {
    const photo = await drawPhoto();
    const headers = { 'upload-key': newKey() };
    const created = await create(photo.length, headers);
    expect(await create(photo.length, headers)).toMatchObject({ status: 200, headers: { location: created.headers.location } });
    expect(await create(photo.length + 1, headers)).toMatchObject({ status: 409 });
    await append(created.headers.location as string, 0, photo);
    const again = await create(photo.length, headers);
    expect(again).toMatchObject({ status: 200, headers: { 'upload-offset': String(photo.length) } });
    expect(JSON.parse(again.body).photo.size).toBe(photo.length);
  });

  it('takes the whole file with its creation', async () => {
    const photo = await drawPhoto();
    const created = await create(photo.length, BYTES, photo);
    expect(created).toMatchObject({ status: 201, headers: { 'upload-offset': String(photo.length) } });
    expect(JSON.parse(created.body).photo.size).toBe(photo.length);

    // A client that lost this answer sends everything once more.
    const named = { ...BYTES, 'upload-key': newKey() };
    const other = await photoOf(300_000);
    const { photo: stored } = JSON.parse((await create(other.length, named, other)).body);
    expect(await create(other.length, named, other)).toMatchObject({ status: 200, body: JSON.stringify({ photo: stored }) });
    expect(await create(9, { 'content-type': 'image/jpeg' }, Buffer.alloc(9))).toMatchObject({ status: 415 });
    expect((await app.db.kysely.selectFrom('uploads').selectAll().execute()).length).toBe(2);
  });

  it('is refused where its key was another file’s, also long ago: that one’s photo is neither answered for it nor overwritten', async () => {
    const [photo, other] = [await photoOf(300_000), await photoOf(300_000)];
    const named = { ...BYTES, 'upload-key': newKey() };
    const { id } = JSON.parse((await create(photo.length, named, photo)).body).photo;
    now += UPLOAD_KEPT;
    await app.uploads.resumable.endExpired();
    const refused = { status: 409, body: expect.stringContaining('upload_key_taken') };
    expect(await create(other.length, named, other)).toMatchObject(refused);
    expect(sha256(await download(id))).toEqual(sha256(photo));
    const lost = (await app.leftovers()).blobs.find((name) => name.includes(id) && name.endsWith('.original'))!;
    await app.blobs.remove(lost);
    const path = (await create(other.length, { 'upload-key': named['upload-key'] })).headers.location as string;
    expect(await append(path, 0, other)).toMatchObject(refused);
    const { blobs } = await app.leftovers();
    expect([blobs.includes(lost), blobs.filter((name) => name.includes('uploads'))]).toEqual([false, []]);
    // The same file gets the old answer, and its original is put back; the other file becomes a photo under a key of its own.
    const digest = `sha-256=:${sha256(photo).toString('base64')}:`;
    expect(await create(photo.length, named, photo)).toMatchObject({ status: 200, headers: { 'repr-digest': digest } });
    expect(sha256(await download(id))).toEqual(sha256(photo));
    expect((await create(other.length, BYTES, other)).status).toBe(201);
  });

  it('is refused in the words of the contract, and what is no photo leaves nothing', async () => {
    const photo = await drawPhoto();
    const created = await create(photo.length);
    const path = created.headers.location as string;
    expect(await append(path, 5, photo.subarray(5))).toMatchObject({ status: 409 });
    expect(await append(path, 0, Buffer.concat([photo, Buffer.alloc(9)]))).toMatchObject({ status: 413 });
    expect(await ask('PATCH', path, { 'upload-offset': '0', 'content-type': 'image/jpeg' }, photo)).toMatchObject({ status: 415 });
    expect(await append(path, 0, photo, { 'device-id': newDevice() })).toMatchObject({ status: 404 });
    expect(await ask('HEAD', path, { 'tus-resumable': '0.2.2' })).toMatchObject({ status: 412, headers: { 'tus-version': '1.0.0' } });
    expect(await ask('HEAD', '/uploads/unknown')).toMatchObject({ status: 404, headers: { 'tus-resumable': '1.0.0' } });
    expect(await ask('POST', '/uploads', { 'upload-metadata': metadata() })).toMatchObject({ status: 400 });
    expect(await create(41 * MB)).toMatchObject({ status: 413 });
    expect(await ask('DELETE', path)).toMatchObject({ status: 204 });
    expect(await ask('HEAD', path)).toMatchObject({ status: 404 });

    const text = randomBytes(300_000);
    const other = (await create(text.length)).headers.location as string;
    expect(await append(other, 0, text)).toMatchObject({ status: 415, body: expect.stringContaining('not_a_photo') });
    expect(await row()).toBeUndefined();
    expect(await app.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it('begins only with the guests’ password where the event has one, and says nothing of it later', async () => {
    const { code } = await app.event({ with_upload_password: 1 }, { upload: 'Lampion 9' });
    const photo = await drawPhoto();
    const begin = (headers = {}) => create(photo.length, { 'upload-metadata': metadata(code), ...headers });
    for (const headers of [{}, { 'event-password': 'Lampion 8' }, { 'event-password': '' }])
      expect(await begin(headers)).toMatchObject({ status: 403, body: expect.stringContaining('password') });
    expect(await row()).toBeUndefined();
    const begun = await begin({ 'event-password': encodeURIComponent('Lampion 9') });
    expect(begun.status).toBe(201);
    expect((await append(begun.headers.location as string, 0, photo)).status).toBe(201);
    // A proxy may remove that header alone.
    const saying = (password: string) => ({
      'upload-metadata': `${metadata(code)},eventPassword ${Buffer.from(password).toString('base64')}`,
    });
    expect(await begin(saying('Lampion 8'))).toMatchObject({ status: 403 });
    expect(await begin(saying('Lampion 9'))).toMatchObject({ status: 201 });
  });

  it('takes the newer of two senders, and none of the older one’s bytes', async () => {
    const photo = await photoOf(2 * MB);
    const path = (await create(photo.length)).headers.location as string;
    const forged = randomBytes(photo.length);
    const { version } = (await row())!;
    const older = request(`${app.url}${path}`, {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'device-id': device, 'upload-offset': '0', 'content-length': forged.length, ...BYTES },
    });
    const hungUp = new Promise((resolve) => older.once('close', resolve));
    older.on('error', () => undefined);
    older.write(forged.subarray(0, MB));
    await expect.poll(async () => (await row())?.version).toBe(version + 1);
    const newer = await append(path, 0, photo);
    expect(newer.status).toBe(201);
    await hungUp;
    expect(sha256(await download(JSON.parse(newer.body).photo.id))).toEqual(sha256(photo));
    await expect.poll(async () => (await app.leftovers()).staged).toEqual([]);
    expect((await app.leftovers()).blobs.filter((key) => key.includes('uploads'))).toEqual([]);
  });

  it('is stored once where its last byte comes twice at a time', async () => {
    const photo = await photoOf(MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, photo.length - 1));
    // Older requests are hung up on, or come too late.
    const last = () => append(path, photo.length - 1, photo.subarray(photo.length - 1)).catch(() => null);
    const answers = (await Promise.all([last(), last(), last()])).filter((answer) => answer !== null);
    const taken = answers.filter(({ status }) => status < 300);
    expect(taken.length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => [200, 201, 400, 409].includes(status))).toBe(true);
    expect(new Set(taken.map(({ body }) => JSON.parse(body).photo.id)).size).toBe(1);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 1, used_bytes: photo.length });
  });

  it('expires a day after its last byte: 410, then nothing of it is left, its key first', async () => {
    const photo = await photoOf(MB);
    const path = (await create(photo.length)).headers.location as string;
    now += UPLOAD_KEPT - 1;
    expect((await append(path, 0, photo.subarray(0, 500_000))).status).toBe(204);
    now += UPLOAD_KEPT - 1;
    expect((await ask('HEAD', path)).status).toBe(200);
    await app.uploads.resumable.endExpired();
    now += 1;
    expect((await ask('HEAD', path)).status).toBe(410);
    expect((await append(path, 500_000, photo.subarray(500_000))).status).toBe(410);
    expect(await app.janitor.sweep({ graceMs: 0 })).toBe(0);
    await expect(app.uploads.resumable.endExpired(AbortSignal.abort(new Error('lost')))).rejects.toThrow('lost');
    expect((await ask('HEAD', path)).status).toBe(410);
    await app.uploads.resumable.endExpired();
    expect((await ask('HEAD', path)).status).toBe(404);
    expect(await app.leftovers()).toEqual({ staged: [], blobs: [] });
    for (const table of ['uploads', 'upload_keys', 'upload_parts'] as const)
      expect(await app.db.kysely.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  it('is deleted with its photo', async () => {
    const photo = await drawPhoto();
    const path = (await create(photo.length)).headers.location as string;
    const { id } = JSON.parse((await append(path, 0, photo)).body).photo;
    expect((await ask('DELETE', `/api/photos/${id}`)).status).toBe(204);
    expect((await append(path, photo.length, Buffer.alloc(0))).status).toBe(404);
  });

  it('answers a device which of its own photos are known', async () => {
    const vault = createQuickVault();
    const photo = await drawPhoto();
    const { photo: stored } = await app.upload(event.code, photo, { device });
    const asked = [photo, await drawPhoto()].map((bytes) =>
      Buffer.from(vault.keyedHash(device, `fingerprint:${event.id}`, sha256(bytes))).toString('base64url'),
    );
    const known = (as: string) =>
      ask(
        'POST',
        `/api/events/${event.code}/known`,
        { 'device-id': as, 'content-type': 'application/json' },
        Buffer.from(JSON.stringify({ fingerprints: asked })),
      );
    expect(JSON.parse((await known(device)).body)).toEqual({ photos: [{ fingerprint: asked[0], photo: stored }] });
    expect(JSON.parse((await known(newDevice())).body)).toEqual({ photos: [] });
  });
});
