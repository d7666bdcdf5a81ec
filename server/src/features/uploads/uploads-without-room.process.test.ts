import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('an upload at the limits of its event, its size and the disk, on $name', (engine) => {
  let app: TestApp;
  const open = async (options: Partial<Parameters<typeof openApp>[0]> = {}) => {
    app = await openApp({ db: await engine.open(), decoder, ...options });
  };
  beforeEach(() => open());
  afterEach(() => app.close());

  const nothing = { staged: [], blobs: [] };

  it('fills its event to the last byte, in one piece and in several, and not beyond', async () => {
    const photo = await drawPhoto();
    const [whole, pieces, less] = [
      await app.event({ storage_limit: photo.length }),
      await app.event({ storage_limit: photo.length }),
      await app.event({ storage_limit: photo.length - 1 }),
    ];
    const begin = (code: string) =>
      fetch(`${app.url}/uploads`, {
        method: 'POST',
        headers: {
          'tus-resumable': '1.0.0',
          'device-id': newDevice(),
          'content-type': 'application/offset+octet-stream',
          'upload-length': String(photo.length),
          'upload-metadata': `filename ${btoa('a.jpg')},eventCode ${btoa(code)}`,
        },
        body: Uint8Array.from(photo),
      });
    expect((await app.upload(whole.code, photo)).status).toBe(201);
    expect((await begin(pieces.code)).status).toBe(201);
    for (const { id } of [whole, pieces]) expect(await app.row(id)).toMatchObject({ used_bytes: photo.length });
    expect(await app.upload(less.code, photo)).toMatchObject({ status: 507, code: 'storage_full' });
    expect((await begin(less.code)).status).toBe(507);
  });

  it('is 413 beyond the limit, exactly, and nothing stays', async () => {
    await app.close();
    const photo = await drawPhoto();
    await open({ maxBytes: photo.length });
    const { code } = await app.event();
    expect(await app.upload(code, Buffer.concat([photo, Buffer.alloc(1)]))).toMatchObject({ status: 413, code: 'too_large' });
    // This one is refused by its Content-Length, while the client goes on sending.
    expect(await app.upload(code, Buffer.alloc(photo.length * 20))).toMatchObject({ status: 413, code: 'too_large' });
    expect(await app.leftovers()).toEqual(nothing);
    expect((await app.upload(code, photo)).status).toBe(201);
  });

  it('is refused by no error of the database where the last room, or the same photo, comes from two at once', async () => {
    await app.close();
    const db = await engine.open();
    const gates = { waiting: 0, open: Promise.withResolvers<void>() };
    const errors: unknown[] = [];
    const batch: typeof db.batch = async (statements, ...more) => {
      if (statements.some((statement) => /insert into "photos"/.test(statement.compile().sql)) && gates.waiting < 2) {
        gates.waiting += 1;
        if (gates.waiting === 2) gates.open.resolve();
        await gates.open.promise;
      }
      return db.batch(statements, ...more).catch((error: unknown) => {
        errors.push(error);
        throw error;
      });
    };
    app = await openApp({ db: { ...db, batch }, decoder });
    const [photo, other] = [await drawPhoto(), await drawPhoto()];
    const full = await app.event({ storage_limit: Math.max(photo.length, other.length) });
    const answers = await Promise.all([photo, other].map((file) => app.upload(full.code, file)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 507]);
    const stored = answers.find(({ status }) => status === 201)!.photo;
    expect(await app.row(full.id)).toMatchObject({
      used_bytes: stored.size,
      photo_count: 1,
      device_count: 1,
      last_position: 1,
      change_seq: 1,
    });

    Object.assign(gates, { waiting: 0, open: Promise.withResolvers<void>() });
    const [twice, device] = [await app.event(), newDevice()];
    const twins = await Promise.all([1, 2].map(() => app.upload(twice.code, photo, { device })));
    expect(twins.map(({ status }) => status).toSorted()).toEqual([200, 201]);
    expect(await app.row(twice.id)).toMatchObject({
      used_bytes: photo.length,
      photo_count: 1,
      device_count: 1,
      last_position: 1,
      change_seq: 1,
    });
    expect(errors).toEqual([]);
  });

  it('never passes the storage limit, also with 30 at once, and nothing of the refused stays', async () => {
    const photos = await Promise.all(Array.from({ length: 30 }, () => drawPhoto()));
    const limit = photos.slice(0, 10).reduce((sum, photo) => sum + photo.length, 0);
    const event = await app.event({ storage_limit: limit });
    const answers = await Promise.all(photos.map((photo) => app.upload(event.code, photo)));
    const stored = answers.filter(({ status }) => status === 201);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 507]));
    expect(answers.find(({ status }) => status === 507)).toMatchObject({ code: 'storage_full' });
    const used = stored.reduce((sum, { photo }) => sum + photo.size, 0);
    expect(used).toBeLessThanOrEqual(limit);
    // No other photo would have fitted.
    const smallest = Math.min(...answers.map((answer, i) => (answer.status === 507 ? (photos[i]?.length ?? 0) : Infinity)));
    expect(used + smallest).toBeGreaterThan(limit);
    expect(await app.row(event.id)).toMatchObject({ used_bytes: used, photo_count: stored.length, device_count: stored.length });
    const { staged, blobs } = await app.leftovers();
    expect(staged).toEqual([]);
    expect(blobs.filter((key) => key.endsWith('.original')).length).toBe(stored.length);
  });

  it('repeats into a full event answer with the first photo', async () => {
    const [photo, device] = [await drawPhoto(), newDevice()];
    const event = await app.event({ storage_limit: photo.length });
    expect((await app.upload(event.code, photo, { device })).status).toBe(201);
    expect((await app.upload(event.code, photo, { device })).status).toBe(200);
    expect(await app.upload(event.code, await drawPhoto(), { device: newDevice() })).toMatchObject({ status: 507, code: 'storage_full' });
  });

  it('is 507 when the disk is full, and nothing stays', async () => {
    await app.close();
    const full = async (): Promise<void> => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    };
    await open({ wrapStore: (store): BlobStore => ({ ...store, put: full }) });
    const event = await app.event();
    expect(await app.upload(event.code, await drawPhoto())).toMatchObject({ status: 507, code: 'disk_full' });
    expect(await app.leftovers()).toEqual(nothing);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 0 });
  });
});
