import { GB, MB, UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UploadRow } from '../../../database/rows.ts';
import { enginesForRules } from '../../../database/testing.ts';
import { newDevice, openApp, type TestApp } from '../../testing.ts';
import { useDecoder } from '../../testing/use-decoder.ts';
import { drawShape, newKey, photoOf, previewOf, sha256, tusClient } from '../testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('open uploads on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  let now: number;
  let drawn: Buffer;

  beforeAll(async () => void (drawn = await previewOf(await drawShape(1))));
  beforeEach(async () => {
    now = Date.now();
    app = await openApp({ db: await engine.open(), decoder, maxBytes: 40 * MB, clock: { now: () => now } });
    event = await app.event();
    device = newDevice();
  });
  afterEach(() => app.close());

  const tus = tusClient(() => ({ app, code: event.code, device }));
  const begin = async (length: number): Promise<string> => {
    const created = await tus.create(length);
    expect(created.status).toBe(201);
    return created.headers.location as string;
  };
  const open = async (): Promise<number> => (await app.uploads.resumable.list()).length;
  /** Adds as many uploads as a flood of creations by made-up devices would leave. */
  async function flood(uploads: number, values: Partial<UploadRow>): Promise<void> {
    const [row] = await app.db.kysely.selectFrom('uploads').selectAll().execute();
    const made = Array.from({ length: uploads }, () => ({
      ...row!,
      id: crypto.randomUUID(),
      key_hash: Buffer.from(newKey()),
      device_hash: Buffer.from(newDevice()),
      received: 0,
      ...values,
    }));
    for (let n = 0; n < made.length; n += 500)
      await app.db.kysely
        .insertInto('uploads')
        .values(made.slice(n, n + 500))
        .execute();
    // The counts are read again after two seconds.
    now += 2000;
  }
  const is = async (path: string): Promise<number> => (await tus.ask('HEAD', path)).status;

  it('of a device are 64 at most: for one more the one ends that was fed longest ago', async () => {
    const first = await begin(2 * MB);
    const fed = await begin(2 * MB);
    for (let n = 2; n < 64; n++) await begin(9);
    now += 120_000;
    const photo = await photoOf(2 * MB);
    expect((await tus.append(fed, 0, photo.subarray(0, MB))).status).toBe(204);
    for (let n = 0; n < 63; n++) await begin(9);
    expect([await open(), await is(first), await is(fed)]).toEqual([64, 404, 200]);
    expect((await tus.append(fed, MB, photo.subarray(MB))).status).toBe(201);
    expect(app.uploads.resumable.endedForRoom()).toBe(63);
  });

  it('count also where their preview was refused', async () => {
    for (let n = 0; n < 70; n++) {
      const key = newKey();
      if (n % 2) expect((await tus.create(300_000, { 'upload-key': key })).status).toBe(201);
      expect((await tus.announce(key, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 300_000)).status).toBe(415);
      // This preview is drawn, and then refused by its event.
      if (n % 10 === 0) {
        await app.db.kysely.updateTable('events').set({ announced_count: 5001 }).where('id', '=', event.id).execute();
        expect((await tus.create(300_000, { 'upload-key': key })).status).toBe(n % 2 ? 200 : 201);
        expect((await tus.announce(key, drawn, 300_000)).status).toBe(415);
      } else if (!(n % 2)) await begin(300_000);
    }
    expect(await open()).toBe(64);
  });

  it('of a device that sends little and has announced much do not end those of a guest who pauses', async () => {
    const photo = await photoOf(2 * MB);
    const guest = await begin(photo.length);
    expect((await tus.append(guest, 0, photo.subarray(0, MB))).status).toBe(204);
    now += 90_000;
    const owner = device;
    device = newDevice();
    const neighbour = Buffer.from(newDevice());
    await flood(30, { length: 0.5 * GB, received: 262_144, expires_at: now + UPLOAD_KEPT, device_hash: neighbour });
    for (let n = 0; n < 3; n++) await begin(40 * MB);
    device = owner;
    expect(await is(guest)).toBe(200);
  });

  it('of a device come to 2 GB at most', async () => {
    for (let n = 0; n < 52; n++) await begin(40 * MB);
    expect(await open()).toBe(50);
  });

  it('of made-up devices are bounded, hold nobody up, and end before those of a guest that has bytes', async () => {
    const photo = await photoOf(2 * MB);
    const guest = device;
    const path = await begin(photo.length);
    await tus.append(path, 0, photo.subarray(0, MB));
    await flood(400, { length: 40 * MB, expires_at: now + 1e8 });
    device = newDevice();
    await begin(40 * MB);
    const bytes = (await app.uploads.resumable.list()).reduce((sum, { length }) => sum + length, 0);
    expect(bytes).toBeLessThanOrEqual(15 * GB);
    device = guest;
    const last = await tus.append(path, MB, photo.subarray(MB));
    expect(last.status).toBe(201);
    expect(sha256(await tus.download(JSON.parse(last.body).photo.id))).toEqual(sha256(photo));
  });

  it.each([
    { which: 'small, in its network', floods: [{ uploads: 3000, length: 1, ageMs: 10_000 }] },
    { which: 'small, in two others', floods: ['one', 'two'].map((name) => ({ uploads: 2000, length: 1, ageMs: 10_000, name })) },
    { which: 'large and newer', floods: [{ uploads: 8, length: 1.9 * GB, ageMs: 100 }] },
  ])('of made-up devices, $which, end no photo that a guest has just begun', async ({ floods }) => {
    await begin(2 * MB);
    now += 1000;
    for (const { uploads, length, ageMs, name } of floods as { uploads: number; length: number; ageMs: number; name?: string }[])
      await flood(uploads, { length, expires_at: now - ageMs + UPLOAD_KEPT, ...(name && { network: Buffer.from(name) }) });
    for (let guests = 0; guests < 2; guests++) {
      device = newDevice();
      await begin(2 * MB);
    }
    const lengths = (await app.uploads.resumable.list()).map(({ length }) => length);
    expect(lengths.filter((length) => length === 2 * MB)).toHaveLength(3);
  });

  it('that have all their bytes are ended for nobody while they become photos', async () => {
    const { id } = event;
    const photo = await photoOf(300_000);
    await app.db.kysely.updateTable('events').set({ storage_limit: 400_000 }).where('id', '=', id).execute();
    const whole = await begin(photo.length);
    expect((await app.upload(event.code, await photoOf(300_000))).status).toBe(201);
    expect((await tus.append(whole, 0, photo)).status).toBe(507);
    await app.db.kysely.updateTable('events').set({ storage_limit: null }).where('id', '=', id).execute();
    for (let n = 0; n < 70; n++) await begin(9);
    expect((await tus.append(whole, photo.length - 1, photo.subarray(-1))).status).toBe(201);
  });

  it('do not keep an event’s own room from each other: of three at once with room for one, one is stored and two are refused', async () => {
    const photos = await Promise.all([1, 2, 3].map(() => photoOf(300_000)));
    await app.db.kysely.updateTable('events').set({ storage_limit: 400_000 }).where('id', '=', event.id).execute();
    const paths = await Promise.all(photos.map(({ length }) => begin(length)));
    const send = (from: number, to?: number) => Promise.all(paths.map((path, n) => tus.append(path, from, photos[n]!.subarray(from, to))));
    expect((await send(0, 200_000)).map(({ status }) => status)).toEqual([204, 204, 204]);
    expect((await send(200_000)).map(({ status }) => status).toSorted()).toEqual([201, 507, 507]);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 1, used_bytes: 300_000 });
    // A repeated request does not decode them again.
    const again = await Promise.all(paths.map((path) => tus.append(path, 299_999, photos[0]!.subarray(-1))));
    expect(again.map(({ status }) => status).toSorted()).toEqual([200, 507, 507]);
  });

  it('begin without a write to their event’s row', async () => {
    const before = await app.row(event.id);
    const version = async () =>
      engine.name === 'postgres'
        ? (
            await app.db.kysely
              .selectFrom('events')
              .select((of) => of.ref('xmin' as 'id').as('xmin'))
              .execute()
          )[0]?.xmin
        : 0;
    const row = await version();
    await begin(9);
    expect([await version(), await app.row(event.id)]).toEqual([row, before]);
  });

  it('of one key are one for each event, and each photo goes to its own', async () => {
    const [photo, other] = [await photoOf(300_000), await photoOf(300_000)];
    const headers = { 'upload-key': newKey() };
    const first = (await tus.create(photo.length, headers)).headers.location as string;
    const second = await app.event();
    const named = { ...headers, 'upload-metadata': tus.metadata(second.code) };
    const created = await tus.create(other.length, named);
    expect(created.status).toBe(201);
    const path = created.headers.location as string;
    expect((await tus.create(other.length, named)).headers.location).toBe(path);
    expect((await tus.append(path, 0, other)).status).toBe(201);
    expect((await tus.append(first, 0, photo)).status).toBe(201);
    for (const { id } of [event, second]) expect(await app.row(id)).toMatchObject({ photo_count: 1 });
  });
});
