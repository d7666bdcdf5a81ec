import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { ADMIN, jarOf, openDesk, PARTY, type Desk, type Jar } from './testing.ts';

const DAY = 24 * 60 * 60;
const clock = { now: () => PARTY };

// Cookies are the same on both engines.
const [engine] = engines();

describe('logging in and out over HTTP', () => {
  let db: Db;
  let desk: Desk;
  let admin: Jar;
  let event: { id: string; code: string; password: string };
  beforeAll(async () => {
    db = await engine!.open();
    desk = await openDesk({ db, clock });
    admin = await desk.admin();
    event = await desk.event(admin);
  });
  afterAll(async () => {
    await desk.close();
    await engine!.dispose();
  });

  const login = (cookies: Jar = {}) => desk.loginHost(event.code, event.password, { cookies });
  const check = async (cookies: Jar) => (await desk.send('GET', '/auth/check', { cookies })).json<object>();
  const nobody = { authenticated: false, role: null, userCode: null };

  it('sets a cookie that scripts and foreign sites cannot use', async () => {
    const { cookies } = await login();
    expect(cookies).toMatchObject([
      { name: 'feierbild_host', path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 90 * DAY },
      { name: 'feierbild_known_host', path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 365 * DAY },
    ]);
    for (const cookie of cookies) {
      expect(cookie).not.toHaveProperty('secure');
      expect(cookie).not.toHaveProperty('domain');
    }
    expect((await desk.send('POST', '/auth/admin/login', { body: ADMIN })).cookies).toMatchObject([
      { name: 'feierbild_admin', maxAge: 7 * DAY },
      { name: 'feierbild_known_admin', maxAge: 365 * DAY },
    ]);
  });

  it('binds every cookie to this host and to https where that is the public address', async () => {
    const secured = await openDesk({ db, clock, secure: true });
    const set = [
      ...(await secured.loginHost(event.code, event.password)).cookies,
      ...(await secured.send('POST', '/auth/admin/login', { body: ADMIN })).cookies,
      ...(await secured.send('GET', '/device_id')).cookies,
      ...(await secured.send('POST', '/auth/logout')).cookies,
    ];
    expect(set).toHaveLength(8);
    for (const cookie of set) {
      expect(cookie.name).toMatch(/^__Host-feierbild_/);
      expect(cookie).toMatchObject({ secure: true, httpOnly: true, path: '/', sameSite: 'Lax' });
      expect(cookie).not.toHaveProperty('domain');
    }
    const jar = jarOf(await secured.loginHost(event.code, event.password));
    expect((await secured.send('GET', '/auth/check', { cookies: jar })).json()).toMatchObject({ authenticated: true });
    await secured.close();
  });

  it('answers who is logged in, the host before the administrator, and never lets that be stored', async () => {
    const host = jarOf(await login());
    expect(await check({})).toEqual(nobody);
    expect(await check(admin)).toEqual({ authenticated: true, role: 'admin', userCode: null });
    expect(await check({ ...admin, ...host })).toEqual({ authenticated: true, role: 'user', userCode: event.code });
    expect((await desk.send('GET', '/auth/check', { cookies: host })).headers['cache-control']).toBe('no-store');
  });

  it('ends the session of the given role only', async () => {
    const host = jarOf(await login());
    const office = await desk.admin();
    const both = { ...host, ...office };
    const out = await desk.send('POST', '/auth/logout', { cookies: both, body: { role: 'admin' } });
    expect(out.statusCode).toBe(204);
    expect(out.body).toBe('');
    expect(out.headers['clear-site-data']).toBe('"cache"');
    expect(out.cookies).toMatchObject([{ name: 'feierbild_admin', value: '', path: '/' }]);
    expect(out.cookies[0]?.expires?.getTime()).toBe(0);
    expect(await check(office)).toEqual(nobody);
    expect(await check(both)).toMatchObject({ role: 'user' });
  });

  it('ends the session that the check speaks of where no role is given', async () => {
    const host = jarOf(await login());
    const both = { ...host, ...(await desk.admin()) };
    await desk.send('POST', '/auth/logout', { cookies: both });
    expect(await check(both)).toMatchObject({ role: 'admin' });
    await desk.send('POST', '/auth/logout', { cookies: both });
    expect(await check(both)).toEqual(nobody);
  });

  it('takes the cookies of ended sessions back', async () => {
    const out = await desk.send('POST', '/auth/logout', { cookies: { feierbild_host: 'A'.repeat(43) } });
    expect(out.statusCode).toBe(204);
    expect(out.cookies.map(({ name }) => name).sort()).toEqual(['feierbild_admin', 'feierbild_host', 'feierbild_projector']);
  });

  it('ends the former session when the same browser logs in again, but not when that fails', async () => {
    const first = jarOf(await login());
    expect((await desk.loginHost(event.code, 'wrong', { cookies: first })).statusCode).toBe(401);
    expect(await check(first)).toMatchObject({ authenticated: true });
    const second = jarOf(await login(first));
    expect(await check(first)).toEqual(nobody);
    expect(await check(second)).toMatchObject({ authenticated: true });
  });

  it('refuses logins and logouts from foreign pages', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await desk.loginHost(event.code, event.password, { headers })).json()).toMatchObject({ code: 'foreign_origin' });
    expect((await desk.send('POST', '/auth/logout', { headers, cookies: admin })).statusCode).toBe(403);
    expect(await check(admin)).toMatchObject({ authenticated: true });
  });

  describe('the device id', () => {
    const ask = async (sent: { cookies?: Jar; headers?: Record<string, string> } = {}) => {
      const answer = await desk.send('GET', '/device_id', sent);
      return { answer, id: answer.json<{ device_id: string }>().device_id };
    };
    const OTHER = Buffer.alloc(16, 7).toString('base64url');

    it('is 128 random bits, kept for a year in a cookie that scripts cannot read', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, () => ask()));
      expect(new Set(ids.map(({ id }) => id)).size).toBe(20);
      for (const { answer, id } of ids) {
        expect(Buffer.from(id, 'base64url')).toHaveLength(16);
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(answer.cookies).toMatchObject([
          { name: 'feierbild_device', value: id, maxAge: 365 * DAY, httpOnly: true, sameSite: 'Lax', path: '/' },
        ]);
      }
    });

    it('stays the same for the browser that has the cookie and sends another id', async () => {
      const { id, answer } = await ask();
      expect((await ask({ cookies: jarOf(answer) })).id).toBe(id);
      const both = await ask({ cookies: jarOf(answer), headers: { 'device-id': OTHER } });
      expect(both.id).toBe(id);
      expect(both.answer.cookies).toMatchObject([{ value: id }]);
    });

    it('comes back as a cookie where only the local storage was left', async () => {
      const { id, answer } = await ask({ headers: { 'device-id': OTHER } });
      expect(id).toBe(OTHER);
      expect(answer.cookies).toMatchObject([{ value: OTHER }]);
    });

    it.each(['short', `${OTHER}A`, 'x; Path=/', '%41'.repeat(22), 'null'])('is a fresh one where %s was sent', async (sent) => {
      expect((await ask({ headers: { 'device-id': sent } })).id).toMatch(/^[\w-]{22}$/);
      expect((await ask({ headers: { 'device-id': sent } })).id).not.toBe(sent);
      expect((await ask({ cookies: { feierbild_device: sent } })).id).toMatch(/^[\w-]{22}$/);
    });

    it('of a request is the header, else the cookie', async () => {
      const mine = jarOf((await ask()).answer);
      const of = async (sent: { cookies?: Jar; headers?: Record<string, string> }) => (await desk.visitor(sent)).deviceId;
      expect(await of({ cookies: mine, headers: { 'device-id': OTHER } })).toBe(OTHER);
      expect(await of({ cookies: mine })).toBe(mine.feierbild_device);
      expect(await of({ cookies: mine, headers: { 'device-id': 'undefined' } })).toBe(mine.feierbild_device);
      expect(await of({})).toBeNull();
    });
  });
});
