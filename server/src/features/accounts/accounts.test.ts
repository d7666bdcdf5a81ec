import { randomBytes, randomUUID } from 'node:crypto';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import type { Vault } from '../../vault/vault.ts';
import { wireApp } from '../testing.ts';
import { ADMIN, dump, jarOf, openDesk, PARTY, type Desk, type Jar } from './testing.ts';

const WRONG = 'AAAA-AAAA-AAAA-AAAA';

describe.each(enginesForRules())('accounts on $name', (engine) => {
  let db: Db;
  let now: number;
  const clock = { now: () => now };
  let desk: Desk;
  let admin: Jar;
  /** A hook that tests set: it runs once, right after the vault has opened or wrapped a key. */
  let afterOpening: (() => Promise<unknown>) | null;
  let afterWrapping: (() => Promise<unknown>) | null;
  const wrapVault = (vault: Vault): Vault => ({
    ...vault,
    async openWithPassword(...args) {
      const key = await vault.openWithPassword(...args);
      const then = afterOpening;
      afterOpening = null;
      await then?.();
      return key;
    },
    async wrapWithPassword(...args) {
      const wrapped = await vault.wrapWithPassword(...args);
      const then = afterWrapping;
      afterWrapping = null;
      await then?.();
      return wrapped;
    },
  });

  beforeAll(async () => {
    now = PARTY;
    db = await engine.open();
    desk = await openDesk({ db, clock, wrapVault });
    admin = await desk.admin();
  });
  beforeEach(() => {
    now = PARTY;
    afterOpening = null;
    afterWrapping = null;
  });
  afterAll(async () => {
    await desk.close();
    await engine.dispose();
  });

  const reset = (id: string) => desk.send('PUT', `/admin/events/${id}/user/password`, { cookies: admin, body: {} });
  const sessionsOf = (id: string) => db.kysely.selectFrom('sessions').select('id').where('event_id', '=', id).execute();
  const failures = () => db.kysely.selectFrom('failures').selectAll().orderBy('bucket').execute();
  const hostless = async () => {
    const body = { title: 'Fest', start_date: '2026-05-17', end_date: '2026-05-17' };
    return (await desk.send('POST', '/admin/create_event', { cookies: admin, body })).json<{ id: string; code: string }>();
  };

  describe('the first administrator', () => {
    const node = (other: Db) => wireApp({ db: other, clock, folder: desk.folder }).admins;

    it('gets a generated password where none is configured, once even when nodes start together', async () => {
      const empty = await engine.open();
      const nodes = [node(empty), node(await engine.again(empty))];
      const generated = await Promise.all(nodes.map((each) => each.ensureFirst('admin', null)));
      const [password] = generated.filter((each) => each !== null);
      expect(generated.filter((each) => each === null)).toHaveLength(1);
      expect(password).toMatch(/^[A-Z2-9]{5}(-[A-Z2-9]{5}){3}$/);
      for (const each of nodes) {
        expect(await each.ensureFirst('admin', null)).toBeNull();
        expect(await each.initialPasswordInUse()).toBe(true);
        const login = { username: 'admin', password: password as string };
        expect(await each.login(login, { address: '192.0.2.7', origin: 'http://localhost' })).toHaveProperty('token');
      }
    });

    it('keeps the password of the first start when another is configured later', async () => {
      expect(await desk.admins.ensureFirst('other', 'another long password')).toBeNull();
      expect((await desk.send('POST', '/auth/admin/login', { body: ADMIN })).statusCode).toBe(200);
      const late = { username: 'other', password: 'another long password' };
      expect((await desk.send('POST', '/auth/admin/login', { body: late })).statusCode).toBe(401);
    });
  });

  it('answer wrong passwords and unknown names alike', async () => {
    const { code } = await desk.event(admin);
    const answers = [
      await desk.loginHost(code, WRONG),
      await desk.loginHost('ZZZZ9999', WRONG),
      await desk.loginHost((await hostless()).code, WRONG),
      await desk.send('POST', '/auth/admin/login', { body: { username: ADMIN.username, password: 'wrong' } }),
      await desk.send('POST', '/auth/admin/login', { body: { username: 'nobody', password: 'wrong' } }),
    ];
    for (const { statusCode, body, cookies } of answers) {
      expect({ statusCode, body: JSON.parse(body) as unknown, cookies }).toEqual({
        statusCode: 401,
        body: { error: 'Invalid credentials', code: 'invalid_credentials' },
        cookies: [],
      });
    }
  });

  it('let a host in with the code as the field cleans it and the password however it is typed', async () => {
    const { code, password } = await desk.event(admin);
    expect(password).toMatch(/^[A-HJKMNP-Z2-9]{4}(-[A-HJKMNP-Z2-9]{4}){3}$/);
    const typed = [password, password.toLowerCase(), password.replaceAll('-', ''), password.replaceAll('-', ' – '), ` ${password} `];
    for (const each of typed) {
      const { statusCode, body } = await desk.loginHost(` ${code.slice(0, 4)}-${code.slice(4).toLowerCase()}`, each);
      expect({ statusCode, body: JSON.parse(body) as unknown }).toEqual({ statusCode: 200, body: { role: 'user', userCode: code } });
    }
  });

  it('take an admin password to the letter', async () => {
    for (const password of [ADMIN.password.toUpperCase(), ADMIN.password.replaceAll(' ', ''), `${ADMIN.password} `]) {
      expect((await desk.send('POST', '/auth/admin/login', { body: { ...ADMIN, password } })).statusCode).toBe(401);
    }
  });

  it('say in German which field is blank, and count nothing', async () => {
    const before = await failures();
    const answer = await desk.send('POST', '/auth/user/login', { body: { username: ' ', password: '' } });
    expect(answer.statusCode).toBe(400);
    const text = 'Bitte füllen Sie alle Felder aus';
    expect(answer.json()).toMatchObject({ fields: { username: text, password: text } });
    expect(await failures()).toEqual(before);
  });

  it('give an event one host, also when two are asked for at once', async () => {
    const { id, code } = await hostless();
    const ask = () => desk.send('POST', `/admin/events/${id}/user`, { cookies: admin, body: { username: code } });
    const answers = await Promise.all([ask(), ask()]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
    const { password } = answers.find(({ statusCode }) => statusCode === 201)!.json<{ password: string }>();
    expect((await ask()).json()).toMatchObject({ code: 'host_exists' });
    expect((await desk.loginHost(code, password)).statusCode).toBe(200);
  });

  it('end the sessions of an event at once when its password is reset, and no others', async () => {
    const event = await desk.event(admin, { with_upload_password: true, user_upload_password: 'Blütenfest' });
    const other = await desk.event(admin);
    const host = jarOf(await desk.loginHost(event.code, event.password));
    const otherHost = jarOf(await desk.loginHost(other.code, other.password));
    const { new_password } = (await reset(event.id)).json<{ new_password: string }>();

    expect((await desk.send('GET', `/api/events/${event.code}`, { cookies: host })).statusCode).toBe(401);
    expect((await desk.send('GET', `/api/events/${other.code}`, { cookies: otherHost })).statusCode).toBe(200);
    expect((await desk.send('GET', '/admin/events', { cookies: admin })).statusCode).toBe(200);
    expect((await desk.loginHost(event.code, event.password)).statusCode).toBe(401);
    const again = jarOf(await desk.loginHost(event.code, new_password));
    const seen = await desk.send('GET', `/api/events/${event.code}`, { cookies: again });
    expect(seen.json()).toMatchObject({ user_upload_password: 'Blütenfest', password_reset_at: '2026-05-17T12:00:00.000Z' });
  });

  it('end by a reset what the former password could see, and leave guests their gallery', async () => {
    const { id } = await desk.event(admin);
    for (const role of ['user', 'projector', 'program', 'helper', 'gallery']) {
      const times = { created_at: 0, last_used_at: 0, expires_at: Number.MAX_SAFE_INTEGER, expires_at_latest: Number.MAX_SAFE_INTEGER };
      const row = { id: randomUUID(), token_hash: randomBytes(32), role, event_id: id, admin_id: null, ...times };
      await db.kysely.insertInto('sessions').values(row).execute();
    }
    await reset(id);
    const left = await db.kysely.selectFrom('sessions').select('role').where('event_id', '=', id).execute();
    expect(left).toEqual([{ role: 'gallery' }]);
  });

  it('show a new password to one of two who reset it at once, and it is the right one', async () => {
    const { id, code } = await desk.event(admin);
    const during: Awaited<ReturnType<typeof reset>>[] = [];
    afterWrapping = async () => during.push(await reset(id));
    const late = await reset(id);
    expect([late.statusCode, ...during.map(({ statusCode }) => statusCode)]).toEqual([409, 200]);
    const { new_password } = during[0]!.json<{ new_password: string }>();
    expect((await desk.loginHost(code, new_password)).statusCode).toBe(200);
  });

  it('reset no password that was set after the form was opened, without saying so', async () => {
    const { id, code } = await desk.event(admin);
    const shown = async (): Promise<string> => {
      const { events } = (await desk.send('GET', '/admin/events', { cookies: admin })).json<{ events: AdminEvent[] }>();
      return events.find((event) => event.id === id)?.user?.password_set_at as string;
    };
    const resetFrom = (was: string) => desk.send('PUT', `/admin/events/${id}/user/password`, { cookies: admin, body: { was } });
    const was = await shown();
    expect(was).toBe(new Date(now).toISOString());
    now += 1000;
    const first = await resetFrom(was);
    expect(first.statusCode).toBe(200);
    now += 1000;
    const late = await resetFrom(was);
    expect([late.statusCode, late.json().code]).toEqual([409, 'event_changed']);
    expect((await desk.loginHost(code, first.json<{ new_password: string }>().new_password)).statusCode).toBe(200);
    // A call from a page that shows the current password may reset it, and so may a call without `was`.
    expect((await resetFrom(await shown())).statusCode).toBe(200);
    expect((await reset(id)).statusCode).toBe(200);
  });

  it('start no session with a password that is reset while it is being checked', async () => {
    const { id, code, password } = await desk.event(admin);
    afterOpening = () => reset(id);
    expect((await desk.loginHost(code, password)).statusCode).toBe(401);
    expect(await sessionsOf(id)).toEqual([]);
  });

  it('start no session with an admin password that is changed while it is being checked', async () => {
    const { wrapped } = await db.kysely.selectFrom('admin_keys').select('wrapped').executeTakeFirstOrThrow();
    afterOpening = () =>
      db.kysely
        .updateTable('admin_keys')
        .set({ wrapped: Buffer.from('another') })
        .execute();
    expect((await desk.send('POST', '/auth/admin/login', { body: ADMIN })).statusCode).toBe(401);
    await db.kysely.updateTable('admin_keys').set({ wrapped }).execute();
    expect((await desk.send('POST', '/auth/admin/login', { body: ADMIN })).statusCode).toBe(200);
  });

  it('start no session for an event that is deleted while its password is being checked', async () => {
    const { id, code, password } = await desk.event(admin);
    afterOpening = () => desk.send('DELETE', `/admin/events/${id}`, { cookies: admin });
    expect((await desk.loginHost(code, password)).statusCode).toBe(401);
    expect(await sessionsOf(id)).toEqual([]);
    expect(await db.kysely.selectFrom('events').select('id').where('id', '=', id).execute()).toEqual([]);
  });

  it('make no host for an event that is purged meanwhile', async () => {
    const { id, code } = await hostless();
    afterWrapping = () => db.kysely.updateTable('events').set({ purging_at: now }).where('id', '=', id).execute();
    const answer = await desk.send('POST', `/admin/events/${id}/user`, { cookies: admin, body: { username: code } });
    expect(answer.json()).toMatchObject({ code: 'event_purged' });
    expect(await db.kysely.selectFrom('host_keys').selectAll().where('event_id', '=', id).execute()).toEqual([]);
  });

  it('leave a trail of logins, creations and resets, without passwords or tokens', async () => {
    const { id, code, password } = await desk.event(admin);
    const host = jarOf(await desk.loginHost(code, password));
    await desk.send('POST', '/auth/logout', { cookies: host });
    await reset(id);
    const rows = await db.kysely.selectFrom('audit').selectAll().orderBy('id').execute();
    expect(rows.filter((row) => row.event_id === id).map(({ action }) => action)).toEqual([
      'event.created',
      'host.created',
      'host.login',
      'host.logout',
      'host.reset',
    ]);
    expect(rows.some(({ action, actor }) => action === 'admin.login' && actor === 'admin:frieda')).toBe(true);
    const trail = JSON.stringify(rows);
    for (const secret of [password, WRONG, ...Object.values(host)]) expect(trail).not.toContain(secret);
  });

  it('keep no password, token or key in the database', async () => {
    const { code, password } = await desk.event(admin, { with_upload_password: true, user_upload_password: 'Blütenfest' });
    const host = jarOf(await desk.loginHost(code, password));
    const keys = [(await desk.visitor({ cookies: host })).host, (await desk.visitor({ cookies: admin })).admin];
    const stolen = await dump(db);
    expect(stolen).toContain(code);
    for (const secret of [
      password,
      password.replaceAll('-', ''),
      ADMIN.password,
      'Blütenfest',
      ...Object.values(host),
      ...Object.values(admin),
    ]) {
      expect(stolen).not.toContain(secret);
      expect(stolen).not.toContain(Buffer.from(secret).toString('hex'));
    }
    for (const key of keys) {
      expect(key).toMatch(/^[0-9a-f]{64}$/);
      expect(stolen).not.toContain(key);
    }
  });
});
