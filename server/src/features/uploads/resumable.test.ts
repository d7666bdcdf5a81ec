import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { createDecoder } from '../../images/create-decoder.ts';
import type { Decoder } from '../../images/decoder.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import { createLog } from '../../lib/log.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { purgeEvent } from '../events/purge.ts';
import { createIntegrity } from '../integrity/integrity.ts';
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

  /** Sends the first bytes of a request and breaks off, once the server is `reading` it. */
  async function breakOff(
    method: string,
    path: string,
    headers: Record<string, string>,
    first: Uint8Array,
    reading: () => Promise<boolean> = async () => true,
  ): Promise<void> {
    const sending = request(`${house.url}${path}`, { method, headers: { 'device-id': device, ...headers } });
    const closed = new Promise((resolve) => sending.once('close', resolve));
    sending.on('error', () => undefined);
    await new Promise<void>((resolve) => sending.write(first, () => resolve()));
    await expect.poll(reading).toBe(true);
    sending.destroy();
    await closed;
  }
  const staging = async (): Promise<boolean> => (await house.leftovers()).staged.length > 0;
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
    await house.uploads.resumable.endExpired();
    expect((await append(path, photo.length, Buffer.alloc(0))).status).toBe(404);
    expect((await download(stored.id)).length).toBe(photo.length);
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
    const sending = request(`${house.url}/upload`, { method: 'POST', headers });
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
    expect((await house.leftovers()).staged).toEqual([]);
    expect((await house.leftovers()).blobs.filter((name) => name.includes('uploads'))).toEqual([]);

    // Its size is what was announced.
    const other = await photoOf(10 * MB);
    for (const length of [other.length - 9, other.length + 9]) {
      const wrong = { 'upload-key': newKey(), 'upload-length': String(length) };
      expect((await house.upload(event.code, other, { device, headers: wrong })).status).toBe(length < other.length ? 413 : 400);
    }
  });

  it('hangs up on a browser that repeats by itself what broke off, so that its page goes on behind what was kept', async () => {
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
    const send = () => house.upload(event.code, other, { device, headers: { 'upload-key': key, 'upload-length': String(other.length) } });
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
    await expect.poll(row).toMatchObject({ received: expect.any(Number) });
    expect((await send()).status).toBe(201);
  });

  it('is replaced by the same file sent whole with the same key', async () => {
    const photo = await photoOf(MB);
    const key = newKey();
    const path = (await create(photo.length, { 'upload-key': key })).headers.location as string;
    await append(path, 0, photo.subarray(0, 500_000));
    const { status, photo: stored } = await house.upload(event.code, photo, { device, headers: { 'upload-key': key } });
    expect(status).toBe(201);
    expect((await house.leftovers()).blobs.filter((name) => name.includes('uploads'))).toEqual([]);
    expect(await house.db.kysely.selectFrom('upload_keys').selectAll().execute()).toEqual([]);
    expect(JSON.parse((await append(path, photo.length, Buffer.alloc(0))).body)).toEqual({ photo: stored });
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

    // A client that lost this answer sends it all once more.
    const named = { ...BYTES, 'upload-key': newKey() };
    const other = await photoOf(300_000);
    const { photo: stored } = JSON.parse((await create(other.length, named, other)).body);
    expect(await create(other.length, named, other)).toMatchObject({ status: 200, body: JSON.stringify({ photo: stored }) });
    expect(await create(9, { 'content-type': 'image/jpeg' }, Buffer.alloc(9))).toMatchObject({ status: 415 });
    expect((await house.db.kysely.selectFrom('uploads').selectAll().execute()).length).toBe(2);
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

  it('takes the newer of two senders, and none of the older one’s bytes', async () => {
    const photo = await photoOf(2 * MB);
    const path = (await create(photo.length)).headers.location as string;
    const forged = randomBytes(photo.length);
    const older = request(`${house.url}${path}`, {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'device-id': device, 'upload-offset': '0', 'content-length': forged.length, ...BYTES },
    });
    const hungUp = new Promise((resolve) => older.once('close', resolve));
    older.on('error', () => undefined);
    older.write(forged.subarray(0, MB));
    await expect.poll(async () => (await row())?.version).toBe(1);
    const newer = await append(path, 0, photo);
    expect(newer.status).toBe(201);
    await hungUp;
    expect(sha256(await download(JSON.parse(newer.body).photo.id))).toEqual(sha256(photo));
    await expect.poll(async () => (await house.leftovers()).staged).toEqual([]);
    expect((await house.leftovers()).blobs.filter((key) => key.includes('uploads'))).toEqual([]);
  });

  it('is stored once where its last byte comes twice at a time', async () => {
    const photo = await photoOf(MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, photo.length - 1));
    // The older ones are hung up on, or come too late.
    const last = () => append(path, photo.length - 1, photo.subarray(photo.length - 1)).catch(() => null);
    const answers = (await Promise.all([last(), last(), last()])).filter((answer) => answer !== null);
    const taken = answers.filter(({ status }) => status < 300);
    expect(taken.length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => [200, 201, 400, 409].includes(status))).toBe(true);
    expect(new Set(taken.map(({ body }) => JSON.parse(body).photo.id)).size).toBe(1);
    expect(await house.row(event.id)).toMatchObject({ photo_count: 1, used_bytes: photo.length });
  });

  it('expires a day after its last byte: 410, then nothing of it is left, its key first', async () => {
    const photo = await photoOf(MB);
    const path = (await create(photo.length)).headers.location as string;
    now += UPLOAD_KEPT - 1;
    expect((await append(path, 0, photo.subarray(0, 500_000))).status).toBe(204);
    now += UPLOAD_KEPT - 1;
    expect((await ask('HEAD', path)).status).toBe(200);
    await house.uploads.resumable.endExpired();
    now += 1;
    expect((await ask('HEAD', path)).status).toBe(410);
    expect((await append(path, 500_000, photo.subarray(500_000))).status).toBe(410);
    expect(await house.janitor.sweep({ graceMs: 0 })).toBe(0);
    await house.uploads.resumable.endExpired();
    expect((await ask('HEAD', path)).status).toBe(404);
    expect(await house.leftovers()).toEqual({ staged: [], blobs: [] });
    for (const table of ['uploads', 'upload_keys', 'upload_parts'] as const)
      expect(await house.db.kysely.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  it('loses its key before its parts where it expires: what the store does not remove then, nobody can open', async () => {
    await house.close();
    let down = false;
    const wrapStore = (store: House['blobs']): House['blobs'] => ({
      ...store,
      remove: (key) => (down ? Promise.reject(new Unavailable('store', null)) : store.remove(key)),
    });
    house = await openHouse({ db: await engine.open(), decoder, maxBytes: 40 * MB, clock: { now: () => now }, wrapStore });
    event = await house.event();
    const photo = await photoOf(MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, 500_000));
    const parts = (await house.leftovers()).blobs;
    expect(parts).toHaveLength(1);
    now += UPLOAD_KEPT;
    down = true;
    await house.uploads.resumable.endExpired();
    for (const table of ['uploads', 'upload_keys', 'upload_parts'] as const)
      expect(await house.db.kysely.selectFrom(table).selectAll().execute()).toEqual([]);
    expect((await house.leftovers()).blobs).toEqual(parts);
    down = false;
    expect(await house.janitor.sweep({ graceMs: 0 })).toBe(1);
    expect(await house.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it('leaves nothing where the event is purged while it arrives', async () => {
    const photo = await photoOf(20 * MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, 9 * MB));
    let sent = false;
    const going = append(path, 9 * MB, photo.subarray(9 * MB)).finally(() => (sent = true));
    await expect.poll(async () => ((await row())?.received ?? 0) > 9 * MB || sent).toBe(true);
    await purgeEvent({ ...house, onPurged: () => undefined }, event.id);
    const { status } = await going;
    expect([201, 403, 404, 409, 410]).toContain(status);
    expect((await append(path, 9 * MB, photo.subarray(9 * MB))).status).toBe(404);
    expect((await create(photo.length)).status).toBe(403);
    await expect.poll(() => house.leftovers()).toEqual({ staged: [], blobs: [] });
    for (const table of ['uploads', 'upload_keys', 'upload_parts', 'photos', 'photo_keys'] as const)
      expect(await house.db.kysely.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  it('is refused at its start where it cannot fit, and at its end where it no longer does; then it waits for room', async () => {
    const photo = await photoOf(MB);
    const full = await house.event({ storage_limit: 1.5 * MB });
    const named = { 'upload-metadata': metadata(full.code) };
    expect(await create(2 * MB, named)).toMatchObject({ status: 507 });
    const path = (await create(photo.length, named)).headers.location as string;
    const other = await house.upload(full.code, await photoOf(MB));
    expect(other.status).toBe(201);
    expect(await append(path, 0, photo)).toMatchObject({ status: 507, body: expect.stringContaining('storage_full') });
    await house.db.kysely
      .updateTable('events')
      .set({ storage_limit: 3 * MB })
      .where('id', '=', full.id)
      .execute();
    expect((await append(path, photo.length, Buffer.alloc(0))).status).toBe(201);
  });

  it('is one of at most 64 open ones of its device in the event, and of 2 GB', async () => {
    for (let n = 0; n < 64; n++) expect((await create(9)).status).toBe(201);
    const refused = await create(9);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '60' }, body: expect.stringContaining('too_many_uploads') });
    device = newDevice();
    for (let n = 0; n < 50; n++) expect((await create(40 * MB)).status).toBe(201);
    expect((await create(9)).status).toBe(429);
    const { code } = await house.event();
    expect((await create(9, { 'upload-metadata': metadata(code) })).status).toBe(201);
  });

  it('is known to the check of the stores, whole and damaged', async () => {
    const integrity = createIntegrity({ db: house.db, blobs: house.blobs, vault: createQuickVault(), graceMs: 50 });
    const photo = await photoOf(20 * MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, 18 * MB));
    expect((await integrity.check()).findings).toEqual([]);
    const { id } = (await row())!;
    const [first, second] = (await house.leftovers()).blobs;
    await house.blobs.remove(first!);
    await house.blobs.put(second!, Buffer.alloc(9));
    const stranger = `events/${event.id}/uploads/${id}.77`;
    await house.blobs.put(stranger, Buffer.alloc(9));
    expect((await integrity.check()).findings).toEqual(
      expect.arrayContaining([
        { kind: 'upload', subject: id, problem: 'Teil 1 fehlt' },
        { kind: 'upload', subject: id, problem: expect.stringMatching(/^Teil 2 hat 9 statt 83\d+ Bytes$/) },
        { kind: 'blob', subject: stranger, problem: 'gehört zu keiner Übertragung' },
      ]),
    );
    expect(await house.janitor.sweep({ graceMs: 0 })).toBe(1);
    // What is lost is said, and the sender begins anew.
    expect((await append(path, 18 * MB, photo.subarray(18 * MB))).status).toBe(410);
    expect((await ask('HEAD', path)).status).toBe(404);
    expect(await house.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it('stands where it stood while the store has no room or does not answer, and goes on afterwards', async () => {
    await house.close();
    let trouble: Error | null = null;
    let troubleFor = '';
    const wrapStore = (store: House['blobs']): House['blobs'] => ({
      ...store,
      async adopt(key, path) {
        if (trouble && key.endsWith(troubleFor)) throw trouble;
        await store.adopt(key, path);
      },
    });
    house = await openHouse({ db: await engine.open(), decoder, maxBytes: 40 * MB, wrapStore });
    event = await house.event();
    const photo = await photoOf(2 * MB);
    const path = (await create(photo.length)).headers.location as string;
    await append(path, 0, photo.subarray(0, MB));
    for (const [error, status] of [
      [new Refusal('disk_full'), 507],
      [new Unavailable('store', null), 503],
    ] as const) {
      trouble = error;
      expect((await append(path, MB, photo.subarray(MB))).status).toBe(status);
      expect(await offsetOf(path)).toBe(MB);
    }
    trouble = null;
    expect((await append(path, MB, photo.subarray(MB, photo.length - 1))).status).toBe(204);
    trouble = new Unavailable('store', null);
    // Whole, but it cannot be placed as a photo: it waits, and the last byte need not come again.
    troubleFor = '.original';
    expect((await append(path, photo.length - 1, photo.subarray(photo.length - 1))).status).toBe(503);
    troubleFor = '';
    trouble = null;
    expect(await offsetOf(path)).toBe(photo.length);
    const last = await append(path, photo.length, Buffer.alloc(0));
    expect(last.status).toBe(201);
    expect(sha256(await download(JSON.parse(last.body).photo.id))).toEqual(sha256(photo));
    expect((await house.leftovers()).staged).toEqual([]);
  });

  it('goes with its photo: who deletes that is not told of it again', async () => {
    const photo = await drawPhoto();
    const path = (await create(photo.length)).headers.location as string;
    const { id } = JSON.parse((await append(path, 0, photo)).body).photo;
    expect((await ask('DELETE', `/api/photos/${id}`)).status).toBe(204);
    expect((await append(path, photo.length, Buffer.alloc(0))).status).toBe(404);
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
