import { HEARTS_OF_PHOTO, MINUTE } from '@feierbild/contract/constants.ts';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TABLE_NAMES } from '../../database/tables.ts';
import { enginesForRules } from '../../database/testing.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import { createStaging } from '../../storage/staging.ts';
import { createBackup } from '../backup/backup.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { drawPhoto, newDevice, openApp, type Headers, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { galleryClient, OPEN, beforeEachCachedGallery, REVEAL, tokenOf } from './testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('an attacker of the guests’ gallery on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  let clock: { time: number };
  let folder: string;
  beforeEachCachedGallery(engine, decoder, (opened) => ({ app, event, host, clock, folder } = opened));
  const { call, json, set, send, enter, list, flag, statuses } = galleryClient(() => ({ app, event }));

  it('by the sealed thumbnail that a node keeps has nothing after the photo was taken out, deleted or purged', async () => {
    const [one, two] = [await send(), await send()];
    const kept = async () => (await readdir(join(folder, 'thumbnails'))).filter((name) => [one, two].some(({ id }) => name.includes(id)));
    const guest = await enter(await set(OPEN));
    for (const photo of [one, two]) expect((await call('GET', photo.thumbnail_url, guest)).status).toBe(200);
    expect((await kept()).length).toBe(2);
    await flag(one, false);
    expect(await statuses(one, guest)).toEqual([404, 404, 404]);
    await call('DELETE', `/api/photos/${one.id}`, host);
    await expect.poll(async () => (await kept()).length).toBe(1);
    await app.events.purgeRows(event.id);
    expect(await statuses(two, guest)).toEqual([404, 404, 404]);
    await app.events.purgeBytes(event.id);
    expect(await kept()).toEqual([]);
  });

  it('by hearts of more devices than any party has fills no table, and by one device has one', async () => {
    const photo = await send();
    const guest = await enter(await set(OPEN));
    const path = `/api/photos/${photo.id}/heart`;
    const device = newDevice();
    const give = async (headers: Headers, value = true) => json<{ value: boolean }>('PUT', path, { ...guest, ...headers }, { value });
    await Promise.all(Array.from({ length: 20 }, () => give({ 'device-id': device })));
    const hearts = async () => (await app.db.kysely.selectFrom('hearts').select('device_hash').execute()).length;
    expect(await hearts()).toBe(1);
    const others = Array.from({ length: HEARTS_OF_PHOTO - 1 }, () => ({
      photo_id: photo.id,
      event_id: event.id,
      device_hash: randomBytes(32),
    }));
    await app.db.kysely.insertInto('hearts').values(others).execute();
    const more = await Promise.all(Array.from({ length: 5 }, () => give({ 'device-id': newDevice() })));
    expect([...more.map(({ value }) => value), await hearts()]).toEqual([...more.map(() => false), HEARTS_OF_PHOTO]);
    // A heart that was given before stays, and can be taken back.
    expect(await give({ 'device-id': device })).toEqual({ value: true });
    expect(await give({ 'device-id': device }, false)).toEqual({ value: false });
    expect(await give({ 'device-id': newDevice() })).toEqual({ value: true });
  });

  it('by hearts for photos that are deleted at the same time causes no error', async () => {
    const photos = await Promise.all(Array.from({ length: 8 }, () => send()));
    const guest = await enter(await set(OPEN));
    const answers = await Promise.all(
      photos.flatMap(({ id }) => [
        ...Array.from({ length: 3 }, () => call('PUT', `/api/photos/${id}/heart`, { ...guest, 'device-id': newDevice() }, { value: true })),
        call('DELETE', `/api/photos/${id}`, host),
      ]),
    );
    expect(answers.map(({ status }) => status).filter((status) => ![200, 204, 404].includes(status))).toEqual([]);
    expect(await app.db.kysely.selectFrom('hearts').selectAll().execute()).toEqual([]);
  });

  it('by sending everything at once gets no more photos of a device in than its host allows', async () => {
    await set({ ...REVEAL, photos_per_device: 3 });
    const device = newDevice();
    const files = await Promise.all(Array.from({ length: 9 }, () => drawPhoto()));
    const sent = await Promise.all(files.map((file) => app.upload(event.code, file, { device })));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 403, 403, 403, 403, 403, 403]);
    expect((await app.db.kysely.selectFrom('photos').select('id').execute()).length).toBe(3);
  });

  it('by opening a link over and over leaves the newest sessions of the event, and one line an hour in the audit log', async () => {
    const settings = await set(OPEN);
    const first = await enter(settings);
    const { url } = await json<{ url: string }>('POST', `/api/events/${event.code}/helper`, host);
    const times = {
      created_at: clock.time,
      last_used_at: clock.time,
      expires_at: clock.time + 60 * MINUTE,
      expires_at_latest: clock.time + 60 * MINUTE,
    };
    const rows = (role: string, most: number) =>
      Array.from({ length: most }, () => {
        return { id: uuidv7(Date.now()), token_hash: randomBytes(32), role, event_id: event.id, admin_id: null, ...times };
      });
    for (const row of [...rows('gallery', 1999), ...rows('helper', 20)]) await app.db.kysely.insertInto('sessions').values(row).execute();
    expect((await list(first)).photos).toEqual([]);
    const guest = await enter(settings);
    for (let n = 0; n < 3; n++)
      expect((await call('POST', '/auth/helper/login', {}, { code: event.code, token: tokenOf({ url }) })).status).toBe(200);
    const counted = app.db.kysely.selectFrom('sessions').select(['role', ({ fn }) => fn.countAll<number>().as('n')]);
    const found = await counted.where('role', 'in', ['gallery', 'helper']).groupBy('role').orderBy('role').execute();
    expect(found.map(({ role, n }) => [role, Number(n)])).toEqual([
      ['gallery', 2000],
      ['helper', 20],
    ]);
    expect((await call('GET', `/api/events/${event.code}/photos?after=0`, first)).status).toBe(401);
    expect((await list(guest)).photos).toEqual([]);
    const noted = await app.db.kysely.selectFrom('audit').select('action').where('action', '=', 'helper.login').execute();
    expect(noted).toHaveLength(1);
  });

  it('by a stolen database finds neither link nor name nor key in it', async () => {
    await send(newDevice(), event, 'Anna Geheim');
    const settings = await set(OPEN);
    const guest = await enter(settings);
    const { url } = await json<{ url: string }>('POST', `/api/events/${event.code}/helper`, host);
    await list(guest);
    const secrets = [
      tokenOf(settings),
      tokenOf({ url }),
      guest['cookie']?.split('=')[1] ?? '',
      'Anna Geheim',
      Buffer.from(event.privateKey),
    ];
    for (const name of TABLE_NAMES)
      for (const row of await app.db.kysely.selectFrom(name).selectAll().execute())
        for (const value of Object.values(row as Record<string, unknown>)) {
          const bytes = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
          for (const secret of secrets) expect([name, bytes.includes(secret)]).toEqual([name, false]);
        }
  });

  it('or restores a backup has in it what the host shows, and nothing else', async () => {
    const [photo, hidden] = [await send(), await send()];
    await flag(hidden, false);
    const settings = await set(OPEN);
    await expect.poll(() => app.db.kysely.selectFrom('photos').select('id').where('preview_size', 'is', null).execute()).toEqual([]);
    const { vault, clock } = app;
    const staging = createStaging({ folder: join(folder, 'staging') });
    await createBackup({ ...app, staging }).take(join(folder, 'backup'));
    const blobs = createFolderStore({ folder: join(folder, 'elsewhere') });
    const db = await engine.open();
    await createBackup({ db, blobs, staging, vault, clock }).restore(join(folder, 'backup'));
    expect((await createIntegrity({ db, blobs, vault, graceMs: 0 }).openAll(event.id, event.privateKey)).findings).toEqual([]);
    const restored = await openApp({ db, decoder, clock });
    try {
      const there = galleryClient(() => ({ app: restored, event }));
      const guest = await there.enter(settings);
      expect((await there.list(guest)).photos.map(({ id, device }) => [id, device.name])).toEqual([[photo.id, 'Anna']]);
      expect((await there.call('PUT', `/api/photos/${photo.id}/heart`, guest, { value: true })).status).toBe(200);
      expect(await there.statuses(hidden, guest)).toEqual([404, 404, 404]);
    } finally {
      await restored.close();
    }
  });
});
