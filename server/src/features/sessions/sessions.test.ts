import { HOUR } from '@feierbild/contract/constants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { jarOf, openDesk, PARTY, type Desk, type Jar } from '../accounts/testing.ts';

const DAY = 24 * HOUR;

describe.each(engines())('sessions on $name', (engine) => {
  let db: Db;
  let now: number;
  const clock = { now: () => now };
  let desk: Desk;
  let admin: Jar;
  let event: { id: string; code: string; password: string };
  let host: Jar;
  beforeAll(async () => {
    now = PARTY;
    db = await engine.open();
    desk = await openDesk({ db, clock });
    event = await desk.event(await desk.admin(), { with_upload_password: true, user_upload_password: 'Blütenfest' });
  });
  beforeEach(async () => {
    now = PARTY;
    await db.kysely.deleteFrom('sessions').execute();
    admin = await desk.admin();
    host = jarOf(await desk.loginHost(event.code, event.password));
  });
  afterAll(async () => {
    await desk.close();
    await engine.dispose();
  });

  const check = async (cookies: Jar) =>
    (await desk.send('GET', '/auth/check', { cookies })).json<{ authenticated: boolean }>().authenticated;
  const rows = async () => [
    (await db.kysely.selectFrom('sessions').select('id').execute()).length,
    (await db.kysely.selectFrom('session_keys').select('session_id').execute()).length,
  ];

  it('survive a restart and work on every node, with their keys', async () => {
    const before = { host: await desk.visitor({ cookies: host }), admin: await desk.visitor({ cookies: admin }) };
    const other = await openDesk({ db: await engine.again(db), clock });
    expect(await other.visitor({ cookies: host })).toEqual(before.host);
    expect(await other.visitor({ cookies: admin })).toEqual(before.admin);
    expect(before.host.host).not.toBe(before.admin.admin);
    await other.close();
  });

  it('of a host last 30 days without use, and 90 with', async () => {
    for (const day of [29, 58, 87]) {
      now += 29 * DAY;
      expect([day, await check(host)]).toEqual([day, true]);
    }
    now += 3 * DAY - 1;
    expect(await check(host)).toBe(true);
    now += 1;
    expect(await check(host)).toBe(false);

    const unused = jarOf(await desk.loginHost(event.code, event.password));
    now += 30 * DAY;
    expect(await check(unused)).toBe(false);
  });

  it('of an administrator last 12 hours without use, and 7 days with', async () => {
    for (let n = 1; n <= 15; n++) {
      now += 11 * HOUR;
      expect([n, await check(admin)]).toEqual([n, true]);
    }
    now += 3 * HOUR - 1;
    expect(await check(admin)).toBe(true);
    now += 1;
    expect(await check(admin)).toBe(false);

    const unused = await desk.admin();
    now += 12 * HOUR;
    expect(await check(unused)).toBe(false);
  });

  it('are gone with their keys once they have expired', async () => {
    expect(await rows()).toEqual([2, 2]);
    now += 12 * HOUR;
    await desk.sessions.endExpired();
    expect(await rows()).toEqual([1, 1]);
    now += 30 * DAY;
    await desk.sessions.endExpired();
    expect(await rows()).toEqual([0, 0]);
  });

  it('outlive a moment in which the clock is ahead, though they open nothing meanwhile', async () => {
    const right = now;
    now += 100 * DAY;
    expect([await check(host), await check(admin)]).toEqual([false, false]);
    expect((await desk.send('GET', `/api/events/${event.code}`, { cookies: host })).statusCode).toBe(401);
    now = right;
    expect([await check(host), await check(admin)]).toEqual([true, true]);
  });

  it('last no longer for having been used while the clock was ahead', async () => {
    const right = now;
    now += 11 * HOUR;
    expect(await check(admin)).toBe(true);
    now = right + HOUR;
    expect(await check(admin)).toBe(true);
    now += 12 * HOUR;
    expect(await check(admin)).toBe(false);
  });

  it('are not rotated: thirty requests at once keep the cookie', async () => {
    now += DAY;
    const answers = await Promise.all(Array.from({ length: 30 }, () => desk.send('GET', `/api/events/${event.id}`, { cookies: host })));
    for (const { statusCode, cookies } of answers) expect({ statusCode, cookies }).toEqual({ statusCode: 200, cookies: [] });
    expect(await check(host)).toBe(true);
  });

  it('open nothing for a thief of the rows: another key in a row is noticed, a made-up token is nobody', async () => {
    const second = await desk.event(admin);
    const secondHost = jarOf(await desk.loginHost(second.code, second.password));
    const [mine, theirs] = await db.kysely
      .selectFrom('sessions')
      .innerJoin('session_keys', 'session_keys.session_id', 'sessions.id')
      .select(['sessions.id', 'sessions.token_hash', 'session_keys.wrapped'])
      .where('sessions.role', '=', 'user')
      .orderBy('sessions.id')
      .execute();
    // A thief with write access to the database puts the other event's key into the own session.
    await db.kysely.updateTable('session_keys').set({ wrapped: theirs!.wrapped }).where('session_id', '=', mine!.id).execute();
    expect((await desk.send('GET', '/test/visitor', { cookies: host })).statusCode).toBe(401);
    expect((await desk.send('GET', `/api/events/${event.code}`, { cookies: host })).json()).toMatchObject({ code: 'login_required' });
    // The thief points the own session at the other event.
    await db.kysely.updateTable('session_keys').set({ wrapped: mine!.wrapped }).where('session_id', '=', mine!.id).execute();
    await db.kysely.updateTable('sessions').set({ event_id: second.id }).where('id', '=', mine!.id).execute();
    expect((await desk.send('GET', '/test/visitor', { cookies: host })).statusCode).toBe(500);
    expect((await desk.visitor({ cookies: secondHost })).host).toMatch(/^[0-9a-f]{64}$/);
    for (const token of [Buffer.from(theirs!.token_hash).toString('base64url'), 'A'.repeat(43), '', '%', `${Object.values(host)[0]}A`]) {
      expect((await desk.visitor({ cookies: { feierbild_host: token } })).host).toBeNull();
    }
  });

  it('of one role are nothing in the cookie of the other', async () => {
    const swapped = { feierbild_host: admin.feierbild_admin as string, feierbild_admin: host.feierbild_host as string };
    expect(await desk.visitor({ cookies: swapped })).toMatchObject({ host: null, admin: null });
  });

  it('of a host open the own event only', async () => {
    const other = await desk.event(admin);
    expect((await desk.send('GET', `/api/events/${event.code}`, { cookies: host })).statusCode).toBe(200);
    expect((await desk.send('GET', `/api/events/${other.code}`, { cookies: host })).statusCode).toBe(401);
    expect((await desk.send('GET', '/admin/events', { cookies: host })).statusCode).toBe(401);
  });

  it('end with the event', async () => {
    const short = await desk.event(admin);
    const shortHost = jarOf(await desk.loginHost(short.code, short.password));
    await desk.send('DELETE', `/admin/events/${short.id}`, { cookies: admin });
    expect(await check(shortHost)).toBe(false);
    expect(await check(host)).toBe(true);
    expect(await rows()).toEqual([2, 2]);
  });
});
