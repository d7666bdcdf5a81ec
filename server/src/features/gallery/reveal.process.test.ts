import type { Gallery } from '@feierbild/contract/calls/gallery.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { cookieOf, drawPhoto, newDevice, refusal, type Headers, type TestApp } from '../testing.ts';
import { beforeEachGallery, galleryClient, ids, OPEN, REVEAL, tokenOf } from './testing.ts';
import { drawShape, newKey, previewOf, tusClient } from '../uploads/testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('the guests’ gallery on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  let clock: { time: number; now(): number };
  beforeEachGallery(engine, decoder, (opened) => ({ app, event, host, clock } = opened));

  const { call, json, set, send, enter, list, flag, statuses, keysOf } = galleryClient(() => ({ app, event }));

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
    // The device's own photos and the wall are closed, too.
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
    // A gallery that is closed again has no keys.
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
    // A helper sees pictures only; even the device's own original comes after the reveal.
    expect(await statuses(photo, helper)).toEqual([200, 200, 403]);
    expect(await statuses(other, helper)).toEqual([200, 200, 404]);
    const wall = await opened('wall', `/api/events/${event.code}/wall/link`);
    expect(await refusal(await call('GET', photo.preview_url, wall))).toEqual([403, 'gallery_closed', { opens_at: null }]);
    await flag(photo, true);
    expect((await call('GET', photo.preview_url, wall)).status).toBe(200);
    expect(await statuses(photo, own)).toEqual([403, 403, 403]);
  });

  it('of a reveal at a time holds the pictures back until then', async () => {
    const opens_at = new Date(clock.time + 60_000).toISOString();
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
    clock.time += 60_000;
    await app.dueApprovals.run();
    expect(ids(await list(guest))).toEqual([first.id, second.id]);
    expect((await call('GET', second.thumbnail_url, guest)).status).toBe(200);
  });

  it('of a reveal that is to lie ahead refuses a new moment that is over, and keeps one that was', async () => {
    const put = (form: object) => call('PUT', `/api/events/${event.code}/gallery`, host, form);
    const at = (ms: number) => ({ ...REVEAL, opens_at: new Date(clock.time + ms).toISOString() });
    const [over, soon] = [at(0), at(60_000)];
    const refused = await put({ ...over, ahead: true });
    expect(await refusal(refused)).toEqual([400, 'invalid_input', { fields: { opens_at: expect.stringContaining('vorbei') } }]);
    expect(await json('GET', `/api/events/${event.code}/gallery`, host)).toMatchObject({ mode: 'drop' });
    expect(await set({ ...soon, ahead: true })).toMatchObject(soon);
    clock.time += 60_000;
    await app.dueApprovals.run();
    expect(await set({ ...soon, originals: true, ahead: true })).toMatchObject({ ...soon, originals: true, open: true });
    // Without that wish, a moment that is over reveals.
    expect(await set(over)).toMatchObject(over);
    await app.dueApprovals.run();
    expect(await json('GET', `/api/events/${event.code}/gallery`, host)).toMatchObject({ ...over, open: true });
  });

  it('takes as many photos of each device as its host allows', async () => {
    await set({ ...REVEAL, photos_per_device: 2 });
    const device = newDevice();
    const first = await send(device);
    await send(device);
    const before = await app.row(event.id);
    const third = await app.upload(event.code, await drawPhoto(), { device });
    expect([third.status, third.code]).toEqual([403, 'device_full']);
    // A refused photo is missing in no ZIP.
    expect(await app.row(event.id)).toMatchObject({ originals_seq: before.originals_seq, change_seq: before.change_seq });
    // The Fotobox is no guest, so the limit does not count for it.
    const booth = await app.event({ with_fotobox: 1, gallery_photos_per_device: 2 }, { fotobox: 'Knipsekasten' });
    const headers = { 'event-password': 'Knipsekasten' };
    for (let n = 0; n < 3; n++) expect((await app.upload(booth.code, await drawPhoto(), { device, headers })).status).toBe(201);
    // An hour after the migration, no node of the previous release can run any more.
    clock.time += 2 * 3_600_000;
    const { announce } = tusClient(() => ({ app, code: booth.code, device }));
    expect((await announce(newKey(), await previewOf(await drawShape(3)), 1_000_000, headers)).status).toBe(201);
    await send();
    await call('DELETE', `/api/photos/${first.id}`, { 'device-id': device });
    await send(device);
  });

  it('misses no photo that comes while it is opened, revealed, closed or given a new link, and keeps no key of what is taken out meanwhile', async () => {
    const device = newDevice();
    const photos: Photo[] = [await send(device)];
    let sending = true;
    // One page of the lists below has them all.
    const senders = Array.from({ length: 3 }, async () => {
      while (sending && photos.length < 90) photos.push(await send(newDevice()));
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
});
