import { DAY } from '@feierbild/contract/constants.ts';
import { AdminEvent, HostEvent } from '@feierbild/contract/entities.ts';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { ADMIN, beforeEachDesk, PARTY, type Desk, type Jar } from '../accounts/testing.ts';

const FORM = { title: 'Hochzeit', start_date: '2026-05-17', end_date: '2026-05-17' };

describe.each(enginesForRules())('events on $name', (engine) => {
  const clock = { time: PARTY, now: () => clock.time };
  let db: Db;
  let desk: Desk;
  let admin: Jar;

  beforeEachDesk(engine, clock, (opened) => ({ db, desk, admin } = opened));

  const create = async (form: object = {}) => {
    const answer = await desk.send('POST', '/admin/create_event', { cookies: admin, body: { ...FORM, ...form } });
    expect(answer.statusCode).toBe(201);
    return AdminEvent.parse(answer.json());
  };
  const update = (id: string, form: object) => desk.send('PUT', `/admin/events/${id}`, { cookies: admin, body: { ...FORM, ...form } });
  const guest = (code: string, headers: Record<string, string> = {}, address = '192.0.2.1') =>
    desk.send('GET', `/event/${code}`, { headers, address });

  it('are created whole, with a code of eight letters of the alphabet', async () => {
    const event = await create({ subtitle: 'Im Garten', storage_limit: 2.5 });
    expect(event.code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
    expect(event).toMatchObject({ subtitle: 'Im Garten', storage_limit: 2.5, user: null, version: 1, zip_status: 'idle', device_count: 0 });
    const list = await desk.send('GET', '/admin/events', { cookies: admin });
    expect(list.json()).toEqual({ events: [event] });
  });

  it('are found by words, status and order on the server, a page at a time', async () => {
    const named = async (title: string, form: object = {}) => (await create({ title, ...form })).title;
    const [later, first] = [
      { start_date: '2026-06-01', end_date: '2026-06-02' },
      { start_date: '2026-05-01', end_date: '2026-05-01' },
    ];
    await named('Ärzteball 10', later);
    await named('ärzteball 9', { subtitle: 'im Schloß' });
    await named('Zeltfest', first);
    const list = async (query: string) => {
      const answer = await desk.send('GET', `/admin/events?${query}`, { cookies: admin });
      const { events, all_photos: _, ...counts } = answer.json() as { events: { title: string }[]; all_photos?: number };
      return [events.map(({ title }) => title), counts];
    };
    const newest = ['Zeltfest', 'ärzteball 9', 'Ärzteball 10'];
    expect(await list('')).toEqual([newest, {}]);
    expect(await list('per_page=2')).toEqual([newest.slice(0, 2), { found: 3, all: 3 }]);
    expect(await list('per_page=2&page=2')).toEqual([newest.slice(2), { found: 3, all: 3 }]);
    expect(await list('per_page=2&page=3')).toEqual([[], { found: 3, all: 3 }]);
    expect(await list('per_page=9&search=ÄRZTE&order=title')).toEqual([['ärzteball 9', 'Ärzteball 10'], { found: 2, all: 3 }]);
    expect(await list('per_page=9&search=schloß%20ball')).toEqual([['ärzteball 9'], { found: 1, all: 3 }]);
    // A search in decomposed letters, as the Mac's Finder gives them.
    expect(await list(`per_page=9&search=${encodeURIComponent('Ärzte'.normalize('NFD'))}&order=title`)).toEqual([
      ['ärzteball 9', 'Ärzteball 10'],
      { found: 2, all: 3 },
    ]);
    expect(await list('per_page=1&order=start&direction=descending')).toEqual([['Ärzteball 10'], { found: 3, all: 3 }]);
    expect(await list('order=deletion')).toEqual([['Zeltfest', 'ärzteball 9', 'Ärzteball 10'], {}]);
    expect(await list('per_page=9&status=deleted')).toEqual([[], { found: 0, all: 3 }]);
    await db.kysely.updateTable('events').set({ purging_at: clock.time, used_bytes: 7 }).where('title', '=', 'Zeltfest').execute();
    expect(await list('per_page=9&status=deleted')).toEqual([['Zeltfest'], { found: 1, all: 3 }]);
    expect(await list('per_page=9&status=inactive')).toEqual([['Ärzteball 10'], { found: 1, all: 3 }]);
    expect(await list('per_page=1&order=storage&direction=descending')).toEqual([['Zeltfest'], { found: 3, all: 3 }]);
    expect((await desk.send('GET', '/admin/events?per_page=201', { cookies: admin })).statusCode).toBe(400);
    for (const day of [
      '1.6.',
      '01.06.2026',
      '1.',
      'Juni',
      'juni 2026',
      '06.2026',
      '2026-06',
      '2026-06-01',
      '2.6.2026 ball',
      '1.6.26',
      '01.06.26',
      '06.26',
    ])
      expect([day, await list(`status=inactive&search=${day}`)]).toEqual([day, [['Ärzteball 10'], {}]]);
    for (const none of ['3.6.', '11.6.', '06.1', 'jun. x', '2025', '1.6.25'])
      expect([none, (await list(`search=${none}`))[0]]).toEqual([none, []]);
    await db.kysely.updateTable('events').set({ photo_count: 3 }).where('title', '=', 'Zeltfest').execute();
    const counted = await desk.send('GET', '/admin/events?per_page=1&status=inactive', { cookies: admin });
    expect(counted.json()).toMatchObject({ all_photos: 3 });
    const set = (title: string, columns: object) => db.kysely.updateTable('events').set(columns).where('title', '=', title).execute();
    await set('Zeltfest', { zip_downloaded_at: clock.time });
    await set('ärzteball 9', { photo_count: 3, start_date: '2026-04-24', end_date: '2026-04-24' });
    expect((await list('zip=downloaded'))[0]).toEqual(['Zeltfest']);
    expect((await list('zip=missing'))[0]).toEqual(['ärzteball 9']);
    expect((await list('deletion=near'))[0]).toEqual(['ärzteball 9']);
    await set('ärzteball 9', { end_date: '2026-04-25' });
    expect((await list('deletion=near'))[0]).toEqual([]);
  });

  it('have what the operator notes, which is found, is left by whom does not send it, and is told to nobody else', async () => {
    const notes = { customer: 'Familie Öztürk', order_number: 'R-2026/117', note: 'Aufbau ab 14 Uhr\nSchlüssel beim Hausmeister' };
    const event = await create(notes);
    await create({ title: 'Ohne' });
    expect(event).toMatchObject(notes);
    const found = async (search: string, headers: object = { cookies: admin }) => {
      const answer = await desk.send('GET', `/admin/events?search=${encodeURIComponent(search)}`, headers);
      return (answer.json() as { events: AdminEvent[] }).events;
    };
    for (const search of ['öztürk', 'r-2026/117', 'hausmeister 17.5.']) expect(await found(search)).toMatchObject([notes]);
    expect((await update(event.id, {})).json()).toMatchObject(notes);
    expect((await update(event.id, { note: '' })).json()).toMatchObject({ ...notes, note: '' });
    expect((await update(event.id, { customer: 'x'.repeat(201) })).json()).toMatchObject({
      fields: { customer: 'Bitte höchstens 200 Zeichen.' },
    });
    expect((await guest(event.code)).body).not.toContain('R-2026');
    const made = await desk.send('POST', '/admin/tokens', { cookies: admin, body: { name: 'Buchung', scopes: ['events:read'] } });
    const program = { headers: { authorization: `Bearer ${(made.json() as { token: string }).token}` } };
    expect(await found('r-2026', program)).toMatchObject([{ order_number: 'R-2026/117', customer: '', note: '' }]);
    expect(await found('öztürk', program)).toEqual([]);
    await desk.send('DELETE', `/admin/events/${event.id}`, { cookies: admin });
    expect(await db.kysely.selectFrom('event_notes').selectAll().execute()).toEqual([]);
  });

  it('show a ZIP whose process died as failed, not as being made for ever', async () => {
    const { id } = await create();
    const row = { status: 'processing', progress: 40, started_at: clock.time, finished_at: null, etag: 'run', size: null, photo_count: 0 };
    await db.kysely
      .insertInto('archives')
      .values({ event_id: id, ...row, manifest: null })
      .execute();
    const shown = async () => (await desk.send('GET', '/admin/events', { cookies: admin })).json().events[0];
    expect(await shown()).toMatchObject({ zip_status: 'processing', zip_progress: 40 });
    clock.time += 60_001;
    expect(await shown()).toMatchObject({ zip_status: 'failed', zip_progress: 0 });
  });

  it('answer bad input field by field and store nothing', async () => {
    const answer = await desk.send('POST', '/admin/create_event', { cookies: admin, body: { ...FORM, title: '', end_date: '2026-05-16' } });
    expect([answer.statusCode, answer.json().fields.end_date ?? answer.json().fields.title]).toEqual([400, expect.any(String)]);
    expect((await desk.send('GET', '/admin/events', { cookies: admin })).json()).toEqual({ events: [] });
  });

  it('show their passwords to the admin and the host, while the database holds neither', async () => {
    const form = { with_upload_password: true, user_upload_password: 'Größe 42', with_fotobox: true, fotobox_upload_password: 'Kasten 7' };
    const event = await create(form);
    expect(event).toMatchObject({ user_upload_password: 'Größe 42', fotobox_upload_password: 'Kasten 7' });
    const rows = await db.kysely.selectFrom('event_passwords').selectAll().execute();
    expect(rows).toHaveLength(2);
    const held = rows.map(({ verifier, sealed }) => verifier + Buffer.from(sealed).toString('latin1')).join();
    expect(held.includes('42') && held.includes('Größe')).toBe(false);
    const without = AdminEvent.parse((await update(event.id, { with_upload_password: false })).json());
    expect(without).toMatchObject({ user_upload_password: null, fotobox_upload_password: null });
    expect(await db.kysely.selectFrom('event_passwords').selectAll().execute()).toEqual([]);
  });

  it('let the faster of two admins win and refuse the other', async () => {
    const event = await create();
    expect((await update(event.id, { title: 'Erste', version: event.version })).statusCode).toBe(200);
    const late = await update(event.id, { title: 'Zweite', version: event.version });
    expect([late.statusCode, late.json().code]).toEqual([409, 'event_changed']);
  });

  it('ask before a changed end date lets the photos go at once', async () => {
    const event = await create();
    clock.time = PARTY + 100 * DAY;
    admin = await desk.admin();
    const old = { start_date: '2026-05-01', end_date: '2026-05-02' };
    expect((await update(event.id, old)).json().code).toBe('purge_unconfirmed');
    expect((await update(event.id, { title: 'Nur ein neuer Titel' })).statusCode).toBe(200);
    expect((await update(event.id, { ...old, confirm_purge: true })).statusCode).toBe(200);
  });

  it('ask before a page sets a new limit below what is used, and show when the host had the ZIP', async () => {
    const event = await create({ storage_limit: 5 });
    await db.kysely.updateTable('events').set({ used_bytes: 3_200_000_000, zip_downloaded_at: PARTY }).where('id', '=', event.id).execute();
    const { version } = event;
    const refused = await update(event.id, { storage_limit: 0.5, version });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'limit_unconfirmed']);
    const confirmed = await update(event.id, { storage_limit: 0.5, version, confirm_limit: true });
    expect(confirmed.json()).toMatchObject({ storage_limit: 0.5, zip_downloaded_at: new Date(PARTY).toISOString() });
    // Other changes need no confirmation again, and a change without a version needs none.
    expect((await update(event.id, { storage_limit: 0.5, title: 'Neu', version: version + 1 })).statusCode).toBe(200);
    expect((await update(event.id, { storage_limit: 0.4 })).statusCode).toBe(200);
  });

  it('distinguish codes that are unknown, inactive, joinable, however the code is typed', async () => {
    const event = await create();
    expect((await guest('AAAAAAAA')).json()).toMatchObject({ error: 'Event nicht gefunden' });
    expect((await guest(event.code.toLowerCase())).json()).toEqual({
      title: 'Hochzeit',
      subtitle: '',
      with_user_upload: true,
      with_upload_password: false,
      with_videos: false,
      wall: 'now',
    });
    clock.time = PARTY + 40 * DAY;
    const over = await guest(event.code);
    expect([over.statusCode, over.json().error]).toEqual([403, 'Event ist nicht aktiv']);
  });

  it('say that their photos are deleted once they are, and not by the clock alone', async () => {
    const event = await create();
    clock.time = PARTY + 40 * DAY;
    expect((await guest(event.code)).json().fields).toEqual({ ended_on: '2026-05-17' });
    await db.kysely.updateTable('events').set({ purging_at: clock.time }).where('id', '=', event.id).execute();
    expect((await guest(event.code)).json().fields).toEqual({ ended_on: '2026-05-17', purged_on: '2026-06-26' });
  });

  it('take no NUL characters in, and know nothing by what is no id', async () => {
    expect(await create({ title: 'Fe\0st', subtitle: '\0' })).toMatchObject({ title: 'Fest', subtitle: '' });
    const missing = '/admin/events/%00';
    const statuses = [
      await desk.send('DELETE', missing, { cookies: admin }),
      await update('%00', {}),
      await desk.send('POST', `${missing}/user`, { cookies: admin, body: { username: 'x' } }),
      await desk.send('PUT', `${missing}/user/password`, { cookies: admin, body: {} }),
      await guest('%00'),
      await desk.send('DELETE', '/admin/admins/%00', { cookies: admin }),
      await desk.send('POST', '/auth/admin/login', { body: { username: 'nie\0mand', password: 'x' } }),
      await desk.send('POST', '/admin/admins', { cookies: admin, body: { username: 'gu\0drun' } }),
    ].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404, 401, 201]);
  });

  it('limit wrong codes by address; right ones always pass', async () => {
    const event = await create();
    const wrong = await Promise.all(Array.from({ length: 70 }, () => guest('AAAAAAAA')));
    const last = await guest('BBBBBBBB');
    expect(wrong.filter(({ statusCode }) => statusCode === 404)).toHaveLength(60);
    expect([last.statusCode, Number(last.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await guest(event.code)).statusCode).toBe(200);
    expect((await guest('BBBBBBBB', {}, '198.51.100.7')).statusCode).toBe(404);
  });

  it('check the event password percent-encoded and raw; a wrong one is 403, then 429', async () => {
    const event = await create({ with_upload_password: true, user_upload_password: 'Größe 42' });
    const header = (password: string) => ({ 'event-password': password });
    expect((await guest(event.code, header(encodeURIComponent('Größe 42')))).statusCode).toBe(200);
    expect((await guest(event.code, header(encodeURIComponent('Gro\u0308ße 42')))).statusCode).toBe(200);
    const wrong = await guest(event.code, header('falsch'));
    expect([wrong.statusCode, wrong.json().error]).toEqual([403, 'Falsches Event-Passwort']);
    for (let n = 0; n < 29; n++) await guest(event.code, header(`falsch ${n}`));
    expect((await guest(event.code, header('noch einmal'))).statusCode).toBe(429);
    expect((await guest(event.code, header('woanders'), '198.51.100.7')).statusCode).toBe(403);
  });

  it('let no more wrong passwords through when they come at once, and then refuse the right one as well', async () => {
    const event = await create({ with_upload_password: true, user_upload_password: 'Größe 42' });
    const header = (password: string) => ({ 'event-password': password });
    expect((await guest(event.code, header(encodeURIComponent('Größe 42')))).statusCode).toBe(200);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => guest(event.code, header(`falsch ${n}`))));
    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(30);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(10);
    expect((await guest(event.code, header(encodeURIComponent('Größe 42')))).statusCode).toBe(429);
  });

  it('show a host the own event and nothing of others', async () => {
    const [own, other] = [await desk.event(admin), await create()];
    const login = await desk.loginHost(own.code, own.password);
    const cookies = Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]));
    const seen = await desk.send('GET', `/api/events/${own.code}`, { cookies });
    expect(HostEvent.parse(seen.json())).toMatchObject({ code: own.code, password_reset_at: null, storage_limit: 'unlimited' });
    expect((await desk.send('GET', `/api/events/${own.id}/settings`, { cookies })).json().settings.with_slideshow).toBe(true);
    for (const ref of [other.code, other.id, 'AAAAAAAA']) {
      const answer = await desk.send('GET', `/api/events/${ref}`, { cookies });
      expect([answer.statusCode, answer.json().code]).toEqual([401, 'login_required']);
    }
    const set = await desk.send('PUT', `/api/events/${own.code}/random_slideshow`, { cookies, body: { value: true } });
    expect(set.json()).toEqual({ value: true });
    expect((await desk.send('PUT', `/api/events/${own.code}/nsfw_check`, { cookies, body: { value: 'ja' } })).statusCode).toBe(400);
  });

  it('show the host once that the password was reset', async () => {
    const event = await desk.event(admin);
    const reset = await desk.send('PUT', `/admin/events/${event.id}/user/password`, { cookies: admin });
    const login = await desk.loginHost(event.code, reset.json().new_password);
    const cookies = Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]));
    const view = async () => (await desk.send('GET', `/api/events/${event.code}`, { cookies })).json().password_reset_at;
    expect(await view()).toBe(new Date(PARTY).toISOString());
    expect((await desk.send('POST', `/api/events/${event.code}/reset-notice`, { cookies })).statusCode).toBe(204);
    expect(await view()).toBeNull();
  });

  it('vanish with keys, passwords, hosts and sessions', async () => {
    const event = await desk.event(admin, { with_upload_password: true, user_upload_password: 'Größe' });
    await desk.loginHost(event.code, event.password);
    expect((await desk.send('DELETE', `/admin/events/${event.id}`, { cookies: admin })).json()).toMatchObject({ code: event.code });
    for (const table of ['events', 'event_keys', 'event_passwords', 'hosts', 'host_keys'] as const) {
      expect([table, await db.kysely.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    }
    expect(await db.kysely.selectFrom('sessions').selectAll().where('role', '=', 'user').execute()).toEqual([]);
    expect((await desk.send('DELETE', `/admin/events/${event.id}`, { cookies: admin })).statusCode).toBe(404);
    expect((await desk.loginHost(event.code, event.password)).statusCode).toBe(401);
    const trail = await db.kysely.selectFrom('audit').selectAll().where('action', '=', 'event.deleted').execute();
    expect(trail).toMatchObject([{ actor: `admin:${ADMIN.username}`, event_id: event.id, event_code: event.code, address: '192.0.2.7' }]);
  });
});
