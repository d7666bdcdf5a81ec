import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { BYTES, newKey, photoOf, sha256, tusClient } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const MB = 1_000_000;
const all = engines();
const decoder = useDecoder(all);

describe.each(all)('a resumable upload whose connection breaks, on $name', (engine) => {
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

  const { ask, create, append, offsetOf, download, breakOff, staging, row } = tusClient(() => ({
    app,
    code: event.code,
    device,
  }));

  it('keeps what arrived before a break, all of it but at most 256 KiB', async () => {
    const photo = await photoOf(3 * MB);
    const path = (await create(photo.length)).headers.location as string;
    await breakOff(
      'PATCH',
      path,
      { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-length': String(photo.length), ...BYTES },
      photo.subarray(0, 2 * MB),
    );
    await expect.poll(() => offsetOf(path)).toBeGreaterThanOrEqual(2 * MB - 256 * 1024);
    const offset = await offsetOf(path);
    const last = await append(path, offset, photo.subarray(offset));
    expect(last.status).toBe(201);
    expect(sha256(await download(JSON.parse(last.body).photo.id))).toEqual(sha256(photo));
  });

  it('goes on after a POST /upload that broke off, which named its key; one that did not break answers again', async () => {
    const photo = await photoOf(3 * MB);
    const key = newKey();
    const form = (length: number) => ({
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(length + 300),
      'event-code': event.code,
      'upload-key': key,
      'upload-length': String(length),
    });
    const head = Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="Kuchen.jpg"\r\n\r\n');
    expect((await ask('HEAD', `/uploads/${key}`)).status).toBe(404);
    await breakOff('POST', '/upload', form(photo.length), Buffer.concat([head, photo.subarray(0, 2 * MB)]));
    const path = `/uploads/${key}`;
    await expect.poll(async () => (await ask('HEAD', path)).status).toBe(200);
    const offset = await offsetOf(path);
    expect(offset).toBeGreaterThanOrEqual(2 * MB - 256 * 1024);
    const last = await append(path, offset, photo.subarray(offset));
    expect(JSON.parse(last.body).photo).toMatchObject({ filename: 'Kuchen.jpg', size: photo.length });
    expect((await app.leftovers()).staged).toEqual([]);

    const whole = newKey();
    const other = await drawPhoto();
    const answer = await app.upload(event.code, other, {
      device,
      headers: { 'upload-key': whole, 'upload-length': String(other.length) },
    });
    expect(answer.status).toBe(201);
    expect(await offsetOf(`/uploads/${whole}`)).toBe(other.length);
    const again = await append(`/uploads/${whole}`, other.length, Buffer.alloc(0));
    expect([again.status, JSON.parse(again.body).photo]).toEqual([200, answer.photo]);
  });

  it('keeps every 8 MiB of a POST /upload that named its key while it arrives, and answers it as any other', async () => {
    const photo = await photoOf(20 * MB);
    const key = newKey();
    const head = Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="Kuchen.jpg"\r\n\r\n');
    const form = Buffer.concat([head, photo, Buffer.from('\r\n--b--\r\n')]);
    const headers = {
      'device-id': device,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(form.length),
      'event-code': event.code,
      'upload-key': key,
      'upload-length': String(photo.length),
    };
    // What an earlier sender left is replaced, as it is by a short one.
    await append((await create(photo.length, { 'upload-key': key })).headers.location as string, 0, randomBytes(500_000));
    const sending = request(`${app.url}/upload`, { method: 'POST', headers });
    const answered = new Promise<string>((resolve, reject) => {
      sending.once('error', reject);
      sending.once('response', (response) => response.toArray().then((pieces) => resolve(Buffer.concat(pieces).toString()), reject));
    });
    sending.write(form.subarray(0, 18 * MB));
    await expect.poll(async () => (await row())?.received).toBe(16 * 1024 * 1024);
    sending.end(form.subarray(18 * MB));
    const { photo: stored } = JSON.parse(await answered);
    expect(stored).toMatchObject({ filename: 'Kuchen.jpg', size: photo.length });
    expect(sha256(await download(stored.id))).toEqual(sha256(photo));
    expect(JSON.parse((await append(`/uploads/${key}`, photo.length, Buffer.alloc(0))).body)).toEqual({ photo: stored });
    expect((await app.leftovers()).staged).toEqual([]);
    expect((await app.leftovers()).blobs.filter((name) => name.includes('uploads'))).toEqual([]);

    // Its size is what was announced.
    const other = await photoOf(10 * MB);
    for (const length of [other.length - 9, other.length + 9]) {
      const wrong = { 'upload-key': newKey(), 'upload-length': String(length) };
      expect((await app.upload(event.code, other, { device, headers: wrong })).status).toBe(length < other.length ? 413 : 400);
    }
  });

  it('closes the connection of a browser that repeats by itself what broke off, so that its page resumes after what was kept', async () => {
    const photo = await photoOf(3 * MB);
    const path = (await create(photo.length)).headers.location as string;
    const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-length': String(photo.length), ...BYTES };
    await breakOff('PATCH', path, tus, photo.subarray(0, 2 * MB), staging);
    await expect(append(path, 0, photo)).rejects.toThrow('fetch failed');
    const offset = await offsetOf(path);
    expect(offset).toBeGreaterThanOrEqual(2 * MB - 256 * 1024);

    // Whoever has asked where to go on is no repeat; and a break has one only.
    await breakOff(
      'PATCH',
      path,
      { ...tus, 'upload-offset': String(offset), 'content-length': '500000' },
      photo.subarray(offset, offset + 200_000),
      staging,
    );
    const next = await offsetOf(path);
    expect((await append(path, next, photo.subarray(next))).status).toBe(201);

    const other = await photoOf(3 * MB);
    const key = newKey();
    const send = () => app.upload(event.code, other, { device, headers: { 'upload-key': key, 'upload-length': String(other.length) } });
    const headers = {
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(other.length + 300),
      'event-code': event.code,
      'upload-key': key,
      'upload-length': String(other.length),
    };
    const head = Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n');
    await breakOff('POST', '/upload', headers, Buffer.concat([head, other.subarray(0, 2 * MB)]), staging);
    await expect(send()).rejects.toThrow('fetch failed');
    const kept = app.db.kysely.selectFrom('uploads').select('received').where('photo_id', 'is', null);
    await expect.poll(() => kept.executeTakeFirst()).toMatchObject({ received: expect.any(Number) });
    expect((await send()).status).toBe(201);
  });

  it('takes what goes on behind what was kept, though it was another node that said where', async () => {
    const photo = await photoOf(3 * MB);
    const path = (await create(photo.length)).headers.location as string;
    const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-length': String(photo.length), ...BYTES };
    await breakOff('PATCH', path, tus, photo.subarray(0, 2 * MB), staging);
    await expect.poll(async () => (await row())?.received).toBeGreaterThan(MB);
    const { received = 0 } = (await row()) ?? {};
    expect((await append(path, received, photo.subarray(received))).status).toBe(201);
  });

  it('is replaced by the same file sent whole with the same key', async () => {
    const photo = await photoOf(MB);
    const key = newKey();
    const path = (await create(photo.length, { 'upload-key': key })).headers.location as string;
    await append(path, 0, photo.subarray(0, 500_000));
    const { status, photo: stored } = await app.upload(event.code, photo, { device, headers: { 'upload-key': key } });
    expect(status).toBe(201);
    expect((await app.leftovers()).blobs.filter((name) => name.includes('uploads'))).toEqual([]);
    expect(await app.db.kysely.selectFrom('upload_keys').selectAll().execute()).toEqual([]);
    expect(JSON.parse((await append(path, photo.length, Buffer.alloc(0))).body)).toEqual({ photo: stored });
  });
});
