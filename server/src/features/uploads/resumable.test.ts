import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { createDecoder } from '../../images/create-decoder.ts';
import type { Decoder } from '../../images/decoder.ts';
import { createLog } from '../../lib/log.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { drawPhoto, newDevice, openHouse, type House } from '../testing.ts';

const MB = 1_000_000;
const all = engines();
let decoder: Decoder;
beforeAll(() => {
  decoder = createDecoder({ log: createLog('silent') });
});
afterAll(async () => {
  await decoder.close();
  for (const engine of all) await engine.dispose();
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const newKey = (): string => randomBytes(16).toString('base64url');

/** A photo of so many bytes: what follows a JPEG's end is passed over. */
async function photoOf(bytes: number): Promise<Buffer> {
  const photo = await drawPhoto();
  return Buffer.concat([photo, randomBytes(bytes - photo.length)]);
}

interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

describe.each(all)('a resumable upload on $name', (engine) => {
  let house: House;
  let event: Awaited<ReturnType<House['event']>>;
  let device: string;
  let now: number;

  beforeEach(async () => {
    now = Date.now();
    house = await openHouse({ db: await engine.open(), decoder, maxBytes: 40 * MB, clock: { now: () => now } });
    event = await house.event();
    device = newDevice();
  });
  afterEach(() => house.close());

  async function ask(method: string, path: string, headers: Record<string, string> = {}, body?: Uint8Array): Promise<Answer> {
    const response = await fetch(`${house.url}${path}`, {
      method,
      headers: { 'tus-resumable': '1.0.0', 'device-id': device, ...headers },
      ...(body && { body: Buffer.from(body) }),
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  }
  const metadata = (code = event.code): string => `filename ${base64('Größe.jpg')},eventCode ${base64(code)},deviceName ${base64('Jörg')}`;
  const create = (length: number, headers: Record<string, string> = {}, body?: Uint8Array) =>
    ask('POST', '/uploads', { 'upload-length': String(length), 'upload-metadata': metadata(), ...headers }, body);
  const BYTES = { 'content-type': 'application/offset+octet-stream' };
  const append = (path: string, offset: number, body: Uint8Array, headers = {}) =>
    ask('PATCH', path, { 'upload-offset': String(offset), ...BYTES, ...headers }, body);
  const offsetOf = async (path: string): Promise<number> => Number((await ask('HEAD', path)).headers['upload-offset']);
  const download = async (id: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(`${house.url}/api/photos/${id}/download`, { headers: { 'device-id': device } })).arrayBuffer());

  /** Sends the first bytes of a request and breaks off. */
  async function breakOff(method: string, path: string, headers: Record<string, string>, first: Uint8Array): Promise<void> {
    const sending = request(`${house.url}${path}`, { method, headers: { 'device-id': device, ...headers } });
    const closed = new Promise((resolve) => sending.once('close', resolve));
    sending.on('error', () => undefined);
    await new Promise<void>((resolve) => sending.write(first, () => resolve()));
    sending.destroy();
    await closed;
  }
  const row = () => house.db.kysely.selectFrom('uploads').selectAll().executeTakeFirst();

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
    // More than 8 MiB are two parts already.
    expect((await house.leftovers()).blobs).toHaveLength(2);
    const last = await append(path, 9 * MB, photo.subarray(9 * MB));
    expect(last.status).toBe(201);
    expect(last.headers['repr-digest']).toBe(`sha-256=:${sha256(photo).toString('base64')}:`);
    const stored = JSON.parse(last.body).photo;
    expect(stored).toMatchObject({ filename: 'Größe.jpg', device: { name: 'Jörg' }, size: photo.length });
    expect(sha256(await download(stored.id))).toEqual(sha256(photo));
    expect(await house.row(event.id)).toMatchObject({ used_bytes: photo.length, photo_count: 1, device_count: 1 });
    const { staged, blobs } = await house.leftovers();
    expect([staged, blobs.filter((key) => key.includes('uploads'))]).toEqual([[], []]);
    expect(await house.db.kysely.selectFrom('upload_keys').selectAll().execute()).toEqual([]);

    // Whoever lost the answer asks again, for a day.
    const again = await append(path, photo.length, Buffer.alloc(0));
    expect(again).toMatchObject({ status: 200, headers: { 'repr-digest': last.headers['repr-digest'] } });
    expect(JSON.parse(again.body)).toEqual({ photo: stored });
    now += UPLOAD_KEPT;
    expect((await append(path, photo.length, Buffer.alloc(0))).status).toBe(410);
  });

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
    expect((await house.leftovers()).staged).toEqual([]);

    const whole = newKey();
    const other = await drawPhoto();
    const answer = await house.upload(event.code, other, {
      device,
      headers: { 'upload-key': whole, 'upload-length': String(other.length) },
    });
    expect(answer.status).toBe(201);
    expect(await offsetOf(`/uploads/${whole}`)).toBe(other.length);
    const again = await append(`/uploads/${whole}`, other.length, Buffer.alloc(0));
    expect([again.status, JSON.parse(again.body).photo]).toEqual([200, answer.photo]);
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
    expect(await house.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it('tells a device which of its photos are known, and nothing of others', async () => {
    const vault = createQuickVault();
    const photo = await drawPhoto();
    const { photo: stored } = await house.upload(event.code, photo, { device });
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
