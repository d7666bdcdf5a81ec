import { MINUTE } from '@feierbild/contract/constants.ts';
import type { Gallery } from '@feierbild/contract/calls/gallery.ts';
import type { GalleryPage, GuestEvent, Photo } from '@feierbild/contract/entities.ts';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { purgeEvent } from '../events/purge.ts';
import { cookieOf, newDevice, refusal, type Headers, type TestApp } from '../testing.ts';
import { beforeEachGallery, galleryClient, ids, OPEN, REVEAL, tokenOf } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('the guests’ gallery on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  let clock: { time: number; now(): number };
  beforeEachGallery(engine, decoder, (opened) => ({ app, event, host, clock } = opened));

  const { call, json, set, send, login, enter, list, flag, statuses, keysOf } = galleryClient(() => ({ app, event }));
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

  it('is not set from a form that was opened before another phone set it', async () => {
    const before = { ...OPEN, mode: 'drop' };
    const revealed = { ...REVEAL, opens_at: '2030-05-17T22:00:00+02:00' };
    await set({ ...revealed, was: before });
    const put = (form: object) => call('PUT', `/api/events/${event.code}/gallery`, host, form);
    expect(await refusal(await put({ ...OPEN, was: before }))).toEqual([409, 'event_changed']);
    expect(await refusal(await put({ ...OPEN, was: { ...revealed, originals: true } }))).toEqual([409, 'event_changed']);
    expect(await json('GET', `/api/events/${event.code}/gallery`, host)).toMatchObject({ mode: 'reveal' });
    // The same settings again, as after a lost answer.
    expect(await set({ ...revealed, was: before })).toMatchObject({ mode: 'reveal' });
    // Other changes of the event are no conflict.
    await call('PUT', `/api/events/${event.code}/slideshow_names`, host, { value: true });
    expect(await set({ ...OPEN, was: revealed })).toMatchObject(OPEN);
    // Programs may still send no `was`.
    expect(await set({ ...OPEN, mode: 'drop' })).toMatchObject(before);
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
    // Replaces the row of one event's link by the other's.
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
    // A guest without a device id gives a heart for the session.
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
    // The link stays dead even if somebody restores its row.
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
    await set({ ...REVEAL, opens_at: new Date(clock.time + MINUTE).toISOString(), wall_meanwhile: false });
    expect(await both()).toEqual(['later', false]);
    await json('POST', `/api/events/${event.code}/gallery/reveal`, host);
    expect(await both()).toEqual(['now', true]);
    await set({ ...OPEN, wall_meanwhile: false });
    expect(await both()).toEqual(['now', true]);
    await app.db.kysely.updateTable('events').set({ with_slideshow: 0 }).execute();
    expect(await json('GET', `/event/${event.code}`)).not.toHaveProperty('wall');
    expect(await seen()).toBe(false);
    // In the demo there is no wall, as it would show photos of others.
    await app.db.kysely.updateTable('events').set({ with_slideshow: 1, demo: 1 }).execute();
    expect(await json('GET', `/event/${event.code}`)).not.toHaveProperty('wall');
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
