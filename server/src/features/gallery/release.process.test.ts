import { HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import type { Photo, WaitingChanges } from '@feierbild/contract/entities.ts';
import { describe, expect, it } from 'vitest';
import { lockEvent } from '../../database/changes.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { cookieOf, drawPhoto, type Headers, type TestApp } from '../testing.ts';
import { createDueApprovals } from './due-approvals.ts';
import { beforeEachGallery, galleryClient, ids, OPEN, tokenOf } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('the guests’ gallery on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  let clock: { time: number; now(): number };
  beforeEachGallery(engine, decoder, (opened) => ({ app, event, host, clock } = opened));

  const { call, json, set, send, enter, list, flag, statuses, keysOf, drawn } = galleryClient(() => ({ app, event }));

  it('photos that came while the clock was ahead wait their minutes once it is right again', async () => {
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    const right = clock.time;
    clock.time += 2 * HOUR;
    const photo = await send();
    clock.time = right;
    await app.dueApprovals.run();
    clock.time += 10 * MINUTE - 1;
    await app.dueApprovals.run();
    expect(ids(await list(guest))).toEqual([]);
    clock.time += 1;
    await app.dueApprovals.run();
    expect(ids(await list(guest))).toEqual([photo.id]);
  });

  it('a clock that is behind for some minutes shows no photo before its own minutes are over', async () => {
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    await send();
    const right = clock.time;
    clock.time -= 45 * MINUTE;
    await app.dueApprovals.run();
    clock.time = right + 10 * MINUTE - 1;
    await app.dueApprovals.run();
    expect(ids(await list(guest))).toEqual([]);
  });

  it('photos whose minutes were over while the service was off wait them anew, as nobody could decide meanwhile', async () => {
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    /** Has the service check as at its start. */
    const begin = async (): Promise<void> => {
      const ending = new AbortController();
      const service = createDueApprovals({ ...app, ending: ending.signal, clockGuard: { check: async () => true } });
      service.start();
      ending.abort();
      await service.ended();
    };
    const late = await send();
    clock.time += 9 * MINUTE;
    const later = await send();
    clock.time += 6 * MINUTE;
    await begin();
    expect(ids(await list(guest))).toEqual([]);
    clock.time += 4 * MINUTE;
    await begin();
    expect(ids(await list(guest))).toEqual([later.id]);
    clock.time += 6 * MINUTE - 1;
    await begin();
    expect(ids(await list(guest))).toEqual([later.id]);
    // A restart of a minute puts nothing off.
    clock.time += MINUTE;
    await begin();
    expect(ids(await list(guest))).toEqual([late.id, later.id]);
  });

  it.skipIf(engine.name === 'sqlite')('an event that somebody keeps locked holds back the photos of no other one', async () => {
    const other = await app.event();
    for (const one of [event, other])
      await app.call('PUT', `/api/events/${one.code}/release`, { cookie: one.cookie }, { value: true, minutes: 10 });
    await send();
    const { photo } = await app.upload(other.code, await drawPhoto({ width: 400, height: 300 }));
    clock.time += 10 * MINUTE;
    const shown = async () =>
      (await app.db.kysely.selectFrom('photos').select('slideshow').where('id', '=', photo.id).executeTakeFirstOrThrow()).slideshow;
    await app.db.transaction(async (trx) => {
      await lockEvent(trx, event.id);
      await app.dueApprovals.run();
      expect(await shown()).toBe(1);
    });
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
    // A request without the photo's believed state is accepted, as before.
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
    // The page excepts a photo that it has rejected, though the rejection has not arrived yet.
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
    // A photo whose approval is taken back waits again.
    await json('PUT', `/api/photos/${one.id}/slideshow`, host, { waiting: true });
    const back = await waiting(`seq=${changes.seq}`);
    expect([ids(back), back.gone, back.total]).toEqual([[one.id], [], 3]);
    expect(back.until).toBe((await waiting('after=0')).until);
    expect(ids(await waiting('after=0'))).toEqual([one.id, two.id, later.id]);
    // The server has never given this number.
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
    // A page that did not know the link keeps it.
    expect(await json('POST', `/api/events/${event.code}/helper`, host, { keep: true })).toEqual({ url });
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
    // After the undo the photo waits again, and guests no longer see it.
    expect(await json('PUT', `/api/photos/${one.id}/slideshow`, helper, { waiting: true })).toEqual({ slideshow: false });
    expect(ids(await queue())).toEqual([one.id]);
    expect(await statuses(one, guest)).toEqual([404, 404, 404]);
    expect(await json('POST', `/api/events/${event.code}/helper`, host, { value: false })).toEqual({ url: null });
    // As a guest of the gallery, too, a helper without the link is told that it has ended, and gets no list that looks like what waits.
    for (const by of [helper, both])
      expect((await call('GET', `/api/events/${event.code}/photos?view=waiting&after=0`, by)).status).toBe(401);
    expect((await call('POST', '/auth/helper/login', {}, { code: event.code, token: tokenOf({ url }) })).status).toBe(401);
  });

  it('shows by itself what nobody decided about, after a time that its host sets, and keeps guests’ keys of it back until then', async () => {
    const release = (settings: object) => json('PUT', `/api/events/${event.code}/release`, host, settings);
    for (const minutes of [0, 1.5, 1441])
      expect((await call('PUT', `/api/events/${event.code}/release`, host, { value: true, minutes })).status).toBe(400);
    expect(await release({ value: true })).toEqual({ value: true, minutes: null });
    expect(await release({ value: true, minutes: 10 })).toEqual({ value: true, minutes: 10 });
    const after = async (minutes: number): Promise<void> => {
      clock.time += minutes * MINUTE;
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

    // A photo whose approval is taken back waits for the whole time again.
    await json('PUT', `/api/photos/${early.id}/slideshow`, host, { waiting: true });
    await after(9);
    expect(await statuses(early, guest)).toEqual([404, 404, 404]);
    await after(1);
    expect(await statuses(early, guest)).toEqual([200, 200, 403]);

    // Without a time, guests get keys only by a decision; a new time counts from its setting.
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
});
