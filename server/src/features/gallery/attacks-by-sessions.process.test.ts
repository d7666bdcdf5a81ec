import { MINUTE } from '@feierbild/contract/constants.ts';
import type { Gallery } from '@feierbild/contract/calls/gallery.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { Agent, get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { publicKeyOf } from '../../vault/keys.ts';
import { logInAdmin } from '../accounts/testing.ts';
import { cookieOf, newDevice, refusal, type Headers, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { createDueApprovals } from './due-approvals.ts';
import { galleryClient, ids, OPEN, beforeEachCachedGallery, REVEAL, tokenOf } from './testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('an attacker of the guests’ gallery on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  let clock: { time: number };
  beforeEachCachedGallery(engine, decoder, (opened) => ({ app, event, host, clock } = opened));
  const { call, json, set, send, login, enter, list, flag, statuses, keysOf, newLink, helperOf } = galleryClient(() => ({ app, event }));

  it('by a session in another one’s cookie opens nothing', async () => {
    const photo = await send();
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true });
    await send();
    const sessions = { host, gallery: await enter(await set(OPEN)), helper: await helperOf() };
    const asked: Record<keyof typeof sessions, string> = {
      host: `/api/events/${event.code}`,
      gallery: `/api/events/${event.code}/photos?after=0`,
      helper: `/api/events/${event.code}/photos?view=waiting&after=0`,
    };
    for (const [role, session] of Object.entries(sessions)) {
      const [, token] = (session['cookie'] ?? '').split('=');
      expect([role, (await call('GET', asked[role as keyof typeof asked], session)).status]).toEqual([role, 200]);
      for (const [other, path] of Object.entries(asked)) {
        if (other === role) continue;
        for (const name of [other, 'projector', 'admin', 'device']) {
          const disguised = { cookie: `feierbild_${name}=${token}` };
          expect([role, name, (await call('GET', path, disguised)).status]).toEqual([role, name, 401]);
          expect([role, name, ...(await statuses(photo, disguised))]).toEqual([role, name, 404, 404, 404]);
        }
      }
    }
  });

  it('at a laptop whose slideshow was locked finds no helper’s session, and none of a guest', async () => {
    const keys = { publicKey: publicKeyOf(event.privateKey), privateKey: event.privateKey };
    await app.accounts.addHost(event.id, keys, 'ABCD-EFGH');
    for (const of of [event, await app.event()]) {
      const helper = await helperOf(of);
      const guest = cookieOf(await login(tokenOf(await set(OPEN, of)), {}, of.code));
      const seen = async (view: string, session: Headers) =>
        (await call('GET', `/api/events/${of.code}/photos?view=${view}&after=0`, session)).status;
      expect([await seen('waiting', helper), await seen('gallery', guest)]).toEqual([200, 200]);
      // Ends the browser's sessions of other events, too, as it has one session of each role.
      const { token } = await app.db.transaction((trx) => app.sessions.start('user', event.id, keys, trx));
      const cookie = [`feierbild_host=${token}`, helper['cookie'], guest['cookie']].join('; ');
      const answer = await call('POST', `/api/events/${event.code}/slideshow-lock`, { cookie });
      const cleared = answer.headers.getSetCookie().filter((one) => /^feierbild_(?:helper|gallery)=;/.test(one));
      expect([answer.status, cleared.length]).toEqual([204, 2]);
      expect([await seen('waiting', helper), await seen('gallery', guest)]).toEqual([401, 401]);
    }
  });

  it('by sessions of two events mixes nothing up', async () => {
    const other = await app.event();
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true });
    const [waiting, theirs] = [await send(), await send(newDevice(), other)];
    const guest = await enter(await set(OPEN));
    await set(OPEN, other);
    const helper = await helperOf(other);
    for (const mixed of [{ cookie: `${guest['cookie']}; ${helper['cookie']}` }, { cookie: `${guest['cookie']}; ${other.cookie}` }]) {
      expect((await call('GET', `/api/events/${event.code}/photos?view=waiting&after=0`, mixed)).status).toBe(401);
      expect(await statuses(waiting, mixed)).toEqual([404, 404, 404]);
      expect((await flag(waiting, true, mixed)).status).toBe(404);
      expect((await call('PUT', `/api/photos/${theirs.id}/heart`, mixed, { value: true })).status).toBe(404);
      expect((await call('PUT', `/api/events/${event.code}/gallery`, mixed, REVEAL)).status).toBe(401);
      expect((await call('POST', `/api/events/${event.code}/helper`, mixed)).status).toBe(401);
    }
    expect(await keysOf()).toEqual([theirs.id]);
  });

  it('by a connection on which a proxy sends for many gets what each session opens, and nothing by an old one after a new link', async () => {
    const other = await app.event();
    const [mine, theirs] = [await send(), await send(newDevice(), other)];
    const [guest, stranger] = [await enter(await set(OPEN)), await enter(await set(OPEN, other), other)];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const look = (photo: Photo, headers: Headers) =>
      new Promise<number | undefined>((resolve, reject) => {
        get(`${app.url}${photo.thumbnail_url}`, { agent, headers }, (answer) => {
          ports.add(answer.socket.localPort);
          answer.resume().once('end', () => resolve(answer.statusCode));
        }).once('error', reject);
      });
    const seen = [];
    for (const session of [guest, stranger, guest]) seen.push(await look(mine, session), await look(theirs, session));
    expect(seen).toEqual([200, 404, 404, 200, 200, 404]);
    const opened = await enter(await newLink());
    expect([await look(mine, guest), await look(mine, opened), await look(theirs, stranger)]).toEqual([404, 200, 200]);
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  it('by what a browser kept of a photo gets no word about it once it was taken out, closed, or of another session', async () => {
    const photo = await send();
    const settings = await set(OPEN);
    const guest = await enter(settings);
    const other = await app.event();
    const stranger = await enter(await set(OPEN, other), other);
    const { seq } = await list(guest);
    const news = `/api/events/${event.code}/photos?seq=${seq}`;
    const etags = await Promise.all(
      [photo.thumbnail_url, photo.preview_url, news].map(
        async (path) => [path, (await call('GET', path, guest)).headers.get('etag') ?? ''] as const,
      ),
    );
    const again = (session: Headers) =>
      Promise.all(etags.map(async ([path, etag]) => (await call('GET', path, { ...session, 'if-none-match': etag })).status));
    expect(await again(guest)).toEqual([304, 304, 304]);
    expect(await again(stranger)).toEqual([404, 404, 401]);
    expect(await again({})).toEqual([404, 404, 401]);
    await flag(photo, false);
    expect(await again(guest)).toEqual([404, 404, 200]);
    await flag(photo, true);
    await set(REVEAL);
    expect(await again(guest)).toEqual([403, 403, 403]);
    await set(OPEN);
    await newLink();
    expect(await again(guest)).toEqual([404, 404, 401]);
  });

  it('by a clock that goes back after a reveal is held back again, also with what a browser kept', async () => {
    const photo = await send();
    const opens_at = new Date(clock.time + MINUTE).toISOString();
    const guest = await enter(await set({ ...REVEAL, opens_at }));
    clock.time += 2 * MINUTE;
    await app.dueApprovals.run();
    const { seq } = await list(guest);
    const news = `/api/events/${event.code}/photos?seq=${seq}`;
    const etag = (await call('GET', news, guest)).headers.get('etag') ?? '';
    clock.time -= 2 * MINUTE;
    expect(await refusal(await call('GET', news, { ...guest, 'if-none-match': etag }))).toEqual([
      403,
      'gallery_closed',
      { opens_at, count: 1 },
    ]);
    expect(await statuses(photo, guest)).toEqual([403, 403, 403]);
    expect((await call('PUT', `/api/photos/${photo.id}/heart`, guest, { value: true })).status).toBe(403);
  });

  it('by a clock that leapt ahead has nothing shown that waits for a decision', async () => {
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    const waiting = await send();
    clock.time += 60 * MINUTE;
    let right = false;
    const dueApprovals = createDueApprovals({ ...app, ending: new AbortController().signal, clockGuard: { check: async () => right } });
    await dueApprovals.run();
    expect([ids(await list(guest)), ...(await statuses(waiting, guest))]).toEqual([[], 404, 404, 404]);
    right = true;
    await dueApprovals.run();
    expect(ids(await list(guest))).toEqual([waiting.id]);
  });

  it('by a clock that leapt ahead reveals no gallery before its time, and by the right one it opens', async () => {
    const photo = await send();
    const guest = await enter(await set({ ...REVEAL, opens_at: new Date(clock.time + 60 * MINUTE).toISOString() }));
    clock.time += 60 * MINUTE;
    let right = false;
    const dueApprovals = createDueApprovals({ ...app, ending: new AbortController().signal, clockGuard: { check: async () => right } });
    await dueApprovals.run();
    expect(await statuses(photo, guest)).toEqual([403, 403, 403]);
    right = true;
    await dueApprovals.run();
    expect(ids(await list(guest))).toEqual([photo.id]);
  });

  it('by what was there before a new link, or before the letterbox, opens nothing, even with the rows put back', async () => {
    const { kysely } = app.db;
    const device = newDevice();
    const photo = await send(device);
    const again: [string, () => Promise<Gallery>][] = [
      ['link', newLink],
      [
        'letterbox',
        async () => {
          await set({ ...OPEN, mode: 'drop' });
          return set(OPEN);
        },
      ],
    ];
    for (const [name, change] of again) {
      const before = await set(OPEN);
      const guest = await enter(before);
      const old = {
        invitation: await kysely.selectFrom('invitations').selectAll().executeTakeFirstOrThrow(),
        access: await kysely.selectFrom('gallery_guests').select('access').executeTakeFirstOrThrow(),
        session: await kysely.selectFrom('sessions').selectAll().where('role', '=', 'gallery').execute(),
        keys: await kysely.selectFrom('session_keys').selectAll().execute(),
      };
      const { url } = await change();
      expect([name, url]).not.toEqual([name, before.url]);
      expect([name, (await call('GET', photo.thumbnail_url, guest)).status]).toEqual([name, 404]);
      await kysely.updateTable('invitations').set({ wrapped: old.invitation.wrapped }).execute();
      await kysely.updateTable('gallery_guests').set(old.access).execute();
      const missing = old.session.filter(({ id }) => old.keys.some(({ session_id }) => session_id === id));
      await kysely.insertInto('sessions').values(missing).execute();
      await kysely
        .insertInto('session_keys')
        .values(old.keys.filter(({ session_id }) => missing.some(({ id }) => id === session_id)))
        .execute();
      expect([name, (await login(tokenOf(before))).status]).not.toEqual([name, 200]);
      expect([name, (await login(undefined, { 'device-id': device })).status]).not.toEqual([name, 200]);
      expect([name, (await call('GET', photo.thumbnail_url, guest)).status]).not.toEqual([name, 200]);
      await newLink();
    }
  });

  it('by the link of a helper whom an earlier password invited, at that moment, too, opens nothing once the host has another one', async () => {
    const admin = await logInAdmin(app);
    const form = { title: 'Fest', start_date: '2026-05-17', end_date: '2026-05-17' };
    const { id, code } = await json<{ id: string; code: string }>('POST', '/admin/create_event', admin, form);
    const login = async (password: string) => cookieOf(await call('POST', '/auth/user/login', {}, { username: code, password }));
    const reset = () => json<{ new_password: string }>('PUT', `/admin/events/${id}/user/password`, admin);
    const accept = async () => {
      const { link } = await json<{ link: string }>('POST', `/admin/events/${id}/invitation`, admin);
      const sent = { code, token: tokenOf({ url: link }), password: 'ein ganz neues Passwort' };
      expect((await call('POST', '/auth/invitation/accept', {}, sent)).status).toBe(200);
      return { new_password: sent.password };
    };
    let { password } = await json<{ password: string }>('POST', `/admin/events/${id}/user`, admin, { username: code });
    for (const another of [reset, accept]) {
      const by = await login(password);
      const { url } = await json<{ url: string }>('POST', `/api/events/${code}/helper`, by);
      const helper = cookieOf(await call('POST', '/auth/helper/login', {}, { code, token: tokenOf({ url }) }));
      const waiting = () => call('GET', `/api/events/${code}/photos?view=waiting&after=0`, helper);
      expect([another.name, (await waiting()).status]).toEqual([another.name, 200]);
      const [{ new_password }] = await Promise.all([another(), call('POST', `/api/events/${code}/helper`, by)]);
      password = new_password;
      expect([another.name, (await waiting()).status]).toEqual([another.name, 401]);
      expect((await call('POST', '/auth/helper/login', {}, { code, token: tokenOf({ url }) })).status).toBe(401);
      const left = await app.db.kysely.selectFrom('invitations').select('role').where('event_id', '=', id).execute();
      expect([another.name, left]).toEqual([another.name, []]);
    }
  });
});
