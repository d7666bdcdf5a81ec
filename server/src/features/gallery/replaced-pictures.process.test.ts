import { randomBytes, randomUUID } from 'node:crypto';
import { MINUTE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { cookieOf, drawPhoto, newDevice, refusal, type Headers, type TestApp } from '../testing.ts';
import { holdableDecoder } from '../testing/holdable-decoder.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { drawShape, newKey, previewOf, tusClient } from '../uploads/testing.ts';
import { galleryClient, ids, OPEN, openGallery, tokenOf } from './testing.ts';

const all = enginesForRules();
const { decoder, hold, waiting: held } = holdableDecoder(useDecoder(all));

describe.each(all)('with release, an original that is another picture than its preview, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  let host: Headers;
  let helper: Headers;
  let guest: Headers;
  let now: number;
  let original: Buffer;
  let goOn: () => void;

  const { call, json, set, enter, list, statuses, keysOf } = galleryClient(() => ({ app, event }));
  const { announce, append } = tusClient(() => ({ app, code: event.code, device }));
  const release = (settings: object) => json('PUT', `/api/events/${event.code}/release`, host, settings);
  const decide = (id: string, wish: object, by = helper) => call('PUT', `/api/photos/${id}/slideshow`, by, wish);
  const queue = () => json<{ photos: Photo[]; until: number }>('GET', `/api/events/${event.code}/photos?view=waiting&after=0`, helper);
  const wall = async () => ids(await json('GET', `/api/events/${event.code}/slideshow`, host));
  const row = (id: string) => app.db.kysely.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const stored = (id: string) => expect.poll(async () => (await row(id)).state).toBe('stored');

  const another = async () => previewOf(await drawShape(5));
  const ofOtherSides = () => sharp(original).resize(1600, 900, { fit: 'fill' }).jpeg().toBuffer();

  beforeEach(async () => {
    const db = await engine.open();
    now = Date.now();
    ({ app, event, host } = await openGallery({ db, decoder, clock: { now: () => now } }));
    device = newDevice();
    original = await drawShape(11);
    guest = await enter(await set({ ...OPEN, originals: true }));
    const { url } = await json<{ url: string }>('POST', `/api/events/${event.code}/helper`, host);
    helper = cookieOf(await call('POST', '/auth/helper/login', {}, { code: event.code, token: tokenOf({ url }) }));
    goOn = hold();
  });
  afterEach(async () => {
    goOn();
    await app.close();
  });

  /** Sends a preview, decides about it by `wish`, then sends the original, which waits to be decoded. */
  async function send(preview: Buffer, wish?: object): Promise<Photo> {
    const key = newKey();
    const announced = await announce(key, preview, original.length);
    expect(announced.status, announced.body).toBe(201);
    const { photo } = announced.json;
    if (wish) expect((await decide(photo.id, wish)).status).toBe(200);
    expect((await append(`/uploads/${key}`, 0, original)).status).toBe(201);
    await expect.poll(held).toBe(1);
    return photo;
  }

  it.each([
    ['waits for its own release, at the helper’s alone', null, another],
    ['waits for its own release, at the helper’s alone, where its sides differ', null, ofOtherSides],
    ['waits for as long as any, where nobody decides', 10, another],
  ])('%s', async (_what, minutes, forge) => {
    await release({ value: true, minutes });
    const photo = await send(await forge(), { value: true, believed: 'waiting', replaced: false });
    const { id } = photo;
    const { seq } = await list(guest);
    if (forge === another) expect([ids(await list(guest)), await wall()]).toEqual([[id], [id]]);
    goOn();
    await stored(id);
    const release_at = minutes === null ? null : now + minutes * MINUTE;
    expect(await row(id)).toMatchObject({ drawn_by: 'replaced', slideshow: 0, release_state: 1, release_at });
    expect(await list(guest)).toMatchObject({ photos: [], total: 0 });
    if (forge === another) expect(await list(guest, `seq=${seq}`)).toMatchObject({ photos: [], gone: [id] });
    expect([await statuses(photo, guest), await wall()]).toEqual([[404, 404, 404], []]);
    expect(await keysOf()).toEqual(minutes === null ? [] : [id]);
    expect(await queue()).toMatchObject({ photos: [{ id, replaced: true, preview_url: `/api/photos/${id}/preview?replaced` }] });
    if (minutes === null) {
      // The helper's page still shows the earlier picture.
      expect(await refusal(await decide(id, { value: true, believed: 'waiting', replaced: false }))).toEqual([409, 'picture_replaced']);
      expect((await decide(id, { value: true, believed: 'waiting', replaced: true })).status).toBe(200);
    } else {
      now += minutes * MINUTE;
      await app.dueApprovals.run();
    }
    expect([await statuses(photo, guest), await wall()]).toEqual([[200, 200, 200], [id]]);
    expect((await app.integrity.check()).findings).toEqual([]);
  });

  it('is shown by no decision while it takes its preview’s place', async () => {
    await release({ value: true });
    const { id } = await send(await ofOtherSides(), { value: true });
    expect([await wall(), await row(id)]).toEqual([[], expect.objectContaining({ state: 'received', release_state: 1 })]);
    for (const wish of [{ value: true, believed: 'waiting' }, { value: true }, {}])
      expect(await refusal(await decide(id, wish))).toEqual([409, 'picture_replaced']);
    const { until } = await queue();
    expect(await json('POST', `/api/events/${event.code}/release/all`, helper, { until })).toEqual({ left: 0 });
    expect(ids(await queue())).toEqual([id]);
    expect((await decide(id, { value: false, believed: 'waiting', replaced: false })).status).toBe(200);
    expect((await decide(id, { waiting: true, believed: 'hidden' })).status).toBe(200);
    goOn();
    await stored(id);
    expect([await wall(), ids(await queue())]).toEqual([[], [id]]);
    // A release by a program does not name the picture.
    expect((await decide(id, { value: true })).status).toBe(200);
    expect(await wall()).toEqual([id]);
  });

  it('keeps no honest photo behind it from being shown with all others, however many such pictures somebody sends', async () => {
    await release({ value: true });
    const { id } = await send(await ofOtherSides());
    const { kysely } = app.db;
    const like = await row(id);
    const copies = Array.from({ length: 120 }, (_, n) => ({ ...like, id: randomUUID(), position: 1000 + n, fingerprint: randomBytes(32) }));
    await kysely.insertInto('photos').values(copies).execute();
    const honest = await app.upload(event.code, await drawPhoto());
    await kysely.updateTable('photos').set({ position: 2000 }).where('id', '=', honest.photo.id).execute();
    const { until } = await queue();
    expect(until).toBe(2000);
    expect(await json('POST', `/api/events/${event.code}/release/all`, helper, { until })).toEqual({ left: 0 });
    expect([await wall(), (await row(id)).release_state]).toEqual([[honest.photo.id], 1]);
  });

  it('is given to no guest who asks for the original of what was shown', async () => {
    await release({ value: true });
    const photo = await send(await another(), { value: true });
    expect((await call('GET', photo.preview_url, guest)).status).toBe(200);
    expect((await call('GET', photo.original_url, guest)).status).toBe(404);
    expect(await row(photo.id)).toMatchObject({ state: 'stored', release_state: 1 });
  });

  it.each([
    ['hidden, where that was decided about its preview', true, { value: false }, [0, 2]],
    ['waiting, where nobody had decided', true, undefined, [0, 1]],
    ['shown without release', false, undefined, [1, 0]],
  ])('stays %s', async (_what, value, wish, [slideshow, release_state]) => {
    await release({ value, minutes: 10 });
    const { id } = await send(await another(), wish);
    const { release_at } = await row(id);
    now += MINUTE;
    goOn();
    await stored(id);
    expect(await row(id)).toMatchObject({ drawn_by: 'replaced', slideshow, release_state, release_at });
  });

  it('stays shown where its host has ended the release', async () => {
    await release({ value: true });
    const { id } = await send(await another(), { value: true });
    await release({ value: false });
    goOn();
    await stored(id);
    expect([await wall(), ids(await list(guest))]).toEqual([[id], [id]]);
  });
});
