import { DAY } from '@feierbild/contract/constants.ts';
import { AdminEvent } from '@feierbild/contract/entities.ts';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { ADMIN, beforeEachDesk, dump, openDesk, PARTY, type Desk, type Jar, type Sent } from '../accounts/testing.ts';

const FORM = { title: 'Hochzeit', start_date: '2026-05-17', end_date: '2026-05-17' };

describe.each(enginesForRules())('programs with a token on $name', (engine) => {
  const clock = { time: PARTY, now: () => clock.time };
  let db: Db;
  let desk: Desk;
  let admin: Jar;

  beforeEachDesk(engine, clock, (opened) => ({ db, desk, admin } = opened));

  async function tokenNamed(name: string, ...scopes: string[]): Promise<string> {
    const made = await desk.send('POST', '/admin/tokens', { cookies: admin, body: { name, scopes } });
    expect(made.statusCode).toBe(201);
    return made.json<{ token: string }>().token;
  }
  const tokenFor = (...scopes: string[]) => tokenNamed('Buchung', ...scopes);
  const as = (token: string, more: Sent = {}): Sent => ({ ...more, headers: { authorization: `Bearer ${token}`, ...more.headers } });
  const create = (token: string, body: object = FORM, key?: string, at = desk) =>
    at.send('POST', '/admin/create_event', as(token, { body, ...(key && { headers: { 'idempotency-key': key } }) }));
  const events = async (): Promise<AdminEvent[]> =>
    (await desk.send('GET', '/admin/events', { cookies: admin })).json<{ events: AdminEvent[] }>().events;
  const audited = async (): Promise<string[]> => {
    const { entries } = (await desk.send('GET', '/admin/audit', { cookies: admin })).json<{
      entries: { actor: string; action: string }[];
    }>();
    return entries.map(({ actor, action }) => `${actor} ${action}`);
  };

  it('create and change events and see no passwords of them; the database holds no token', async () => {
    const token = await tokenFor('events:read', 'events:write');
    const password = { with_upload_password: true, user_upload_password: 'Lampion-9' };
    const made = await create(token, { ...FORM, ...password });
    expect(made.statusCode).toBe(201);
    const { code, id, links } = made.json<AdminEvent & { links: Record<string, string> }>();
    expect(links.guests).toMatch(new RegExp(`^http://.*/event/${code}$`));
    expect(made.json()).toMatchObject({ user_upload_password: 'Lampion-9', user: null });
    const changed = await desk.send('PUT', `/admin/events/${id}`, as(token, { body: { ...FORM, ...password, title: 'Feier' } }));
    expect(changed.json()).toMatchObject({ title: 'Feier', user_upload_password: 'Lampion-9' });
    const listed = await desk.send('GET', '/admin/events', as(token));
    expect(listed.json()).toMatchObject({ events: [{ id, with_upload_password: true, user_upload_password: null }] });
    expect(await dump(db)).not.toContain(token);
    expect((await desk.send('GET', '/admin/tokens', { cookies: admin })).body).not.toContain(token.slice(4));
    expect(await audited()).toEqual(expect.arrayContaining(['token:Buchung event.created', 'token:Buchung event.changed']));
    // An administrator's key opens what the program has sealed: the password is shown, and the host gets access.
    expect(await events()).toMatchObject([{ id, user_upload_password: 'Lampion-9' }]);
    const host = await desk.send('POST', `/admin/events/${id}/user`, { cookies: admin, body: { username: code } });
    expect(host.statusCode).toBe(201);
  });

  it('have what their scopes allow, in these calls alone, with any cookies beside them', async () => {
    const reader = await tokenFor('events:read');
    expect((await create(reader)).json()).toMatchObject({ code: 'token_scope' });
    const calendar = await tokenFor('calendar:read');
    expect((await desk.send('GET', '/admin/events', as(calendar))).statusCode).toBe(403);
    // An administrator's cookie adds no rights to a token.
    expect((await desk.send('POST', '/admin/create_event', as(reader, { cookies: admin, body: FORM }))).statusCode).toBe(403);
    const writer = await tokenFor('events:read', 'events:write');
    const { id } = (await create(writer)).json<{ id: string }>();
    for (const [method, path] of [
      ['DELETE', `/admin/events/${id}`],
      ['PUT', `/admin/events/${id}/user/password`],
      ['GET', '/admin/tokens'],
      ['GET', '/admin/audit'],
      ['GET', '/admin/admins'],
    ] as const)
      expect([path, (await desk.send(method, path, as(writer))).json()]).toMatchObject([path, { code: 'token_scope' }]);
    const foreign = as(writer, { body: FORM, headers: { 'sec-fetch-site': 'cross-site' } });
    expect((await desk.send('POST', '/admin/create_event', foreign)).statusCode).toBe(403);
    const both = { name: 'Alles', scopes: ['events:read', 'calendar:read'] };
    expect((await desk.send('POST', '/admin/tokens', { cookies: admin, body: both })).statusCode).toBe(400);
  });

  it('destroy no photo by an earlier end of their event', async () => {
    const token = await tokenFor('events:write');
    const { id } = (await create(token)).json<{ id: string }>();
    const end = (day: string) =>
      desk.send('PUT', `/admin/events/${id}`, as(token, { body: { ...FORM, start_date: day, end_date: day, confirm_purge: true } }));
    expect((await end('2026-04-19')).json()).toMatchObject({ code: 'token_change', fields: { end_date: expect.any(String) } });
    expect((await end('2026-05-16')).statusCode).toBe(403);
    expect((await end('2026-05-20')).statusCode).toBe(200);
    expect((await end('2026-05-17')).statusCode).toBe(200);
    await end('2026-05-20');
    // Announced photos must not be deleted days earlier either.
    await db.kysely.updateTable('events').set({ announced_count: 1 }).where('id', '=', id).execute();
    expect((await end('2026-05-19')).json()).toMatchObject({ code: 'token_change' });
    expect((await end('2026-05-21')).statusCode).toBe(200);
  });

  it('open nothing: neither by another address or password of an event that is no longer theirs alone, nor without the release', async () => {
    const token = await tokenFor('events:read', 'events:write');
    const other = await tokenNamed('Formular', 'events:write');
    const guests = { with_upload_password: true, user_upload_password: 'Lampion-9' };
    const lena = { email: 'lena@example.org', name: 'Lena' };
    const mended = { email: 'lena@example.com', name: 'Lena' };
    const made = await create(token, { ...FORM, ...guests, host: lena }, 'k');
    const { id, code } = made.json<{ id: string; code: string }>();
    const change = async (by: string, more: object) => {
      const answer = await desk.send('PUT', `/admin/events/${id}`, as(by, { body: { ...FORM, ...guests, ...more } }));
      return answer.statusCode === 200 ? answer.json<AdminEvent>().host : Object.keys(answer.json<{ fields?: object }>().fields ?? {});
    };
    const stored = async () => (await events())[0]?.host;

    // A typo can be corrected; another program can neither read nor change the value by guessing.
    expect(await change(token, { host: mended })).toEqual(mended);
    expect(await change(token, {})).toBeNull();
    for (const host of [mended, lena, null]) expect(await change(other, { host })).toEqual(['host']);
    expect(await change(other, { title: 'Feier' })).toBeNull();
    expect(await change(other, { user_upload_password: 'Anderes-9' })).toEqual(['user_upload_password']);
    expect(await change(token, { host: null })).toEqual(['host']);
    expect(await change(token, { host: lena, user_upload_password: 'Girlande-9' })).toEqual(lena);
    guests.user_upload_password = 'Girlande-9';
    expect(await change(token, { with_release: true })).toBeNull();
    expect(await change(token, {})).toEqual(['with_release']);
    Object.assign(guests, { with_release: true });

    const fixed = async () => {
      expect(await change(token, { host: mended })).toEqual(['host']);
      expect(await change(token, { user_upload_password: 'Lampion-9' })).toEqual(['user_upload_password']);
      expect(await change(token, { with_upload_password: false })).toEqual(['user_upload_password']);
      expect(await change(token, { with_fotobox: true, fotobox_upload_password: 'Kasten-99' })).toEqual(['fotobox_upload_password']);
      expect(await change(token, { host: lena, title: 'Feier' })).toEqual(lena);
      expect(await stored()).toEqual(lena);
    };
    const photos = (photo_count: number) => db.kysely.updateTable('events').set({ photo_count }).where('id', '=', id).execute();
    await photos(1);
    await fixed();
    await photos(0);
    expect((await desk.send('POST', `/admin/events/${id}/user`, { cookies: admin, body: { username: code } })).statusCode).toBe(201);
    await fixed();
    // Guessing passwords this way has the same limit as for guests.
    for (let n = 0; n < 30; n++) await change(token, { user_upload_password: `Lampion-${n}` });
    const limited = await desk.send(
      'PUT',
      `/admin/events/${id}`,
      as(token, { body: { ...FORM, ...guests, user_upload_password: 'Lampion-9' } }),
    );
    expect(limited.statusCode).toBe(429);
    // The administration may change it.
    const byAdmin = { cookies: admin, body: { ...FORM, ...guests, with_release: false, host: mended } };
    expect((await desk.send('PUT', `/admin/events/${id}`, byAdmin)).json()).toMatchObject({ host: mended, with_release: false });
  });

  it('add no address to an event that was made without one, or by an administrator, and learn nobody of it', async () => {
    const token = await tokenFor('events:write');
    const host = { email: 'boese@example.org', name: '' };
    const own = (await create(token)).json<{ id: string }>();
    const foreign = (await desk.send('POST', '/admin/create_event', { cookies: admin, body: FORM })).json<{ id: string }>();
    for (const { id } of [own, foreign]) {
      const answer = await desk.send('PUT', `/admin/events/${id}`, as(token, { body: { ...FORM, host } }));
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'token_change', fields: { host: expect.any(String) } }]);
    }
    await desk.send('PUT', `/admin/events/${foreign.id}`, { cookies: admin, body: { ...FORM, customer: 'Familie Öztürk', note: 'bar' } });
    const changed = await desk.send('PUT', `/admin/events/${foreign.id}`, as(token, { body: FORM }));
    expect([changed.statusCode, changed.json()]).toMatchObject([200, { host: null, customer: '', note: '' }]);
    expect(await db.kysely.selectFrom('host_contacts').selectAll().execute()).toEqual([]);
  });

  it('are shut out by their revocation at once, and show when they were used', async () => {
    const token = await tokenFor('events:read');
    const list = async () =>
      (await desk.send('GET', '/admin/tokens', { cookies: admin })).json<{ tokens: Record<string, string>[] }>().tokens;
    expect(await list()).toMatchObject([{ name: 'Buchung', created_by: ADMIN.username, last_used_at: null }]);
    await desk.send('GET', '/admin/events', as(token));
    const [{ id, last_used_at } = {}] = await list();
    expect(last_used_at).toBe(new Date(PARTY).toISOString());
    // A clock that was ahead for a moment is forgotten.
    for (const ahead of [365 * DAY, 0]) {
      clock.time = PARTY + ahead;
      await desk.send('GET', '/admin/events', as(token));
    }
    expect((await list())[0]?.last_used_at).toBe(last_used_at);
    expect((await desk.send('DELETE', `/admin/tokens/${id}`, { cookies: admin })).statusCode).toBe(204);
    expect((await desk.send('GET', '/admin/events', as(token))).json()).toMatchObject({ code: 'token_invalid' });
    expect((await desk.send('DELETE', `/admin/tokens/${id}`, { cookies: admin })).statusCode).toBe(404);
    expect(await audited()).toEqual(expect.arrayContaining([`admin:${ADMIN.username} token.revoked`]));
  });

  it('are limited like logins where the token is wrong, and never where it is right', async () => {
    const right = await tokenFor('events:read');
    const wrong = ['fbt_', right.slice(4), `${right}x`, right.toLowerCase(), `fbt_${'A'.repeat(43)}`, `%00${right}`];
    const ask = async (token: string, address = '192.0.2.9') =>
      (await desk.send('GET', '/admin/events', as(token, { address }))).statusCode;
    for (let n = 0; n < 10; n++) expect(await ask(wrong[n % wrong.length] as string)).toBe(401);
    expect(await ask(wrong[0] as string)).toBe(429);
    expect(await ask(right)).toBe(200);
    expect(await ask(wrong[0] as string, '198.51.100.1')).toBe(401);
    expect((await audited()).filter((line) => line === 'unknown login.limited')).toHaveLength(1);
    // A login from this address has its own limit.
    expect((await desk.send('POST', '/auth/admin/login', { body: ADMIN, address: '192.0.2.9' })).statusCode).toBe(200);
  });

  it('make thirty events with their hosts twice and get the same thirty, also where both runs are at the same time, on two nodes', async () => {
    const token = await tokenFor('events:read', 'events:write');
    const other = await openDesk({ db: await engine.again(db), clock });
    const password = { with_upload_password: true, user_upload_password: 'Lampion-9' };
    const run = async (at: Desk) => {
      const codes: string[] = [];
      for (let n = 1; n <= 30; n++) {
        const host = { email: `gastgeber-${n}@example.org`, name: `Lena ${n}` };
        const body = { ...FORM, ...password, title: `Buchung ${n}`, host };
        const made = await create(token, body, `buchung-${n}`, at);
        expect([made.statusCode, made.json()]).toMatchObject([201, { title: body.title, user_upload_password: 'Lampion-9', host }]);
        codes.push(made.json<{ code: string }>().code);
      }
      return codes;
    };
    const [first, beside] = await Promise.all([run(desk), run(other)]);
    expect(beside).toEqual(first);
    expect(await run(other)).toEqual(first);
    expect((await events()).map(({ code }) => code).toSorted()).toEqual(first.toSorted());
    const invited = (await audited()).filter((line) => line === 'token:Buchung host.invited');
    expect(invited).toHaveLength(30);
    expect(await dump(db)).not.toContain('Lampion-9');
    await other.close();
  }, 60_000);

  it('are refused where a key comes with another body, and may use it anew after a day or after a failure', async () => {
    const token = await tokenFor('events:write');
    const [first] = [(await create(token, FORM, 'k')).json<{ code: string }>()];
    const other = await create(token, { ...FORM, title: 'Anderes' }, 'k');
    expect([other.statusCode, other.json()]).toMatchObject([422, { code: 'idempotency_reused' }]);
    // Each program, and each administrator, has its own idempotency keys.
    expect((await create(await tokenFor('events:write'), { ...FORM, title: 'Anderes' }, 'k')).statusCode).toBe(201);
    const byAdmin = { cookies: admin, body: FORM, headers: { 'idempotency-key': 'k' } };
    const [own, again] = [await desk.send('POST', '/admin/create_event', byAdmin), await desk.send('POST', '/admin/create_event', byAdmin)];
    expect(again.json()).toEqual(own.json());
    expect(own.json<{ code: string }>().code).not.toBe(first.code);
    clock.time += DAY;
    admin = await desk.admin();
    expect((await create(token, { ...FORM, title: 'Anderes' }, 'k')).statusCode).toBe(201);
    expect((await create(token, { ...FORM, title: '' }, 'x')).statusCode).toBe(400);
    expect((await create(token, FORM, 'x')).statusCode).toBe(201);
    expect((await create(token, FORM, 'k'.repeat(256))).statusCode).toBe(400);
    expect(await events()).toHaveLength(5);
  });

  it('make one event of many calls at the same moment, whose answers differ in the invitation alone, and the first one says which body counts', async () => {
    const token = await tokenFor('events:write');
    const host = { email: 'lena@example.org', name: 'Lena' };
    const other = await openDesk({ db: await engine.again(db), clock });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => create(token, { ...FORM, host }, 'k', n % 2 ? other : desk)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    const made = answers.map((answer) => answer.json<Record<string, unknown>>());
    const invitations = made.flatMap(({ invitation }) => (invitation ? [invitation] : []));
    expect(invitations).toEqual([
      expect.objectContaining({ mailed: false, link: expect.stringMatching(/^http:\/\/.+\/einladung\/\w{8}#/) }),
    ]);
    expect(new Set(made.map((event) => JSON.stringify({ ...event, invitation: undefined }))).size).toBe(1);
    const bodies = [FORM, { ...FORM, title: 'Anderes' }];
    const both = await Promise.all(bodies.map((body, n) => create(token, body, 'other', n ? other : desk)));
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 422]);
    expect(await events()).toHaveLength(2);
    await other.close();
  });

  it('cannot be made to seal an event to a key that somebody put into the database: the next look of an administrator finds it', async () => {
    const token = await tokenFor('events:write');
    const { public_key } = await db.kysely.selectFrom('operator_keys').selectAll().executeTakeFirstOrThrow();
    await db.kysely
      .updateTable('operator_keys')
      .set({ public_key: Buffer.alloc(32, 9) })
      .execute();
    const { id } = (await create(token)).json<{ id: string }>();
    await db.kysely.updateTable('operator_keys').set({ public_key }).execute();
    expect(await events()).toMatchObject([{ id }]);
    const row = await db.kysely.selectFrom('events').select(['tampered_at', 'unproved']).where('id', '=', id).executeTakeFirst();
    expect(row).toEqual({ tampered_at: PARTY, unproved: 1 });
    const { id: good } = (await create(token)).json<{ id: string }>();
    await events();
    const proved = await db.kysely.selectFrom('events').select(['tampered_at', 'unproved']).where('id', '=', good).executeTakeFirst();
    expect(proved).toEqual({ tampered_at: null, unproved: 0 });
  });
});
