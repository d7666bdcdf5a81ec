import { Upload } from 'tus-js-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { BYTES, newKey, photoOf, sha256, tusClient } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = engines();
const decoder = useDecoder(all);

describe.each(all)(
  'an unmodified tus-js-client, on $name, is told that its upload is complete only once the photo is stored:',
  (engine) => {
    let app: TestApp;
    let event: Awaited<ReturnType<TestApp['event']>>;
    let device: string;
    /** What the store throws for an original. */
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

    /** How a client's upload ends, tried again `attempts` times; `onRetry` hears of each. */
    function send(
      file: Buffer,
      {
        attempts = 3,
        onRetry = () => {},
        ...options
      }: { attempts?: number; onRetry?(): void; chunkSize?: number; uploadDataDuringCreation?: boolean } = {},
    ): Promise<'success' | 'error'> {
      return new Promise((resolve) => {
        const sending = new Upload(file, {
          endpoint: `${app.url}/uploads`,
          headers: { 'Device-ID': device },
          metadata: { filename: 'IMG_0042.jpg', eventCode: event.code, deviceName: 'Jörg' },
          retryDelays: Array.from({ length: attempts }, () => 20),
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
      });
    }

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

    it('of no file at all', async () => {
      expect(await send(Buffer.alloc(0))).toBe('error');
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
      await app.blobs.remove(`events/${event.id}/${id}.original`);
      expect(await known()).toBe(0);
      expect((await tus.append(path, photo.length, Buffer.alloc(0))).status).toBe(410);
      expect((await tus.ask('HEAD', path)).status).toBe(410);
      expect(await tus.create(photo.length, named)).toMatchObject({ status: 201, headers: { 'upload-offset': '0' } });
      expect(await tus.append(path, 0, photo)).toMatchObject({ status: 200, headers: { 'repr-digest': expect.any(String) } });
      expect(sha256(await tus.download(id))).toEqual(sha256(photo));
      expect(await known()).toBe(1);
    });
  },
);
