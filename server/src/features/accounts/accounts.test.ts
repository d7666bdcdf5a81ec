import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import type { Vault } from '../../vault/vault.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { wireHouse } from '../testing.ts';
import { ADMIN, dump, jarOf, openDesk, PARTY, type Desk, type Jar } from './testing.ts';

const MINUTE = 60_000;
const WRONG = 'AAAA-AAAA-AAAA-AAAA';

describe.each(engines())('accounts on $name', (engine) => {
  let db: Db;
  let now: number;
  const clock = { now: () => now };
  let desk: Desk;
  let admin: Jar;
  /** Set by tests: runs right after the vault has done this once. */
  let afterOpening: (() => Promise<unknown>) | null;
  let afterWrapping: (() => Promise<unknown>) | null;
  let opened: number;

  const wrapVault = (vault: Vault): Vault => ({
    ...vault,
    async openWithPassword(...args) {
      opened++;
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
    opened = 0;
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
    const node = (other: Db) => wireHouse({ db: other, clock, folder: desk.folder }).admins;

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
        expect(await each.login(login, { address: '192.0.2.7' })).toHaveProperty('token');
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

  it('show a new password to one of two who reset it at once, and it is the right one', async () => {
    const { id, code } = await desk.event(admin);
    const during: Awaited<ReturnType<typeof reset>>[] = [];
    afterWrapping = async () => during.push(await reset(id));
    const late = await reset(id);
    expect([late.statusCode, ...during.map(({ statusCode }) => statusCode)]).toEqual([409, 200]);
    const { new_password } = during[0]!.json<{ new_password: string }>();
    expect((await desk.loginHost(code, new_password)).statusCode).toBe(200);
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

  describe('under their limit', () => {
    const guess = (code: string, address: string, password = WRONG) => desk.loginHost(code, password, { address });

    it('refuse the eleventh guess of an address without any argon2, and nobody else', async () => {
      const { code, password } = await desk.event(admin);
      const other = await desk.event(admin);
      for (let n = 0; n < 10; n++) expect((await guess(code, '192.0.2.1')).statusCode).toBe(401);
      const before = opened;
      const refused = await guess(code, '192.0.2.1', password);
      expect(refused.statusCode).toBe(429);
      expect(refused.headers['retry-after']).toBe('600');
      expect(opened).toBe(before);

      expect((await guess(code, '192.0.2.2', password)).statusCode).toBe(200);
      expect((await guess(other.code, '192.0.2.1', other.password)).statusCode).toBe(200);
      now += 10 * MINUTE;
      expect((await guess(code, '192.0.2.1', password)).statusCode).toBe(200);
    });

    it('let no more than ten guesses through when a hundred come at once, and note it', async () => {
      const { code } = await desk.event(admin);
      const answers = await Promise.all(Array.from({ length: 100 }, () => guess(code, '192.0.2.66')));
      const count = (status: number): number => answers.filter(({ statusCode }) => statusCode === status).length;
      expect([count(401), count(429)]).toEqual([10, 90]);
      const trail = await db.kysely.selectFrom('audit').select('action').where('address', '=', '192.0.2.66').execute();
      expect(trail).toMatchObject([{ action: 'login.limited' }]);
    });

    it('let no more than ten guesses through on two nodes together, however they are spread, and say the same on both', async () => {
      const { code, password } = await desk.event(admin);
      const node = await openDesk({ db: await engine.again(db), clock });
      const nodes = [desk, node];
      const guessAt = async (n: number, right = WRONG) => nodes[n % 2]?.loginHost(code, right, { address: '192.0.2.67' });
      const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => guessAt(n)));
      const count = (status: number): number => answers.filter((answer) => answer?.statusCode === status).length;
      expect([count(401), count(429)]).toEqual([10, 50]);
      for (const n of [0, 1]) {
        const right = await guessAt(n, password);
        expect([right?.statusCode, right?.headers['retry-after']]).toEqual([429, '600']);
      }
      await node.close();
    });

    it('do not lock a browser out that was logged in before, whoever guesses at its address', async () => {
      const { code, password } = await desk.event(admin);
      const before = jarOf(await guess(code, '192.0.2.80', password));
      await desk.send('POST', '/auth/logout', { cookies: before });
      for (let n = 0; n < 10; n++) await guess(code, '192.0.2.80');
      const login = (known: string, right = password, name = code) =>
        desk.loginHost(name, right, { address: '192.0.2.80', cookies: { feierbild_known_host: known } });
      const known = before.feierbild_known_host as string;
      expect((await guess(code, '192.0.2.80', password)).statusCode).toBe(429);
      expect((await login(known)).statusCode).toBe(200);
      // The proof is of this name, and cannot be made up.
      const other = await desk.event(admin);
      for (let n = 0; n < 10; n++) await guess(other.code, '192.0.2.80');
      expect((await login(known, other.password, other.code)).statusCode).toBe(429);
      expect((await login(known.replace(/^../, 'xx'))).statusCode).toBe(429);
      // It is counted by itself.
      for (let n = 0; n < 10; n++) expect((await login(known, WRONG)).statusCode).toBe(401);
      const limited = await login(known);
      expect(limited.statusCode).toBe(429);
      expect(limited.json()).toMatchObject({ error: 'Zu viele Versuche. In 10 Minuten geht es weiter.' });
      expect(limited.headers['retry-after']).toBe('600');
    });

    it('never count what is right', async () => {
      const { code, password } = await desk.event(admin);
      const before = await failures();
      expect((await guess(code, '192.0.2.1', password)).statusCode).toBe(200);
      expect(await failures()).toEqual(before);
    });

    it('hold after a restart, for a whole IPv6 network, and count the name as it is cleaned', async () => {
      const { code, password } = await desk.event(admin);
      for (let n = 0; n < 10; n++) await guess(n % 2 ? code : code.toLowerCase(), `2001:db8::${n + 1}`);
      const restarted = await openDesk({ db: await engine.again(db), clock });
      const from = (address: string) => restarted.loginHost(code, password, { address });
      expect((await from('2001:db8::ffff')).statusCode).toBe(429);
      expect((await from('2001:db8:0:1::1')).statusCode).toBe(200);
      await restarted.close();
    });
  });

  describe('with keys that were changed in the database', () => {
    const alarms = () => db.kysely.selectFrom('audit').select(['event_code', 'actor']).where('action', '=', 'key.tampered').execute();
    const warned = async () =>
      (await desk.send('GET', '/admin/status', { cookies: admin })).json<{ tampered_events: string[] }>().tampered_events;
    beforeEach(async () => {
      await db.kysely.deleteFrom('audit').where('action', '=', 'key.tampered').execute();
      await db.kysely.updateTable('events').set({ tampered_at: null }).execute();
    });

    it("refuse a login whose wrapped key is another event's like a wrong password, and note it", async () => {
      const [event, other] = [await desk.event(admin), await desk.event(admin)];
      const wrapped = db.kysely.selectFrom('host_keys').select('wrapped').where('event_id', '=', other.id);
      await db.kysely.updateTable('host_keys').set({ wrapped }).where('event_id', '=', event.id).execute();
      const answer = await desk.loginHost(event.code, other.password);
      expect([answer.statusCode, answer.json()]).toEqual([401, { error: 'Invalid credentials', code: 'invalid_credentials' }]);
      expect(await alarms()).toEqual([{ event_code: event.code, actor: 'system' }]);
    });

    it("notice a foreign public key at the dashboard, the login, a reset and the administrators' list, until it is right again", async () => {
      const { id, code, password } = await desk.event(admin);
      const host = jarOf(await desk.loginHost(code, password));
      const { public_key } = await db.kysely
        .selectFrom('event_keys')
        .select('public_key')
        .where('event_id', '=', id)
        .executeTakeFirstOrThrow();
      const setKey = (key: Uint8Array) => db.kysely.updateTable('event_keys').set({ public_key: key }).where('event_id', '=', id).execute();
      const dashboard = () => desk.send('GET', `/api/events/${code}`, { cookies: host });
      await setKey(createQuickVault().createKeyPair().publicKey);

      expect((await dashboard()).json()).toMatchObject({ code: 'key_tampered' });
      await expect.poll(warned).toEqual([code]);
      expect((await desk.loginHost(code, password)).statusCode).toBe(401);
      const wrapped = db.kysely.selectFrom('host_keys').select('wrapped').where('event_id', '=', id);
      const before = await wrapped.executeTakeFirst();
      expect((await reset(id)).json()).toMatchObject({ code: 'key_tampered' });
      expect(await wrapped.executeTakeFirst()).toEqual(before);
      expect((await desk.send('GET', '/admin/events', { cookies: admin })).statusCode).toBe(200);
      expect(await alarms()).toEqual([{ event_code: code, actor: 'system' }]);

      await setKey(public_key);
      expect((await dashboard()).statusCode).toBe(200);
      expect(await warned()).toEqual([]);
    });

    it("seal no new event to a foreign operator's key, and let one changed event stop no change of password", async () => {
      const { id, code } = await desk.event(admin);
      await db.kysely
        .updateTable('event_keys')
        .set({ sealed_for_operator: Buffer.alloc(81, 1) })
        .where('event_id', '=', id)
        .execute();
      const passwords = { current_password: ADMIN.password, new_password: ADMIN.password.toUpperCase() };
      const changed = await desk.send('PUT', '/admin/password', { cookies: admin, body: passwords });
      expect(changed.statusCode).toBe(204);
      admin = { ...admin, ...jarOf(changed) };
      await expect.poll(warned).toEqual([code]);
      const back = { current_password: passwords.new_password, new_password: ADMIN.password };
      admin = { ...admin, ...jarOf(await desk.send('PUT', '/admin/password', { cookies: admin, body: back })) };

      const { public_key } = await db.kysely.selectFrom('operator_keys').select('public_key').executeTakeFirstOrThrow();
      await db.kysely.updateTable('operator_keys').set({ public_key: createQuickVault().createKeyPair().publicKey }).execute();
      const days = { start_date: '2026-05-17', end_date: '2026-05-17' };
      const refused = await desk.send('POST', '/admin/create_event', { cookies: admin, body: { title: 'Fest', ...days } });
      expect(refused.json()).toMatchObject({ code: 'key_tampered' });
      await expect.poll(alarms).toContainEqual({ event_code: null, actor: `admin:${ADMIN.username}` });
      await db.kysely.updateTable('operator_keys').set({ public_key }).execute();
    });
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
