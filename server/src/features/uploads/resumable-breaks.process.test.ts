import { MB } from '@feierbild/contract/constants.ts';
import { request, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { BYTES, newKey, photoOf, sha256, tusClient } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

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

  const { create, append, offsetOf, download, breakOff, staging, row } = tusClient(() => ({
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

  it('takes what goes on behind what was kept, though it was another node that said where', async () => {
    const photo = await photoOf(3 * MB);
    const path = (await create(photo.length)).headers.location as string;
    const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-length': String(photo.length), ...BYTES };
    await breakOff('PATCH', path, tus, photo.subarray(0, 2 * MB), staging);
    await expect.poll(async () => (await row())?.received).toBeGreaterThan(MB);
    const { received = 0 } = (await row()) ?? {};
    expect((await append(path, received, photo.subarray(received))).status).toBe(201);
  });

  it('is answered 409 where its browser repeats by itself what broke off, and hung up on, so that its page asks where to go on', async () => {
    const photo = await photoOf(3 * MB);
    const path = (await create(photo.length)).headers.location as string;
    const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-length': String(photo.length), ...BYTES };
    await breakOff('PATCH', path, tus, photo.subarray(0, 2 * MB), staging);
    await expect.poll(async () => (await row())?.received).toBeGreaterThan(0);
    // Without the hang-up the browser would send its whole body first.
    const repeat = request(`${app.url}${path}`, { method: 'PATCH', headers: { ...tus, 'device-id': device } });
    repeat.on('error', () => undefined);
    const closed = new Promise((resolve) => repeat.once('close', resolve));
    const answer = await new Promise<IncomingMessage>((resolve) => repeat.once('response', resolve).write(photo.subarray(0, 1000)));
    expect(answer).toMatchObject({ statusCode: 409, headers: { connection: 'close' } });
    expect((await answer.toArray()).join('')).toContain('upload_offset');
    await closed;
    const offset = await offsetOf(path);
    expect(offset).toBeGreaterThanOrEqual(2 * MB - 256 * 1024);
    expect((await append(path, offset, photo.subarray(offset))).status).toBe(201);
  });

  it('has few parts however small its pieces are, and the same bytes', async () => {
    const photo = await photoOf(400_000);
    const path = (await create(photo.length)).headers.location as string;
    let offset = 0;
    for (const size of [1, 1, 1, 100_000, 1, 199_000, 1, 50_000, 1, 1]) {
      expect((await append(path, offset, photo.subarray(offset, offset + size))).status).toBe(204);
      offset += size;
      expect(await app.db.kysely.selectFrom('upload_parts').selectAll().execute()).toHaveLength(offset > 299_004 ? 2 : 1);
    }
    expect((await app.leftovers()).blobs).toHaveLength(2);
    const last = await append(path, offset, photo.subarray(offset));
    expect(sha256(await download(JSON.parse(last.body).photo.id))).toEqual(sha256(photo));
    expect((await app.leftovers()).blobs.filter((name) => name.includes('uploads'))).toEqual([]);
  });
});

describe.each(all)('a form, on $name', (engine) => {
  let app: TestApp;
  afterEach(() => app.close());

  it('is whole or nothing, under any key', async () => {
    app = await openApp({ db: await engine.open(), decoder });
    const [{ code }, device, key] = [await app.event(), newDevice(), newKey()];
    const tus = tusClient(() => ({ app, code, device }));
    const photo = await photoOf(2 * MB);
    const named = { 'event-code': code, 'upload-key': key, 'upload-length': String(photo.length) };
    const form = { ...named, 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(photo.length + 300) };
    const head = Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="Kuchen.jpg"\r\n\r\n');
    await tus.breakOff('POST', '/upload', form, Buffer.concat([head, photo.subarray(0, MB)]), tus.staging);
    await expect.poll(() => app.leftovers()).toEqual({ staged: [], blobs: [] });
    expect((await app.upload(code, photo, { device, headers: named })).status).toBe(201);
    expect((await app.upload(code, photo, { device, headers: named })).status).toBe(200);
    expect((await tus.ask('HEAD', `/uploads/${key}`)).status).toBe(404);
    expect(await tus.row()).toBeUndefined();
  });
});
