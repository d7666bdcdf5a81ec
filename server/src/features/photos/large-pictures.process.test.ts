import { LARGE_SIZE, PREVIEW_SIZE } from '@feierbild/contract/constants.ts';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { NotAPhoto, type Decoder } from '../../images/decoder.ts';
import { Refusal } from '../../lib/errors.ts';
import { photoBlob } from '../../storage/blob-store.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { cookieOf, newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

/** Draws a picture of one colour: large on a wall, small to send. */
const plain = (width: number, height: number, seed = 0): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r: seed, g: 90, b: 120 } } })
    .jpeg()
    .toBuffer();

describe.each(all)('large pictures for walls on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  /** Large pictures that the decoder was asked for, and how many of them at a time. */
  let asked: { urgent: boolean }[];
  let [running, most] = [0, 0];
  /** Replaces the decoder's making of a large picture. */
  let instead: ((make: () => Promise<never>) => Promise<never>) | null;
  let isFull: boolean;

  beforeEach(async () => {
    [asked, running, most, instead, isFull] = [[], 0, 0, null, false];
    const watched: Decoder = {
      ...decoder,
      async preview(source, size, asker) {
        if (asker.edge !== LARGE_SIZE) return decoder.preview(source, size, asker);
        asked.push({ urgent: asker.urgent });
        most = Math.max(most, ++running);
        const make = () => decoder.preview(source, size, asker);
        return (instead ? instead(make as () => Promise<never>) : make()).finally(() => (running -= 1));
      },
    };
    app = await openApp({
      db: await engine.open(),
      decoder: watched,
      wrapStore: (store) => ({
        ...store,
        async put(key, bytes) {
          if (isFull && key.endsWith('.large')) throw new Refusal('disk_full');
          await store.put(key, bytes);
        },
      }),
    });
    event = await app.event();
    await wish(true);
  });
  afterEach(() => app.close());

  const ask = (path: string, headers: Record<string, string> = { cookie: event.cookie }, method = 'GET', body?: object) =>
    app.call(method, path, headers, body);
  async function wish(large: boolean, of = event): Promise<void> {
    const { version } = (await (await ask(`/api/events/${of.code}/wall`, { cookie: of.cookie })).json()) as { version: number };
    expect((await ask(`/api/events/${of.code}/wall`, { cookie: of.cookie }, 'PUT', { version, large })).status).toBe(200);
  }
  async function add(bytes: Buffer, { of = event, device = newDevice() } = {}): Promise<string> {
    const { photo, body } = await app.upload(of.code, bytes, { device });
    expect(body).toContain('"id"');
    return photo.id;
  }
  const large = (id: string, headers?: Record<string, string>) => ask(`/api/photos/${id}/large`, headers);
  const codeOf = async (answer: Promise<Response>) => ((await (await answer).json()) as { code: string }).code;
  const row = (id: string) => app.db.kysely.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const largeBlobs = async () => (await app.leftovers()).blobs.filter((key) => key.endsWith('.large'));
  async function crew(): Promise<Record<string, string>> {
    const { url } = (await (await ask(`/api/events/${event.code}/wall/link`, undefined, 'POST')).json()) as { url: string };
    const login = await ask('/auth/wall/login', {}, 'POST', { code: event.code, token: url.split('#')[1] });
    return cookieOf(login);
  }

  it('are made once, behind all other work, of what a wall shows, and are there for every wall of the event', async () => {
    const id = await add(await plain(4200, 2800));
    const wall = await crew();
    const answers = await Promise.all([large(id, wall), large(id, wall), large(id)]);
    const [first, ...others] = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await sharp(first).metadata()).toMatchObject({ format: 'jpeg', width: LARGE_SIZE, height: 2560 });
    for (const other of others) expect(other.equals(first!)).toBe(true);
    expect((await large(id, { ...wall, 'if-none-match': answers[0]!.headers.get('etag') ?? '' })).status).toBe(304);
    expect(asked).toEqual([{ urgent: false }]);
    expect(await largeBlobs()).toHaveLength(1);
  });

  it('are made only where the host wishes it', async () => {
    await wish(false);
    const id = await add(await plain(3000, 2000));
    expect(await codeOf(large(id))).toBe('large_missing');
    await wish(true);
    expect((await large(id)).status).toBe(200);
    await wish(false);
    expect(await codeOf(large(id))).toBe('large_missing');
    expect(asked).toHaveLength(1);
  });

  it('are not made of what shows no more than its preview, of what is not verified, and of videos', async () => {
    const small = await add(await plain(PREVIEW_SIZE, 1500));
    const other = await add(await plain(3000, 2000));
    expect(await codeOf(large(small))).toBe('large_missing');
    for (const change of [{ state: 'received' as const }, { state: 'unreadable' as const }, { state: 'stored' as const, codecs: 'avc1' }]) {
      await app.db.kysely.updateTable('photos').set(change).where('id', '=', other).execute();
      expect(await codeOf(large(other))).toBe('large_missing');
    }
    expect(asked).toEqual([]);
  });

  it('are for walls and the host alone, of photos that walls show', async () => {
    const device = newDevice();
    const id = await add(await plain(3000, 2000), { device });
    const wall = await crew();
    const stranger = await app.event();
    await wish(true, stranger);
    expect((await large(id, { 'device-id': device })).status).toBe(401);
    expect(await codeOf(large(id, { cookie: stranger.cookie }))).toBe('photo_not_found');
    await ask(`/api/photos/${id}/slideshow`, undefined, 'PUT', { value: false });
    for (const headers of [wall, { cookie: event.cookie }]) expect(await codeOf(large(id, headers))).toBe('photo_not_found');
    await ask(`/api/photos/${id}/slideshow`, undefined, 'PUT', { value: true });
    await app.db.kysely.updateTable('events').set({ with_slideshow: 0 }).where('id', '=', event.id).execute();
    expect(await codeOf(large(id))).toBe('photo_not_found');
    expect(asked).toEqual([]);
  });

  it('go with their photo and their event, and belong to what the integrity check looks at', async () => {
    const [one, two] = [await add(await plain(3000, 2000)), await add(await plain(3000, 2001))];
    for (const id of [one, two]) expect((await large(id)).status).toBe(200);
    await expect.poll(async () => (await row(two)).preview_size).not.toBeNull();
    expect((await app.integrity.check()).findings).toEqual([]);
    expect((await ask(`/api/photos/${one}`, undefined, 'DELETE')).status).toBe(204);
    expect(await largeBlobs()).toEqual([photoBlob(event.id, two, 'large', (await row(two)).large_attempt)]);

    await app.blobs.remove((await largeBlobs())[0]!);
    // Without the grace time a missing blob is reported at once.
    const impatient = createIntegrity({ ...app, graceMs: 0 });
    expect(JSON.stringify((await impatient.check()).findings)).toContain('Große Fassung');
    // The picture is made anew, as a preview would be.
    expect((await large(two)).status).toBe(200);
    expect((await app.integrity.check()).findings).toEqual([]);
    expect(asked).toHaveLength(3);

    await app.db.kysely
      .updateTable('events')
      .set({ start_date: '2020-01-01', end_date: '2020-01-01' })
      .where('id', '=', event.id)
      .execute();
    await app.retention.run();
    expect((await app.leftovers()).blobs).toEqual([]);
  });

  it('are tried once where they cannot be made, and wait for room where there is none', async () => {
    const [hopeless, id] = [await add(await plain(3000, 2000)), await add(await plain(3000, 2001))];
    instead = () => Promise.reject(new NotAPhoto('decoding takes too long'));
    for (let n = 0; n < 3; n++) expect(await codeOf(large(hopeless))).toBe('large_missing');
    expect(asked).toHaveLength(1);
    instead = null;
    isFull = true;
    expect(await codeOf(large(id))).toBe('large_missing');
    isFull = false;
    expect((await large(id)).status).toBe(200);
  });

  it('are made one at a time, of events in turn; and what would wait too long is refused', async () => {
    const other = await app.event();
    await wish(true, other);
    const mine = await Promise.all(Array.from({ length: 12 }, async (_, n) => add(await plain(2100, 1400, n))));
    const theirs = await add(await plain(2100, 1400), { of: other });
    const free = Promise.withResolvers<void>();
    instead = async (make) => {
      await free.promise;
      return make();
    };
    const done: string[] = [];
    const wanted = mine.map((id) => large(id).finally(() => done.push('mine')));
    await expect.poll(() => done.length).toBe(3);
    const late = large(theirs, { cookie: other.cookie }).finally(() => done.push('theirs'));
    // The new request takes the place of one from the event with the most requests.
    await expect.poll(() => done.length).toBe(4);
    free.resolve();
    const statuses = (await Promise.all(wanted)).map(({ status }) => status).sort();
    expect((await late).status).toBe(200);
    expect(most).toBe(1);
    expect(statuses).toEqual([...Array<number>(8).fill(200), ...Array<number>(4).fill(503)]);
    expect(done.indexOf('theirs')).toBeLessThan(done.length - 1);
  });
});
