import { DAY } from '@feierbild/contract/constants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { createRateLimits } from '../rate-limits/rate-limits.ts';
import { ADMIN, jarOf, openDesk, PARTY, type Desk, type Jar } from './testing.ts';
import { fail } from '../rate-limits/testing.ts';

const nobody = { authenticated: false, role: null, userCode: null };

describe.each(engines())('a locked slideshow on $name', (engine) => {
  let db: Db;
  let now: number;
  let desk: Desk;
  let admin: Jar;
  let event: { id: string; code: string; password: string };
  let host: Jar;
  beforeAll(async () => {
    now = PARTY;
    db = await engine.open();
    desk = await openDesk({ db, clock: { now: () => now } });
  });
  beforeEach(async () => {
    now = PARTY;
    await db.kysely.deleteFrom('sessions').execute();
    admin = await desk.admin();
    event = await desk.event(admin);
    host = jarOf(await desk.loginHost(event.code, event.password));
  });
  afterAll(async () => {
    await desk.close();
    await engine.dispose();
  });

  const check = async (cookies: Jar) => (await desk.send('GET', '/auth/check', { cookies })).json<object>();
  const lock = (cookies: Jar, ref = event.code) => desk.send('POST', `/api/events/${ref}/slideshow-lock`, { cookies });
  const locked = async (): Promise<Jar> => ({ feierbild_projector: jarOf(await lock(host)).feierbild_projector as string });

  it("takes the place of every login of the browser, and of the browser's uploads", async () => {
    const answer = await lock({ ...host, ...admin });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers['clear-site-data']).toBe('"cache"');
    const after = jarOf(answer);
    expect(after).toMatchObject({ feierbild_host: '', feierbild_admin: '', feierbild_device: '' });
    expect(await check(after)).toEqual({ authenticated: true, role: 'projector', userCode: event.code });
    // Copies of the earlier cookies are invalid, too.
    expect(await check({ ...host, ...admin })).toEqual(nobody);
    expect(await desk.visitor({ cookies: after })).toMatchObject({
      host: null,
      admin: null,
      projector: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is only for the host of the event, and only where there is a slideshow', async () => {
    const other = await desk.event(admin, { with_slideshow: false });
    expect((await lock({})).statusCode).toBe(401);
    expect((await lock(admin)).statusCode).toBe(401);
    expect((await lock(host, other.code)).statusCode).toBe(401);
    expect((await lock(jarOf(await desk.loginHost(other.code, other.password)), other.code)).statusCode).toBe(403);
    expect((await lock(await locked())).statusCode).toBe(401);
  });

  it('lets its host log in although a guest at the same address has used up the guesses, and has ten of its own', async () => {
    const limits = createRateLimits({ db, clock: { now: () => now } });
    const failTimes = async (times: number, who: string): Promise<void> => {
      for (let n = 0; n < times; n++) await fail(limits, 'login', who, `host:${event.code}`);
    };
    const statusOf = async (cookies: Jar, password = event.password) =>
      (await desk.loginHost(event.code, password, { cookies, address: '192.0.2.7' })).statusCode;
    const cookies = await locked();
    await failTimes(10, '192.0.2.7');
    expect(await statusOf({})).toBe(429);
    const other = await desk.event(admin);
    expect(await statusOf(jarOf(await desk.loginHost(other.code, other.password)))).toBe(429);

    expect(await statusOf(cookies, 'geraten')).toBe(401);
    await failTimes(9, `wall ${event.id}`);
    expect(await statusOf(cookies)).toBe(429);
    now += 10 * 60_000;
    await failTimes(10, '192.0.2.7');
    expect(await statusOf(cookies)).toBe(200);
  });

  it('is no login in the cookie of a host, not even with its row made one', async () => {
    const cookies = await locked();
    const swapped = { feierbild_host: cookies.feierbild_projector as string };
    expect(await desk.visitor({ cookies: swapped })).toMatchObject({ host: null });
    await db.kysely.updateTable('sessions').set({ role: 'user' }).where('role', '=', 'projector').execute();
    expect(await desk.visitor({ cookies: swapped })).toMatchObject({ host: null });
  });

  it('lasts 7 days without use, and 30 with', async () => {
    const used = await locked();
    for (const day of [6, 12, 18, 24]) {
      now += 6 * DAY;
      expect([day, await check(used)]).toEqual([day, { authenticated: true, role: 'projector', userCode: event.code }]);
    }
    now += 6 * DAY;
    expect(await check(used)).toEqual(nobody);
    host = jarOf(await desk.loginHost(event.code, event.password));
    const unused = await locked();
    now += 7 * DAY;
    expect(await check(unused)).toEqual(nobody);
  });

  it('ends with a logout, with any login in its browser, with the password, and with the event', async () => {
    const again = async (): Promise<Jar> => {
      host = jarOf(await desk.loginHost(event.code, event.password));
      return locked();
    };
    let cookies = await locked();
    expect((await desk.send('POST', '/auth/logout', { cookies })).statusCode).toBe(204);
    expect(await check(cookies)).toEqual(nobody);

    cookies = await again();
    const login = await desk.loginHost(event.code, event.password, { cookies });
    expect(jarOf(login)).toMatchObject({ feierbild_projector: '' });
    expect(await check(cookies)).toEqual(nobody);

    cookies = await again();
    await desk.send('POST', '/auth/admin/login', { cookies, body: ADMIN });
    expect(await check(cookies)).toEqual(nobody);

    cookies = await again();
    const reset = await desk.send('PUT', `/admin/events/${event.id}/user/password`, { cookies: admin });
    expect(reset.statusCode).toBe(200);
    expect(await check(cookies)).toEqual(nobody);

    event.password = reset.json<{ new_password: string }>().new_password;
    cookies = await again();
    expect((await desk.send('DELETE', `/admin/events/${event.id}`, { cookies: admin })).statusCode).toBe(200);
    expect(await check(cookies)).toEqual(nobody);
  });

  it('does not outlive a new password that comes at the same time', async () => {
    const [answer] = await Promise.all([lock(host), desk.send('PUT', `/admin/events/${event.id}/user/password`, { cookies: admin })]);
    // Whichever call comes first, no session is left.
    expect(await check({ ...host, ...jarOf(answer) })).toEqual(nobody);
    expect(await db.kysely.selectFrom('sessions').select('id').where('event_id', '=', event.id).execute()).toEqual([]);
  });

  it('is in the audit trail, from lock to unlock', async () => {
    await desk.send('POST', '/auth/logout', { cookies: await locked() });
    const rows = await db.kysely.selectFrom('audit').select(['actor', 'action']).where('event_id', '=', event.id).orderBy('id').execute();
    expect(rows.slice(-2)).toEqual([
      { actor: 'host', action: 'slideshow.locked' },
      { actor: 'projector', action: 'slideshow.unlocked' },
    ]);
  });
});
