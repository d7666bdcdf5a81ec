import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDecoder, type DecoderPools } from '../../../images/create-decoder.ts';
import { createLog } from '../../../lib/log.ts';
import { Unavailable } from '../../../lib/errors.ts';
import type { BlobStore } from '../../../storage/blob-store.ts';
import { drawPhoto, newDevice, type TestApp } from '../../testing.ts';
import { BYTES, sha256, tusClient } from '../testing.ts';
import { slotsOf } from './testing/slots.ts';

let app: TestApp;
const { reopen, begin, staged } = slotsOf((opened) => (app = opened));

describe('uploads that wait for a decoder', () => {
  /** Keeps the decoder's only process busy until `finish`. */
  async function occupy(): Promise<{ finish(): void; ended: Promise<unknown> }> {
    const photo = await drawPhoto();
    const reading = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const source = async function* () {
      reading.resolve();
      await gate.promise;
      yield photo;
    };
    const ended = single.decode(source, photo.length, { owner: 'busy' });
    await reading.promise;
    return { finish: gate.resolve, ended };
  }

  let single: DecoderPools;
  beforeAll(() => {
    single = createDecoder({ processes: 1, log: createLog('silent') });
  });
  beforeEach(async () => {
    await reopen({ decoder: single });
  });
  afterAll(() => single.close());

  it('keep their slots, so that an event has no more files on the disk than slots', async () => {
    const [demo, event] = [await app.event({ demo: 1 }), await app.event()];
    const { finish, ended } = await occupy();
    const photos = await Promise.all(Array.from({ length: 20 }, () => drawPhoto()));
    const many = photos.map((photo) => app.upload(demo.code, photo));
    await expect.poll(single.waiting).toMatchObject({ sharp: 16 });
    await expect.poll(app.uploads.waiting).toBe(4);
    const other = app.upload(event.code, await drawPhoto());
    await expect.poll(staged).toBe(17);
    finish();
    await ended;
    expect((await Promise.all([...many, other])).map(({ status }) => status)).toEqual(Array(21).fill(201));
    expect(await staged()).toBe(0);
  });

  it('keep them also where all their bytes had arrived before, and only the photo is still to be made', async () => {
    let down = true;
    const wrapStore = (store: BlobStore): BlobStore => ({
      ...store,
      adopt: (key, path) => (down && key.endsWith('.original') ? Promise.reject(new Unavailable('store', null)) : store.adopt(key, path)),
    });
    await reopen({ decoder: single, wrapStore });
    const { code } = await app.event({ demo: 1 });
    const uploads = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const [photo, device] = [await drawPhoto(), newDevice()];
        const tus = tusClient(() => ({ app, code, device }));
        const path = (await tus.create(photo.length)).headers.location as string;
        expect((await tus.append(path, 0, photo)).status).toBe(503);
        return () => tus.append(path, photo.length, Buffer.alloc(0));
      }),
    );
    down = false;
    const { finish, ended } = await occupy();
    const photos = uploads.map((complete) => complete());
    await expect.poll(single.waiting).toMatchObject({ sharp: 16 });
    await expect.poll(app.uploads.waiting).toBe(4);
    expect(await staged()).toBe(16);
    finish();
    await ended;
    expect((await Promise.all(photos)).map(({ status }) => status)).toEqual(Array(20).fill(201));
  });

  it('are dropped with their file when their sender is gone', async () => {
    const event = await app.event();
    const { finish, ended } = await occupy();
    const photo = await drawPhoto();
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
    const tail = '\r\n--b--\r\n';
    const form = Buffer.concat([Buffer.from(head), photo, Buffer.from(tail)]);
    const leaving = begin({ code: event.code, body: form, length: form.length });
    const staying = app.upload(event.code, await drawPhoto());
    await expect.poll(single.waiting).toMatchObject({ sharp: 2 });
    leaving.destroy();
    await expect.poll(staged).toBe(1);
    expect(single.waiting()).toMatchObject({ sharp: 1 });
    finish();
    await ended;
    expect((await staying).status).toBe(201);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 1 });
  });

  it('are kept, and the photo is stored, where a sender by tus is gone once all its bytes are there', async () => {
    const { id, code } = await app.event();
    const { finish, ended } = await occupy();
    const [photo, device] = [await drawPhoto(), newDevice()];
    const tus = tusClient(() => ({ app, code, device }));
    const path = (await tus.create(photo.length)).headers.location as string;
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-length': String(photo.length), ...BYTES };
    await tus.breakOff('PATCH', path, headers, photo, async () => single.waiting().sharp === 1);
    const back = tus.append(path, photo.length, Buffer.alloc(0));
    finish();
    await ended;
    await expect.poll(async () => (await app.row(id)).photo_count).toBe(1);
    const { status, body } = await back;
    expect([200, 201]).toContain(status);
    expect(sha256(await tus.download(JSON.parse(body).photo.id))).toEqual(sha256(photo));
    await expect.poll(staged).toBe(0);
  });
});
