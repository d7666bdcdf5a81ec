import type { Gallery } from '@feierbild/contract/calls/gallery.ts';
import type { GalleryPage, GuestEvent, Photo, WaitingChanges } from '@feierbild/contract/entities.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CompiledQuery, type Compilable } from 'kysely';
import { errors } from '@feierbild/contract/errors.ts';
import { enginesForRules } from '../../database/testing.ts';
import { drawVideo, hasFfmpeg } from '../../images/testing/videos.ts';
import { photoBlob } from '../../storage/blob-store.ts';
import { Tampered, WrongSecret } from '../../vault/vault.ts';
import { deviceHash } from '../devices/devices.ts';
import { purgeEvent } from '../events/purge.ts';
import { createGuestPhotoStore } from '../photos/guest-photos.store.ts';
import { openAccess } from '../photo-keys/photo-keys.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { cookieOf, galleryClient, ids, OPEN, REVEAL, tokenOf, type Headers } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { heldAnswer, newKey, tusClient } from '../uploads/testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

const MINUTE_MS = 60_000;

describe.each(all)('the guests’ gallery on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  let now: number;
  beforeEach(async () => {
    const db = await engine.open();
    now = Date.now();
    app = await openApp({ db, decoder, clock: { now: () => now } });
    event = await app.event();
    host = { cookie: event.cookie };
  });
  afterEach(() => app.close());

  const { call, json, refusal, set, send, login, enter, list, flag, statuses, keysOf } = galleryClient(() => ({ app, event }));
  /** Without a grace period, the integrity check finds a preview that is stored and whose row is not written yet. */
  const drawn = () =>
    expect.poll(() => app.db.kysely.selectFrom('photos').select('id').where('preview_size', 'is', null).execute()).toEqual([]);

  it('is closed from the start, and tells its host what it is', async () => {
    const settings = await json<Gallery>('GET', `/api/events/${event.code}/gallery`, host);
    expect(settings).toEqual({ ...OPEN, mode: 'drop', url: null, open: false, pending: 0 });
    expect(await refusal(await login('x'.repeat(22)))).toEqual([401, 'invalid_credentials']);
    expect(await refusal(await login(undefined, { 'device-id': newDevice() }))).toEqual([401, 'invalid_credentials']);
    expect((await call('GET', `/api/events/${event.code}/gallery`)).status).toBe(401);
    expect(await json('GET', `/event/${event.code}`)).not.toHaveProperty('gallery');
    for (const wrong of [
      { ...OPEN, mode: 'all' },
      { ...OPEN, photos_per_device: 0 },
      { ...OPEN, opens_at: 'morgen' },
    ])
      expect((await call('PUT', `/api/events/${event.code}/gallery`, host, wrong)).status).toBe(400);
    await send();
    expect(await keysOf()).toEqual([]);
  });

  it('shows guests what is shown, of before it was opened and after, with the names of guests and nothing else of them', async () => {
    const [before, hidden] = [await send(), await send()];
    await flag(hidden, false);
    const settings = await set(OPEN);
    expect(settings).toMatchObject({ ...OPEN, open: true, pending: 0, url: expect.stringMatching(`^/galerie/${event.code}#[\\w-]{22}$`) });
    expect(await json('GET', `/event/${event.code}`)).toMatchObject({ gallery: { mode: 'open', open: true, with_release: false } });
    const after = await send(newDevice(), event, 'Bülent');
    const guest = await enter(settings);
    expect(guest['cookie']).toMatch(/^feierbild_gallery=/);
    const seen = await list(guest);
    expect(ids(seen)).toEqual([before.id, after.id]);
    expect(seen.photos.map(({ device, filename, taken_at, hearts }) => ({ device, filename, taken_at, hearts }))).toEqual([
      { device: { name: 'Anna' }, filename: '', taken_at: null, hearts: undefined },
      { device: { name: 'Bülent' }, filename: '', taken_at: null, hearts: undefined },
    ]);
    expect(await statuses(before, guest)).toEqual([200, 200, 403]);
    expect(await statuses(after, guest)).toEqual([200, 200, 403]);
    await json('PUT', `/api/events/${event.code}/slideshow_names`, host, { value: false });
    expect((await list(guest)).photos.map(({ device }) => device.name)).toEqual(['', '']);
  });

  it('gives a photo that is not shown to no guest, by id, thumbnail, preview, download, video, heart, list, ZIP or link', async () => {
    const photo = await send();
    const settings = await set({ ...OPEN, originals: true });
    const guest = await enter(settings);
    expect(await statuses(photo, guest)).toEqual([200, 200, 200]);
    expect(await keysOf()).toEqual([photo.id]);
    await flag(photo, false);
    expect(await keysOf()).toEqual([]);
    expect(ids(await list(guest))).toEqual([]);
    expect(await statuses(photo, guest)).toEqual([404, 404, 404]);
    expect(await refusal(await call('GET', `/api/photos/${photo.id}/video`, guest))).toEqual([404, 'photo_not_found']);
    expect((await call('PUT', `/api/photos/${photo.id}/heart`, { ...guest, 'device-id': newDevice() }, { value: true })).status).toBe(404);
    expect((await call('DELETE', `/api/photos/${photo.id}`, guest)).status).toBe(404);
    for (const [method, path] of [
      ['POST', `/api/photos/${photo.id}/link`],
      ['PUT', `/api/photos/${photo.id}/slideshow`],
      ['POST', `/api/events/${event.code}/create-zip`],
      ['GET', `/api/events/${event.code}/download`],
      ['POST', `/api/events/${event.code}/selections`],
      ['GET', `/api/events/${event.code}/slideshow`],
      ['GET', `/api/events/${event.code}/live`],
      ['GET', `/api/events/${event.code}`],
      ['GET', `/api/events/${event.code}/gallery`],
      ['POST', `/api/events/${event.code}/gallery/link`],
      ['GET', `/api/events/${event.code}/helper`],
    ] as const)
      expect([path, (await call(method, path, guest)).status]).toEqual([path, 401]);
    await flag(photo, true);
    expect(await statuses(photo, guest)).toEqual([200, 200, 200]);
    await call('DELETE', `/api/photos/${photo.id}`, host);
    expect(await keysOf()).toEqual([]);
  });

  it('does not open to another event’s token, to a device of another event, or to one that sent nothing', async () => {
    const other = await app.event();
    const [device, elsewhere] = [newDevice(), newDevice()];
    const photo = await send(device);
    await send(elsewhere, other);
    const [settings, others] = [await set(OPEN), await set(OPEN, other)];
    const stranger = await enter(others, other);
    expect((await call('GET', `/api/events/${event.code}/photos?after=0`, stranger)).status).toBe(401);
    expect(await statuses(photo, stranger)).toEqual([404, 404, 404]);
    for (const [token, headers] of [
      [tokenOf(others), {}],
      [`${tokenOf(settings).startsWith('A') ? 'B' : 'A'}${tokenOf(settings).slice(1)}`, {}],
      ['', {}],
      [undefined, { 'device-id': elsewhere }],
      [undefined, { 'device-id': newDevice() }],
      [undefined, {}],
    ] as const)
      expect(await refusal(await login(token, headers))).toEqual([401, 'invalid_credentials']);
    expect(await refusal(await login(tokenOf(settings), {}, 'QQQQQQQQ'))).toEqual([401, 'invalid_credentials']);
    // A row of the one event in place of the other's.
    const row = await app.db.kysely.selectFrom('invitations').select('wrapped').where('event_id', '=', other.id).executeTakeFirstOrThrow();
    await app.db.kysely.updateTable('invitations').set(row).where('event_id', '=', event.id).execute();
    expect((await login(tokenOf(others))).status).not.toBe(200);
    expect((await login(undefined, { 'device-id': device })).status).toBe(200);
  });

  it('opens to a device that had sent photos without its link, once the host was there, and says which photos are its own', async () => {
    const [device, late] = [newDevice(), newDevice()];
    const mine = await send(device);
    await send();
    await set(OPEN);
    const guest = { ...cookieOf(await login(undefined, { 'device-id': device })), 'device-id': device };
    expect((await list(guest)).photos.map(({ own }) => own)).toEqual([true, undefined]);
    await call('PUT', `/api/photos/${mine.id}/heart`, guest, { value: true });
    await call('PUT', `/api/photos/${mine.id}/heart`, guest, { value: true });
    expect((await list(guest)).photos.map(({ heart }) => heart)).toEqual([true, undefined]);
    const hosts = await json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/photos`, host);
    expect(hosts.photos.map(({ hearts }) => hearts)).toEqual([1, undefined]);
    await call('PUT', `/api/photos/${mine.id}/heart`, guest, { value: false });
    expect((await list(guest)).photos.map(({ heart }) => heart)).toEqual([undefined, undefined]);
    // Who has no device id gives one for the session.
    const { url } = await json<Gallery>('GET', `/api/events/${event.code}/gallery`, host);
    const nobody = await enter({ url });
    await json('PUT', `/api/photos/${mine.id}/heart`, nobody, { value: true });
    expect((await list(nobody)).photos.map(({ heart }) => heart)).toEqual([true, undefined]);
    await send(late);
    expect((await login(undefined, { 'device-id': late })).status).toBe(401);
    await json('GET', `/api/events/${event.code}/gallery`, host);
    expect((await login(undefined, { 'device-id': late })).status).toBe(200);
  });

  it('ends old links, sessions and keys with a new link, and everything with the letterbox', async () => {
    const device = newDevice();
    const photo = await send(device);
    const first = await set(OPEN);
    const guest = await enter(first);
    const old = await app.db.kysely.selectFrom('invitations').selectAll().executeTakeFirstOrThrow();
    const second = await json<Gallery>('POST', `/api/events/${event.code}/gallery/link`, host);
    expect(second.url).not.toBe(first.url);
    expect(await refusal(await login(tokenOf(first)))).toEqual([401, 'invalid_credentials']);
    expect((await call('GET', `/api/events/${event.code}/photos?after=0`, guest)).status).toBe(401);
    expect(await statuses(photo, guest)).toEqual([404, 404, 404]);
    // Even who puts the old row back gets nothing.
    await app.db.kysely.updateTable('invitations').set({ wrapped: old.wrapped }).execute();
    expect((await login(tokenOf(first))).status).not.toBe(200);
    const again = await json<Gallery>('POST', `/api/events/${event.code}/gallery/link`, host);
    const fresh = await enter(again);
    expect(await statuses(photo, fresh)).toEqual([200, 200, 403]);
    expect(await set({ ...OPEN, mode: 'drop' })).toMatchObject({ url: null, open: false });
    expect((await call('GET', `/api/events/${event.code}/photos?after=0`, fresh)).status).toBe(401);
    for (const table of ['invitations', 'gallery_keys', 'gallery_guests', 'gallery_photo_keys'] as const)
      expect([table, await app.db.kysely.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    expect(await refusal(await call('POST', `/api/events/${event.code}/gallery/link`, host))).toEqual([409, 'gallery_off']);
    expect(await refusal(await call('POST', `/api/events/${event.code}/gallery/reveal`, host))).toEqual([409, 'gallery_off']);
  });

  it('opens an event of many pieces, but for a photo whose key was changed', async () => {
    const { vault } = app;
    const { kysely } = app.db;
    const first = await send();
    const like = await kysely.selectFrom('photos').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow();
    const keysLike = await kysely.selectFrom('photo_keys').selectAll().where('photo_id', '=', first.id).executeTakeFirstOrThrow();
    const { public_key } = await kysely.selectFrom('event_keys').select('public_key').executeTakeFirstOrThrow();
    const { secret } = await kysely.selectFrom('event_secrets').select('secret').executeTakeFirstOrThrow();
    const rows = Array.from({ length: 450 }, (_, n) => {
      const id = randomUUID();
      using key = vault.createPhotoKey();
      const sealed = vault.sealPhotoKey(public_key, key, { eventId: event.id, photoId: n === 210 ? first.id : id });
      const sealed_for_event = vault.coverKey(secret, sealed, { eventId: event.id, photoId: id, holder: 'event' });
      return {
        photo: { ...like, id, position: 1000 + n, fingerprint: randomBytes(32) },
        keys: { ...keysLike, photo_id: id, sealed_for_event },
      };
    });
    await kysely
      .insertInto('photos')
      .values(rows.map(({ photo }) => photo))
      .execute();
    await kysely
      .insertInto('photo_keys')
      .values(rows.map(({ keys }) => keys))
      .execute();
    const settings = await set(OPEN);
    const left = async () => (await json<Gallery>('GET', `/api/events/${event.code}/gallery`, host)).pending;
    // One whose key was changed is not waited for.
    await expect.poll(left).toBe(0);
    const seen = new Set(await keysOf());
    expect(seen.size).toBe(450);
    const guest = await enter(settings);
    expect((await list(guest)).total).toBe(450);
    if (engine.name === 'postgres') expect(await mostLoops(30)).toBeLessThanOrEqual(30);
    await flag(first, false);
    expect((await list(guest)).total).toBe(449);
  });

  /** How often a part of a page's plan runs, at most, on a table that nobody has analyzed. */
  async function mostLoops(limit: number): Promise<number> {
    const { kysely } = app.db;
    const loops: number[] = [];
    const explained =
      <V extends unknown[], T>(build: (...values: V) => Compilable<T>) =>
      async (...values: V): Promise<T[]> => {
        const { sql, parameters } = build(...values).compile();
        const { rows } = await kysely.executeQuery(CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]));
        for (const [, times] of JSON.stringify(rows).matchAll(/"Actual Loops":([\d.]+)/g)) loops.push(Number(times));
        return [];
      };
    await createGuestPhotoStore({ kysely, prepare: explained }, app.vault).inGallery(event.id, null, { after: 0, limit });
    expect(loops).not.toEqual([]);
    return Math.max(...loops);
  }

  it('says how many photos are left while opening takes long, and goes on with it', async () => {
    const photo = await send();
    const held = heldAnswer((row) => row['sealed_for_event'] !== undefined && row['position'] !== undefined);
    const slow = { ...app.db, kysely: app.db.kysely.withPlugin(held.plugin) };
    const patient = await openApp({ db: slow, decoder, clock: { now: () => now } });
    const there = galleryClient(() => ({ app: patient, event }));
    try {
      const settings = await there.set(OPEN);
      expect([settings.open, settings.pending]).toEqual([true, 1]);
      held.answer();
      await expect.poll(async () => (await there.json<Gallery>('GET', `/api/events/${event.code}/gallery`, host)).pending).toBe(0);
      expect(ids(await there.list(await there.enter(settings)))).toEqual([photo.id]);
    } finally {
      held.answer();
      await patient.close();
    }
  });

  it('tells scripts and pages what a wall shows as the wall has it: from the start, from the reveal on, or not at all', async () => {
    const photo = await send();
    const told = async (): Promise<unknown> => (await json<GuestEvent>('GET', `/event/${event.code}`)).wall;
    const seen = async (): Promise<boolean> => {
      const answer = await call('GET', `/api/events/${event.code}/slideshow?after=0`, host);
      return answer.ok && ids((await answer.json()) as GalleryPage).includes(photo.id);
    };
    const both = async (): Promise<unknown[]> => [await told(), await seen()];
    expect(await both()).toEqual(['now', true]);
    await set(OPEN);
    expect(await both()).toEqual(['now', true]);
    await set(REVEAL);
    expect(await both()).toEqual(['now', true]);
    await set({ ...REVEAL, opens_at: new Date(now + MINUTE_MS).toISOString(), wall_meanwhile: false });
    expect(await both()).toEqual(['later', false]);
    await json('POST', `/api/events/${event.code}/gallery/reveal`, host);
    expect(await both()).toEqual(['now', true]);
    await set({ ...OPEN, wall_meanwhile: false });
    expect(await both()).toEqual(['now', true]);
    await app.db.kysely.updateTable('events').set({ with_slideshow: 0 }).execute();
    expect(await json('GET', `/event/${event.code}`)).not.toHaveProperty('wall');
    expect(await seen()).toBe(false);
    // In the demo a wall shows nobody else's photos.
    await app.db.kysely.updateTable('events').set({ with_slideshow: 1, demo: 1 }).execute();
    expect(await json('GET', `/event/${event.code}`)).not.toHaveProperty('wall');
  });

  it('of a reveal shows a count and no picture until the host says so, by key', async () => {
    const [device, other] = [newDevice(), newDevice()];
    const photo = await send(device);
    const theirs = await send(other);
    const settings = await set({ ...REVEAL, own_meanwhile: false, wall_meanwhile: false });
    const guest = await enter(settings);
    const later = await send(other);
    expect(await keysOf()).toEqual([]);
    const listed = await call('GET', `/api/events/${event.code}/photos?after=0`, guest);
    expect(await refusal(listed)).toEqual([403, 'gallery_closed', { opens_at: null, count: 3 }]);
    for (const path of [theirs.thumbnail_url, theirs.preview_url, theirs.original_url])
      expect((await call('GET', path, guest)).status).toBe(403);
    // Neither the own ones nor the wall.
    const own = { 'device-id': device };
    expect(await json('GET', `/api/events/${event.code}/my-photos`, own)).toEqual({ photos: [] });
    expect((await call('GET', photo.thumbnail_url, own)).status).toBe(403);
    expect(await refusal(await call('GET', `/api/events/${event.code}/slideshow?after=0`, host))).toEqual([
      403,
      'gallery_closed',
      { opens_at: null },
    ]);
    await set(REVEAL);
    expect((await call('GET', photo.thumbnail_url, own)).status).toBe(200);
    expect((await call('GET', `/api/events/${event.code}/slideshow?after=0`, host)).status).toBe(200);
    expect(await json('POST', `/api/events/${event.code}/gallery/reveal`, host)).toMatchObject({
      open: true,
      pending: 0,
      url: settings.url,
    });
    expect(ids(await list(guest))).toEqual([photo.id, theirs.id, later.id]);
    expect(await statuses(later, guest)).toEqual([200, 200, 403]);
    // Closed again, it has no keys either.
    expect(await set({ ...REVEAL, opens_at: null })).toMatchObject({ open: true });
    await set(OPEN);
    expect(await set(REVEAL)).toMatchObject({ open: false });
    expect(await keysOf()).toEqual([]);
  });

  it('of a reveal shows helper and wall what they may see, although the same browser uploaded it', async () => {
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true });
    await set({ ...REVEAL, own_meanwhile: false });
    const device = newDevice();
    const own = { 'device-id': device };
    const [photo, other] = [await send(device), await send()];
    const opened = async (what: 'helper' | 'wall', path: string): Promise<Headers> => {
      const { url } = await json<{ url: string }>('POST', path, host);
      return { ...own, ...cookieOf(await call('POST', `/auth/${what}/login`, {}, { code: event.code, token: tokenOf({ url }) })) };
    };
    const helper = await opened('helper', `/api/events/${event.code}/helper`);
    // A helper looks; the device's own original comes after the reveal.
    expect(await statuses(photo, helper)).toEqual([200, 200, 403]);
    expect(await statuses(other, helper)).toEqual([200, 200, 404]);
    const wall = await opened('wall', `/api/events/${event.code}/wall/link`);
    expect(await refusal(await call('GET', photo.preview_url, wall))).toEqual([403, 'gallery_closed', { opens_at: null }]);
    await flag(photo, true);
    expect((await call('GET', photo.preview_url, wall)).status).toBe(200);
    expect(await statuses(photo, own)).toEqual([403, 403, 403]);
  });

  it('of a reveal at a time holds the pictures back until then', async () => {
    const opens_at = new Date(now + 60_000).toISOString();
    const first = await send();
    const guest = await enter(await set({ ...REVEAL, opens_at }));
    const second = await send();
    expect((await keysOf()).length).toBe(2);
    expect(await refusal(await call('GET', `/api/events/${event.code}/photos`, guest))).toEqual([
      403,
      'gallery_closed',
      { opens_at, count: 2 },
    ]);
    expect((await call('GET', second.thumbnail_url, guest)).status).toBe(403);
    now += 60_000;
    await app.dueApprovals.run();
    expect(ids(await list(guest))).toEqual([first.id, second.id]);
    expect((await call('GET', second.thumbnail_url, guest)).status).toBe(200);
  });

  it('takes as many photos of each device as its host allows', async () => {
    await set({ ...REVEAL, photos_per_device: 2 });
    const device = newDevice();
    const first = await send(device);
    await send(device);
    const before = await app.row(event.id);
    const third = await app.upload(event.code, await drawPhoto(), { device });
    expect([third.status, third.code]).toEqual([403, 'device_full']);
    // What was not taken is missing in no ZIP.
    expect(await app.row(event.id)).toMatchObject({ originals_seq: before.originals_seq, change_seq: before.change_seq });
    // The Fotobox is no guest.
    const booth = await app.event({ with_fotobox: 1, gallery_photos_per_device: 2 }, { fotobox: 'Knipsekasten' });
    for (let n = 0; n < 3; n++)
      expect((await app.upload(booth.code, await drawPhoto(), { device, headers: { 'event-password': 'Knipsekasten' } })).status).toBe(201);
    await send();
    await call('DELETE', `/api/photos/${first.id}`, { 'device-id': device });
    await send(device);
  });

  it('two who release do not undo each other: who is too late is told, and what was deleted is gone', async () => {
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true });
    const guest = await enter(await set(OPEN));
    const [one, two] = [await send(), await send()];
    const decide = (photo: { id: string }, body: object) => call('PUT', `/api/photos/${photo.id}/slideshow`, host, body);
    expect((await decide(one, { value: false, believed: 'waiting' })).status).toBe(200);
    const late = await decide(one, { value: true, believed: 'waiting' });
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([409, 'decided_elsewhere']);
    expect(ids(await list(guest))).toEqual([]);
    expect((await decide(one, { waiting: true, believed: 'shown' })).status).toBe(409);
    expect((await decide(one, { waiting: true, believed: 'hidden' })).status).toBe(200);
    await call('DELETE', `/api/photos/${two.id}`, host);
    expect((await decide(two, { value: true, believed: 'waiting' })).status).toBe(404);
    // As before, for a request that does not say what the photo was.
    expect((await decide(one, { value: true })).status).toBe(200);
    expect(ids(await list(guest))).toEqual([one.id]);
  });

  it('all that waits is shown in one call, as far as was seen', async () => {
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true });
    const guest = await enter(await set(OPEN));
    const [one, rejected, two] = [await send(), await send(), await send()];
    const { until, total } = await json<{ until: number; total: number }>(
      'GET',
      `/api/events/${event.code}/photos?view=waiting&after=0`,
      host,
    );
    const later = await send();
    expect(total).toBe(3);
    const all = (by: Record<string, string>, except?: string[]) =>
      call('POST', `/api/events/${event.code}/release/all`, by, { until, ...(except && { except }) });
    expect((await all({})).status).toBe(401);
    expect((await all(guest)).status).toBe(401);
    // Rejected by whoever asks, as far as the page knows: that has not arrived.
    expect(await (await all(host, [rejected.id])).json()).toEqual({ left: 0 });
    expect(ids(await list(guest))).toEqual([one.id, two.id]);
    expect(await json('GET', `/api/events/${event.code}`, host)).toMatchObject({ waiting: 2 });
    for (const { id } of [rejected, later]) expect((await call('GET', `/api/photos/${id}/thumbnail`, guest)).status).toBe(404);
    expect(await (await all(host)).json()).toEqual({ left: 0 });
    expect(ids(await list(guest))).toEqual([one.id, rejected.id, two.id]);
  });

  it('tells who releases what began and ceased to wait after a change', async () => {
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true });
    const [one, two, gone] = [await send(), await send(), await send()];
    const waiting = (query: string) => json<WaitingChanges>('GET', `/api/events/${event.code}/photos?view=waiting&${query}`, host);
    const { seq } = await waiting('after=0');
    expect(await waiting(`seq=${seq}`)).toMatchObject({ photos: [], gone: [], total: 3, seq });
    await flag(one, true);
    await call('DELETE', `/api/photos/${gone.id}`, host);
    const later = await send();
    const changes = await waiting(`seq=${seq}`);
    expect([ids(changes), changes.gone?.toSorted(), changes.total]).toEqual([[later.id], [one.id, gone.id].toSorted(), 2]);
    expect(changes.seq).toBeGreaterThan(seq);
    // Taken back, it waits again.
    await json('PUT', `/api/photos/${one.id}/slideshow`, host, { waiting: true });
    const back = await waiting(`seq=${changes.seq}`);
    expect([ids(back), back.gone, back.total]).toEqual([[one.id], [], 3]);
    expect(back.until).toBe((await waiting('after=0')).until);
    expect(ids(await waiting('after=0'))).toEqual([one.id, two.id, later.id]);
    // Such a number was never given.
    expect(await waiting('seq=99999')).toMatchObject({ photos: [], gone: null });
  });

  it('with release shows a photo once host or helper let it, and a helper may do nothing else', async () => {
    const shown = await send();
    expect(await json('PUT', `/api/events/${event.code}/release`, host, { value: true })).toEqual({ value: true, minutes: null });
    const guest = await enter(await set(OPEN));
    const [one, two] = [await send(), await send()];
    expect([one.slideshow, two.slideshow]).toEqual([false, false]);
    expect(ids(await list(guest))).toEqual([shown.id]);
    expect(await statuses(one, guest)).toEqual([404, 404, 404]);
    expect(await json('GET', `/api/events/${event.code}`, host)).toMatchObject({ waiting: 2, with_release: true });

    const { url } = await json<{ url: string }>('POST', `/api/events/${event.code}/helper`, host);
    expect(await json('GET', `/api/events/${event.code}/helper`, host)).toEqual({ url });
    const entered = await call('POST', '/auth/helper/login', {}, { code: event.code, token: tokenOf({ url }) });
    expect(entered.status).toBe(200);
    const helper = cookieOf(entered);
    expect(helper['cookie']).toMatch(/^feierbild_helper=/);
    const queue = () => json<{ photos: Photo[]; total: number }>('GET', `/api/events/${event.code}/photos?view=waiting&after=0`, helper);
    expect(ids(await queue())).toEqual([one.id, two.id]);
    const both = { cookie: `${guest['cookie']}; ${helper['cookie']}` };
    expect(ids(await json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/photos?view=waiting&after=0`, both))).toEqual([
      one.id,
      two.id,
    ]);
    expect(ids(await list(both))).toEqual([shown.id]);
    expect(await statuses(one, helper)).toEqual([200, 200, 404]);
    expect(await statuses(shown, helper)).toEqual([404, 404, 404]);
    expect((await flag(shown, false, helper)).status).toBe(404);
    expect((await call('DELETE', `/api/photos/${one.id}`, helper)).status).toBe(404);
    for (const [method, path] of [
      ['GET', `/api/events/${event.code}`],
      ['GET', `/api/events/${event.code}/download`],
      ['GET', `/api/events/${event.code}/helper`],
      ['PUT', `/api/events/${event.code}/release`],
      ['POST', `/api/photos/${one.id}/link`],
      ['PUT', `/api/photos/${one.id}/heart`],
    ] as const)
      expect([path, (await call(method, path, helper, method === 'PUT' ? { value: true } : undefined)).status]).toEqual([path, 401]);

    expect((await flag(one, true, helper)).status).toBe(200);
    expect((await flag(two, false, helper)).status).toBe(200);
    expect(ids(await list(guest))).toEqual([shown.id, one.id]);
    expect(await statuses(one, guest)).toEqual([200, 200, 403]);
    expect((await queue()).total).toBe(0);
    // Undone, it waits again, and guests see it no more.
    expect(await json('PUT', `/api/photos/${one.id}/slideshow`, helper, { waiting: true })).toEqual({ slideshow: false });
    expect(ids(await queue())).toEqual([one.id]);
    expect(await statuses(one, guest)).toEqual([404, 404, 404]);
    expect(await json('POST', `/api/events/${event.code}/helper`, host, { value: false })).toEqual({ url: null });
    expect((await call('GET', `/api/events/${event.code}/photos?view=waiting`, helper)).status).toBe(401);
    expect((await call('POST', '/auth/helper/login', {}, { code: event.code, token: tokenOf({ url }) })).status).toBe(401);
  });

  it('shows by itself what nobody decided about, after a time that its host sets, and keeps guests’ keys of it back until then', async () => {
    const release = (settings: object) => json('PUT', `/api/events/${event.code}/release`, host, settings);
    for (const minutes of [0, 1.5, 1441])
      expect((await call('PUT', `/api/events/${event.code}/release`, host, { value: true, minutes })).status).toBe(400);
    expect(await release({ value: true })).toEqual({ value: true, minutes: null });
    expect(await release({ value: true, minutes: 10 })).toEqual({ value: true, minutes: 10 });
    const after = async (minutes: number): Promise<void> => {
      now += minutes * MINUTE_MS;
      await app.dueApprovals.run();
    };
    const early = await send();
    const guest = await enter(await set(OPEN));
    const [refused, late] = [await send(), await send()];
    expect(await json('GET', `/event/${event.code}`)).toMatchObject({ gallery: { with_release: true, release_minutes: 10 } });
    expect((await keysOf()).toSorted()).toEqual([early.id, refused.id, late.id].toSorted());
    await after(9);
    const { seq, photos, total } = await list(guest);
    expect([photos, total]).toEqual([[], 0]);
    for (const photo of [early, late]) expect(await statuses(photo, guest)).toEqual([404, 404, 404]);
    expect((await call('PUT', `/api/photos/${early.id}/heart`, guest, { value: true })).status).toBe(404);
    await flag(refused, false);
    await after(1);
    expect(ids(await list(guest))).toEqual([early.id, late.id]);
    expect(ids(await list(guest, `seq=${seq}`))).toEqual([early.id, late.id]);
    expect((await list(guest)).total).toBe(2);
    for (const photo of [early, late]) expect(await statuses(photo, guest)).toEqual([200, 200, 403]);
    expect((await keysOf()).toSorted()).toEqual([early.id, late.id].toSorted());
    expect(await json('GET', `/api/events/${event.code}`, host)).toMatchObject({ waiting: 0, release_minutes: 10 });

    // What is taken back waits as long again.
    await json('PUT', `/api/photos/${early.id}/slideshow`, host, { waiting: true });
    await after(9);
    expect(await statuses(early, guest)).toEqual([404, 404, 404]);
    await after(1);
    expect(await statuses(early, guest)).toEqual([200, 200, 403]);

    // Without a time nobody has a key before a decision; with one again, from then on.
    const patient = await send();
    await release({ value: true, minutes: null });
    expect(await keysOf()).not.toContain(patient.id);
    await after(60);
    expect(await statuses(patient, guest)).toEqual([404, 404, 404]);
    expect(await release({ value: false, minutes: 5 })).toEqual({ value: false, minutes: 5 });
    await drawn();
    expect((await createIntegrity({ ...app, graceMs: 0 }).check()).findings).toEqual([]);
    expect(await keysOf()).toContain(patient.id);
    await after(4);
    expect(await statuses(patient, guest)).toEqual([404, 404, 404]);
    await after(1);
    expect(await statuses(patient, guest)).toEqual([200, 200, 403]);
  });

  it('shows no more of a photo whose preview came first than of any other, in each of its states', async () => {
    let device = newDevice();
    const { ask, append, metadata } = tusClient(() => ({ app, code: event.code, device }));
    const photo = await drawPhoto();
    const announce = async () => {
      const key = newKey();
      const about = { 'upload-length': String(photo.length), 'upload-metadata': metadata(), 'content-type': 'image/jpeg' };
      const { status, body } = await ask('PUT', `/uploads/${key}/preview`, about, photo);
      expect(status, body).toBe(201);
      return { key, photo: (JSON.parse(body) as { photo: Photo }).photo };
    };
    const guest = await enter(await set({ ...OPEN, originals: true }));
    const open = await announce();
    expect((await list(guest)).photos).toMatchObject([{ id: open.photo.id, state: 'announced' }]);
    expect(await statuses(open.photo, guest)).toEqual([200, 200, errors.original_missing.status]);
    await flag(open.photo, false);
    expect(await statuses(open.photo, guest)).toEqual([404, 404, 404]);
    // Its original does not show it either.
    await append(`/uploads/${open.key}`, 0, photo);
    expect(await statuses(open.photo, guest)).toEqual([404, 404, 404]);
    expect([ids(await list(guest)), await keysOf()]).toEqual([[], []]);
    await flag(open.photo, true);
    expect(await statuses(open.photo, guest)).toEqual([200, 200, 200]);
    await flag(open.photo, false);

    await json('PUT', `/api/events/${event.code}/release`, host, { value: true });
    device = newDevice();
    const { photo: waiting } = await announce();
    expect(await statuses(waiting, guest)).toEqual([404, 404, 404]);
    expect([ids(await list(guest)), await keysOf()]).toEqual([[], []]);
    await flag(waiting, true);
    expect(await statuses(waiting, guest)).toEqual([200, 200, errors.original_missing.status]);
  });

  it.runIf(hasFfmpeg)('plays a video for guests as long as it is shown (ffmpeg draws one)', async () => {
    await app.db.kysely.updateTable('events').set({ with_videos: 1 }).where('id', '=', event.id).execute();
    const file = await drawVideo({ more: ['-movflags', 'use_metadata_tags', '-metadata', 'location=+52.5163+013.3777/'] });
    const { photo } = await app.upload(event.code, new File([file], 'VID_0042.MP4'), { device: newDevice() });
    const path = photo.video?.url ?? '';
    const guest = await enter(await set({ ...OPEN, originals: true }));
    const seen = await call('GET', path, guest);
    expect(seen.status).toBe(200);
    const bytes = Buffer.from(await seen.arrayBuffer());
    expect([bytes.length, bytes.includes('+52.5163'), file.includes('+52.5163')]).toEqual([file.length, false, true]);
    await flag(photo, false);
    for (const headers of [guest, { ...guest, range: 'bytes=0-99' }, { ...guest, 'if-none-match': seen.headers.get('etag') ?? '' }])
      expect((await call('GET', path, headers)).status).toBe(404);
    expect((await call('HEAD', path, guest)).status).toBe(404);
    expect(await statuses(photo, guest)).toEqual([404, 404, 404]);
  });

  it('lists what came and went since a number, and answers in a word where nothing did', async () => {
    const first = await send();
    const guest = await enter(await set(OPEN));
    const { seq } = await list(guest);
    const unchanged = await call('GET', `/api/events/${event.code}/photos?seq=${seq}`, guest);
    const etag = unchanged.headers.get('etag') ?? '';
    expect(unchanged.headers.get('vary')).toBe('Cookie, Device-ID, Accept-Encoding');
    expect(await unchanged.json()).toEqual({ photos: [], gone: [], total: 1, seq });
    const again = await call('GET', `/api/events/${event.code}/photos?seq=${seq}`, { ...guest, 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const second = await send();
    await flag(first, false);
    const news = await json<{ photos: Photo[]; gone: string[]; total: number }>('GET', `/api/events/${event.code}/photos?seq=${seq}`, {
      ...guest,
      'if-none-match': etag,
    });
    expect([ids(news), news.gone, news.total]).toEqual([[second.id], [first.id], 1]);
    expect((await call('GET', `/api/events/${event.code}/photos?seq=${seq}`, { 'if-none-match': etag })).status).toBe(401);
  });

  it('gives originals out without the place of shooting, where the host lets it, and byte for byte to their own device', async () => {
    const place = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' } };
    const file = await sharp(await drawPhoto())
      .withExif(place)
      .jpeg()
      .toBuffer();
    expect((await sharp(file).metadata()).exif).toBeDefined();
    const device = newDevice();
    const { photo } = await app.upload(event.code, file, { device });
    const guest = await enter(await set(OPEN));
    expect(await refusal(await call('GET', photo.original_url, guest))).toEqual([403, 'originals_off']);
    await set({ ...OPEN, originals: true });
    const shared = await call('GET', photo.original_url, guest);
    expect([shared.status, shared.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="photo_/),
    ]);
    const bytes = Buffer.from(await shared.arrayBuffer());
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    const own = await call('GET', photo.original_url, { ...guest, 'device-id': device });
    expect(Buffer.from(await own.arrayBuffer()).equals(file)).toBe(true);
  });

  it('misses no photo that comes while it is opened, revealed, closed or given a new link, and keeps no key of what is taken out meanwhile', async () => {
    const device = newDevice();
    const photos: Photo[] = [await send(device)];
    let sending = true;
    const senders = Array.from({ length: 3 }, async () => {
      while (sending) photos.push(await send(newDevice()));
    });
    const flipping = (async () => {
      while (sending) for (const value of [false, true]) await flag(photos[0]!, value);
    })();
    await set(REVEAL);
    await json('POST', `/api/events/${event.code}/gallery/reveal`, host);
    for (const settings of [OPEN, { ...OPEN, mode: 'drop' }, OPEN, REVEAL, OPEN]) await set(settings);
    await json('POST', `/api/events/${event.code}/gallery/link`, host);
    sending = false;
    await Promise.all([...senders, flipping]);
    await flag(photos[0]!, false);
    const settings = await json<Gallery>('GET', `/api/events/${event.code}/gallery`, host);
    expect(settings.pending).toBe(0);
    const guest = await enter(settings);
    const seen = await list(guest, 'after=0&per_page=100');
    const stored = await json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/photos?per_page=100`, host);
    const expected = stored.photos.filter(({ slideshow }) => slideshow).map(({ id }) => id);
    expect(expected.length).toBe(photos.length - 1);
    expect(ids(seen).toSorted()).toEqual(expected.toSorted());
    expect((await keysOf()).toSorted()).toEqual(expected.toSorted());
    for (const photo of seen.photos) expect((await call('GET', photo.thumbnail_url, guest)).status).toBe(200);
  });

  it('in a stolen database and photo store opens nothing without the link, and with it what is shown', async () => {
    const device = newDevice();
    const [photo, hidden] = [await send(device), await send(device)];
    await flag(hidden, false);
    const settings = await set(OPEN);
    const { vault, db } = app;
    const invitation = await db.kysely.selectFrom('invitations').selectAll().executeTakeFirstOrThrow();
    const keys = await db.kysely.selectFrom('gallery_keys').selectAll().executeTakeFirstOrThrow();
    const owner = { kind: 'gallery', owner: event.id, subject: event.id } as const;
    const open = (token: string) => vault.openWithToken(invitation.wrapped, token, owner, keys.public_key);
    expect(() => open('x'.repeat(22))).toThrow(WrongSecret);
    const privateKey = open(tokenOf(settings));

    const rows = await db.kysely.selectFrom('gallery_photo_keys').selectAll().execute();
    expect(rows.map(({ photo_id }) => photo_id)).toEqual([photo.id]);
    const { secret } = await db.kysely.selectFrom('event_secrets').select('secret').executeTakeFirstOrThrow();
    const context = { eventId: event.id, photoId: photo.id };
    const sealed = vault.uncoverKey(secret, rows[0]?.sealed_for_gallery ?? Buffer.alloc(0), { ...context, holder: 'gallery' });
    expect(vault.openForGallery(privateKey, sealed, context).length).toBe(32);
    // Nothing else: neither the event's key, nor what is sealed to it.
    expect(() => vault.open(privateKey, keys.sealed_for_event, `feierbild gallery key ${event.id}`)).toThrow(Tampered);
    const hiddenKeys = await db.kysely.selectFrom('photo_keys').selectAll().where('photo_id', '=', hidden.id).executeTakeFirstOrThrow();
    const hiddenPhoto = { eventId: event.id, photoId: hidden.id };
    const forEvent = vault.uncoverKey(secret, hiddenKeys.sealed_for_event, { ...hiddenPhoto, holder: 'event' });
    expect(() => vault.openPhotoKey(privateKey, forEvent, hiddenPhoto)).toThrow(Tampered);
    expect(() => vault.openForGallery(privateKey, forEvent, hiddenPhoto)).toThrow(Tampered);
    // Nor does what the link opens read anything of another photo's bytes.
    const thumbnailOf = (photoId: string) => db.kysely.selectFrom('photos').selectAll().where('id', '=', photoId).executeTakeFirstOrThrow();
    const read = async (photoId: string): Promise<Buffer> => {
      const { thumbnail_size: size, thumbnail_attempt: attempt } = await thumbnailOf(photoId);
      using key = vault.openForGallery(privateKey, sealed, context);
      const blob = photoBlob(event.id, photoId, 'thumbnail', attempt);
      const of = { eventId: event.id, photoId, variant: 'thumbnail' };
      return Buffer.concat(await Array.fromAsync(vault.openBlob(key, of, size as number, (range) => app.blobs.read(blob, range))));
    };
    expect((await sharp(await read(photo.id)).metadata()).width).toBeGreaterThan(0);
    await expect(read(hidden.id)).rejects.toThrow(Tampered);
    // By the device alone the same.
    const guest = { event_id: event.id, device_hash: Buffer.from(deviceHash(vault, device, event.id)) };
    const { access } = await db.kysely.selectFrom('gallery_guests').selectAll().executeTakeFirstOrThrow();
    const own = vault.deviceKeys(device, event.id).privateKey;
    expect(Buffer.from(openAccess(vault, own, guest, access as Uint8Array)).equals(Buffer.from(privateKey))).toBe(true);
    expect(() => openAccess(vault, vault.deviceKeys(newDevice(), event.id).privateKey, guest, access as Uint8Array)).toThrow(Tampered);
  });

  it('is looked at by the integrity check: whose key guests have, and whether it opens', async () => {
    const [one, two] = [await send(), await send()];
    await set(OPEN);
    await drawn();
    const integrity = createIntegrity({ ...app, graceMs: 0 });
    const problems = async () =>
      [...(await integrity.check()).findings, ...(await integrity.openAll(event.id, event.privateKey)).findings].map(
        ({ subject, problem }) => `${subject}: ${problem}`,
      );
    expect(await problems()).toEqual([]);
    await app.db.kysely.updateTable('photos').set({ slideshow: 0 }).where('id', '=', one.id).execute();
    expect(await problems()).toEqual([`${one.id}: Gäste haben seinen Schlüssel, obwohl es nicht gezeigt wird`]);
    await flag(one, false);
    const [row] = await app.db.kysely.selectFrom('gallery_photo_keys').select('sealed_for_gallery').execute();
    const changed = Buffer.from(row!.sealed_for_gallery);
    changed[60]! ^= 1;
    await app.db.kysely.updateTable('gallery_photo_keys').set({ sealed_for_gallery: changed }).execute();
    expect(await problems()).toEqual([`${two.id}: Schlüssel für Gäste lässt sich nicht öffnen`]);
    await app.db.kysely.updateTable('gallery_photo_keys').set(row!).execute();
    await app.db.kysely.updateTable('gallery_keys').set({ public_key: app.vault.createKeyPair().publicKey }).execute();
    expect(await problems()).toEqual([
      `${event.id}: Schlüssel der Galerie für Gäste lässt sich nicht öffnen`,
      `${two.id}: Schlüssel für Gäste lässt sich nicht öffnen`,
    ]);
  });

  it('goes with its event', async () => {
    const photo = await send();
    const settings = await set(OPEN);
    const guest = await enter(settings);
    await call('PUT', `/api/photos/${photo.id}/heart`, { ...guest, 'device-id': newDevice() }, { value: true });
    await json('POST', `/api/events/${event.code}/helper`, host);
    const { db, blobs, clock } = app;
    await purgeEvent({ db, blobs, clock, onPurged: () => undefined }, event.id);
    for (const table of ['invitations', 'gallery_keys', 'gallery_guests', 'gallery_photo_keys', 'hearts', 'sessions'] as const)
      expect([table, await db.kysely.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    expect((await call('GET', `/api/events/${event.code}/photos`, guest)).status).toBe(401);
    expect((await login(tokenOf(settings))).status).toBe(401);
  });

  it('in the demo is not to be had: nobody can publish anything there', async () => {
    await app.db.kysely.updateTable('events').set({ demo: 1 }).execute();
    expect(await refusal(await call('PUT', `/api/events/${event.code}/gallery`, host, OPEN))).toEqual([403, 'demo_fixed']);
    expect(await refusal(await call('POST', `/api/events/${event.code}/helper`, host))).toEqual([403, 'demo_fixed']);
  });
});
