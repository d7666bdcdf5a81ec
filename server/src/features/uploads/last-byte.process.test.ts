import Uppy from '@uppy/core';
import Tus from '@uppy/tus';
import { Upload, type DetailedError } from 'tus-js-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { BYTES, newKey, photoOf, sha256, tusClient } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('an unmodified client, on $name, is told that its upload is complete only once the photo is stored:', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  /** The store's error for originals. */
  let trouble: Error | null;

  beforeEach(async () => {
    trouble = null;
    app = await openApp({
      db: await engine.open(),
      decoder,
      wrapStore: (store) => ({
        ...store,
        adopt: (key, path) => (trouble && key.endsWith('.original') ? Promise.reject(trouble) : store.adopt(key, path)),
      }),
    });
    event = await app.event();
    device = newDevice();
  });
  afterEach(() => app.close());

  const tus = tusClient(() => ({ app, code: event.code, device }));
  const photosOf = async (): Promise<number> => (await app.row(event.id)).photo_count;

  interface Sending {
    /** Number of attempts. */
    attempts?: number;
    /** Called before each repeated attempt. */
    onRetry?(): void;
    chunkSize?: number;
    uploadDataDuringCreation?: boolean;
  }
  const metadata = () => ({ filename: 'IMG_0042.jpg', eventCode: event.code, deviceName: 'Jörg' });
  const sendingTo = (attempts: number) => ({
    endpoint: `${app.url}/uploads`,
    headers: { 'Device-ID': device },
    retryDelays: Array.from({ length: attempts }, () => 20),
  });

  /** Uploads by client; each returns how its upload ends. */
  const clients: Record<string, (file: Buffer, sending?: Sending) => Promise<'success' | 'error'>> = {
    'tus-js-client': (file, { attempts = 3, onRetry = () => {}, ...options } = {}) =>
      new Promise((resolve) => {
        const sending = new Upload(file, {
          ...sendingTo(attempts),
          metadata: metadata(),
          onShouldRetry: (error, _attempt, { onShouldRetry: _own, ...rest }) => {
            onRetry();
            const status = error.originalResponse?.getStatus() ?? 0;
            return rest.retryDelays !== null && (status < 400 || status >= 500 || status === 409 || status === 423);
          },
          onSuccess: () => resolve('success'),
          onError: () => resolve('error'),
          ...options,
        });
        sending.start();
      }),
    async Uppy(file, { attempts = 3, onRetry = () => {}, ...options } = {}) {
      const uppy = new Uppy({ logger: { debug() {}, warn() {}, error() {} } });
      uppy.use(Tus, {
        ...sendingTo(attempts),
        allowedMetaFields: Object.keys(metadata()),
        onShouldRetry(error: DetailedError, _attempt: number, _options: object, next: (error: DetailedError) => boolean) {
          onRetry();
          return next(error);
        },
        ...options,
      });
      // Uppy takes bytes with their size in Node, a File in browsers.
      const data = Object.assign(Buffer.from(file), { size: file.length }) as unknown as Blob;
      uppy.addFile({ name: 'IMG_0042.jpg', type: 'image/jpeg', data, meta: metadata() });
      const { successful = [], failed = [] } = (await uppy.upload()) ?? {};
      expect([successful.length, failed.length].toSorted()).toEqual([0, 1]);
      return successful.length > 0 ? 'success' : 'error';
    },
  };

  describe.each(Object.entries(clients))('%s', (_client, send) => {
    it.each([
      ['in one request', {}],
      ['in pieces', { chunkSize: 100_000 }],
      ['with its creation', { uploadDataDuringCreation: true }],
    ])('of two with room for one, sent %s', async (_what, options) => {
      const [photo, other] = [await photoOf(300_000), await photoOf(300_000)];
      await app.db.kysely.updateTable('events').set({ storage_limit: 400_000 }).where('id', '=', event.id).execute();
      const ends = await Promise.all([photo, other].map((file) => send(file, options)));
      expect(ends.toSorted()).toEqual(['error', 'success']);
      expect(await photosOf()).toBe(1);
    });

    it.each([
      ['does not answer', new Unavailable('store', null)],
      ['has no room', new Refusal('disk_full')],
    ])('while the store %s, and once it does', async (_what, error) => {
      trouble = error;
      const photo = await photoOf(300_000);
      expect(await send(photo)).toBe('error');
      expect(await photosOf()).toBe(0);
      let retries = 0;
      const ended = send(photo, { attempts: 20, onRetry: () => ++retries === 3 && (trouble = null) });
      expect(await ended).toBe('success');
      expect(await photosOf()).toBe(1);
    });

    it.each([
      ['no file at all', Buffer.alloc(0)],
      ['what is no photo', Buffer.alloc(300_000, 'text ')],
    ])('of %s', async (_what, file) => {
      expect(await send(file)).toBe('error');
      expect(await photosOf()).toBe(0);
    });
  });

  it('PATCH, HEAD and a repeated POST hold back the last byte, which may come again', async () => {
    trouble = new Unavailable('store', null);
    const photo = await photoOf(300_000);
    const named = { 'upload-key': newKey() };
    const path = (await tus.create(photo.length, named)).headers.location as string;
    const last = photo.length - 1;
    const refused = await tus.append(path, 0, photo);
    expect([refused.status, refused.headers['upload-offset']]).toEqual([503, undefined]);
    expect(await tus.ask('HEAD', path)).toMatchObject({ status: 200, headers: { 'upload-offset': String(last) } });
    expect(await tus.create(photo.length, named)).toMatchObject({ status: 200, headers: { 'upload-offset': String(last) } });
    expect((await tus.create(photo.length, { ...named, ...BYTES }, photo)).headers['upload-offset']).toBe(String(last));
    expect(await tus.append(path, last, photo.subarray(last))).toMatchObject({ status: 503 });
    expect(await tus.append(path, 9, photo.subarray(9))).toMatchObject({ status: 409 });
    trouble = null;
    const stored = await tus.append(path, last, photo.subarray(last));
    expect(stored.status).toBe(201);
    expect(sha256(await tus.download(JSON.parse(stored.body).photo.id))).toEqual(sha256(photo));
    expect(await tus.offsetOf(path)).toBe(photo.length);
    // The answer was lost: the byte comes once more.
    expect(await tus.append(path, last, photo.subarray(last))).toMatchObject({ status: 200, body: stored.body });
  });

  it('where it was stored and its original is lost, it is taken again, whichever way it is repeated', async () => {
    const photo = await photoOf(300_000);
    const named = { 'upload-key': newKey() };
    const path = (await tus.create(photo.length, named)).headers.location as string;
    const { id } = JSON.parse((await tus.append(path, 0, photo)).body).photo;
    const fingerprint = Buffer.from(app.vault.keyedHash(device, `fingerprint:${event.id}`, sha256(photo))).toString('base64url');
    const asked = Buffer.from(JSON.stringify({ fingerprints: [fingerprint] }));
    const ask = () => tus.ask('POST', `/api/events/${event.code}/known`, { 'content-type': 'application/json' }, asked);
    const known = async () => JSON.parse((await ask()).body).photos.length;
    expect(await known()).toBe(1);
    const { blobs } = await app.leftovers();
    await app.blobs.remove(blobs.find((name) => name.includes(id) && name.endsWith('.original'))!);
    expect(await known()).toBe(0);
    expect((await tus.append(path, photo.length, Buffer.alloc(0))).status).toBe(410);
    expect((await tus.ask('HEAD', path)).status).toBe(410);
    expect(await tus.create(photo.length, named)).toMatchObject({ status: 201, headers: { 'upload-offset': '0' } });
    expect(await tus.append(path, 0, photo)).toMatchObject({ status: 200, headers: { 'repr-digest': expect.any(String) } });
    expect(sha256(await tus.download(id))).toEqual(sha256(photo));
    expect(await known()).toBe(1);
  });
});
