import type { Photo } from '@feierbild/contract/entities.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import type { Decoder } from '../../images/decoder.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { BYTES, drawShape, newKey, previewOf, sha256, tusClient } from './testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

/** Tells whether the decoder is asked for a phone's preview, not for an original. */
const isPhones = ({ withPreview }: Parameters<Decoder['decode']>[2]): boolean => withPreview?.maxPixels !== undefined;

describe.each(all)('a preview that waits for a decoder while its original comes under the same key, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  /** Previews that wait, each aborted when its sender has gone. */
  let waiting: AbortSignal[];
  let drawing: PromiseWithResolvers<void>;

  beforeEach(async () => {
    waiting = [];
    drawing = Promise.withResolvers();
    const decode: Decoder['decode'] = async (source, size, asker) => {
      if (isPhones(asker) && waiting.push(asker.signal!)) await drawing.promise;
      return decoder.decode(source, size, asker);
    };
    app = await openApp({ db: await engine.open(), decoder: { ...decoder, decode } });
    event = await app.event();
    device = newDevice();
  });
  afterEach(() => app.close());

  const tus = tusClient(() => ({ app, code: event.code, device }));
  const about = (key: string, length: number) => ({
    'upload-length': String(length),
    'upload-metadata': tus.metadata(),
    'upload-key': key,
    ...BYTES,
  });
  const photosOf = () => app.db.kysely.selectFrom('photos').select(['id', 'state']).execute();

  /** Expects one photo with the bytes of its original, and nothing else. */
  async function mustBeOne(photo: Buffer, key: string): Promise<void> {
    await app.uploads.ended();
    const last = await tus.append(`/uploads/${key}`, photo.length - 1, photo.subarray(-1));
    expect([200, 201]).toContain(last.status);
    const { id } = (JSON.parse(last.body) as { photo: Photo }).photo;
    expect((await photosOf()).map((row) => row.id)).toEqual([id]);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 1, announced_count: 0, used_bytes: photo.length });
    expect(sha256(await tus.download(id))).toEqual(sha256(photo));
    await expect.poll(async () => (await app.integrity.check()).findings).toEqual([]);
    expect((await app.leftovers()).staged).toEqual([]);
  }

  it.each([
    ['whole, its connection broken', true],
    ['whole, its connection still there', false],
  ])('is one photo with it: %s', async (_what, breaks) => {
    const [photo, key, leaving] = [await drawShape(3), newKey(), new AbortController()];
    const preview = fetch(`${app.url}/uploads/${key}/preview`, {
      method: 'PUT',
      headers: { 'tus-resumable': '1.0.0', 'device-id': device, ...about(key, photo.length), 'content-type': 'image/jpeg' },
      body: Buffer.from(await previewOf(photo)),
      signal: leaving.signal,
    }).catch(() => null);
    await expect.poll(() => waiting.length).toBe(1);
    if (breaks) leaving.abort();
    if (breaks) await expect.poll(() => waiting[0]!.aborted).toBe(true);
    expect((await tus.ask('POST', '/uploads', about(key, photo.length), photo)).status).toBe(201);
    drawing.resolve();
    await preview;
    await mustBeOne(photo, key);
  });

  it('shows nothing where its sender has gone before it is drawn', async () => {
    const [photo, key, leaving] = [await drawShape(3), newKey(), new AbortController()];
    const headers = { 'tus-resumable': '1.0.0', 'device-id': device, ...about(key, photo.length), 'content-type': 'image/jpeg' };
    const body = Buffer.from(await previewOf(photo));
    const preview = fetch(`${app.url}/uploads/${key}/preview`, { method: 'PUT', headers, body, signal: leaving.signal });
    await expect.poll(() => waiting.length).toBe(1);
    leaving.abort();
    await expect(preview).rejects.toThrow();
    await expect.poll(() => waiting[0]!.aborted).toBe(true);
    drawing.resolve();
    await app.uploads.ended();
    expect([await photosOf(), await tus.row()]).toEqual([[], undefined]);
    expect(await app.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it('is one photo with it where it has come in part by then, and goes on', async () => {
    const [photo, key] = [await drawShape(3), newKey()];
    const preview = previewOf(photo).then((picture) => tus.announce(key, picture, photo.length));
    await expect.poll(() => waiting.length).toBe(1);
    expect((await tus.ask('POST', '/uploads', about(key, photo.length), photo.subarray(0, 50_000))).status).toBe(201);
    drawing.resolve();
    const { id } = (await preview).json.photo;
    expect(await photosOf()).toEqual([{ id, state: 'announced' }]);
    expect((await tus.append(`/uploads/${key}`, 50_000, photo.subarray(50_000))).status).toBe(201);
    await mustBeOne(photo, key);
  });

  it('is one photo with it where it is shown while the original is decoded', async () => {
    await app.close();
    const verifying = Promise.withResolvers<void>();
    let verifications = 0;
    const decode: Decoder['decode'] = async (source, size, asker) => {
      const decoded = await decoder.decode(source, size, asker);
      if (!isPhones(asker) && ++verifications === 1) await verifying.promise;
      return decoded;
    };
    app = await openApp({ db: await engine.open(), decoder: { ...decoder, decode } });
    event = await app.event();
    const [photo, key] = [await drawShape(3), newKey()];
    const sending = tus.ask('POST', '/uploads', about(key, photo.length), photo);
    await expect.poll(() => verifications).toBe(1);
    expect((await tus.announce(key, await previewOf(photo), photo.length)).status).toBe(201);
    verifying.resolve();
    // The original is sealed again, under the photo's key.
    expect((await sending).status).toBe(201);
    await mustBeOne(photo, key);
  });

  it('is one photo with another preview of the same file, where both originals are looked at when neither is there', async () => {
    await app.close();
    const looking = Promise.withResolvers<void>();
    let looked = 0;
    const probe: Decoder['probe'] = async (...asked) => {
      if (++looked <= 2) await looking.promise;
      return decoder.probe(...asked);
    };
    app = await openApp({ db: await engine.open(), decoder: { ...decoder, probe } });
    event = await app.event();
    const [photo, keys] = [await drawShape(3), [newKey(), newKey()] as const];
    const picture = await previewOf(photo);
    for (const key of keys) expect((await tus.announce(key, picture, photo.length)).status).toBe(201);
    const sending = keys.map((key) => tus.append(`/uploads/${key}`, 0, photo));
    await expect.poll(() => looked).toBe(2);
    looking.resolve();
    expect((await Promise.all(sending)).map(({ status }) => status).toSorted()).toEqual([200, 201]);
    for (const key of keys) await mustBeOne(photo, key);
  });
});
