import { contract, type CallName } from '@feierbild/contract/contract.ts';
import { errors } from '@feierbild/contract/errors.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { ADMIN, dump, jarOf, openDesk, PARTY, type Desk, type Jar } from '../accounts/testing.ts';

const NEXT = 'ein neues langes Passwort';
const FORM = { title: 'Hochzeit', start_date: '2026-05-17', end_date: '2026-05-18' };
const WITH_PASSWORDS = {
  with_upload_password: true,
  user_upload_password: 'Blütenfest',
  with_fotobox: true,
  fotobox_upload_password: 'Kasten 7',
};

describe.each(enginesForRules())('assistants on $name', (engine) => {
  let db: Db;
  let desk: Desk;
  let admin: Jar;
  let lena: { id: string; password: string; jar: Jar };

  beforeEach(async () => {
    db = await engine.open();
    desk = await openDesk({ db, clock: { now: () => PARTY } });
    admin = await desk.admin();
    lena = await add('lena');
    return () => desk.close();
  });
  afterAll(() => engine.dispose());

  const login = (username: string, password: string) => desk.send('POST', '/auth/admin/login', { body: { username, password } });
  async function add(username: string): Promise<typeof lena> {
    const added = await desk.send('POST', '/admin/admins', { cookies: admin, body: { username, role: 'assistant' } });
    const { password } = added.json<{ password: string }>();
    const { id } = (await desk.admins.list()).find((each) => each.username === username)!;
    const answer = await login(username, password);
    expect([added.statusCode, answer.json()]).toEqual([201, { role: 'assistant' }]);
    return { id, password, jar: jarOf(answer) };
  }
  const create = async (form: object = {}, cookies = admin) => {
    const answer = await desk.send('POST', '/admin/create_event', { cookies, body: { ...FORM, ...form } });
    expect(answer.statusCode).toBe(201);
    return answer.json<{ id: string; code: string; version: number; invitation?: { link: string } }>();
  };
  const update = (id: string, form: object, cookies = lena.jar) =>
    desk.send('PUT', `/admin/events/${id}`, { cookies, body: { ...FORM, ...form } });
  const listed = async (cookies: Jar) =>
    (await desk.send('GET', '/admin/events', { cookies })).json<{ events: Record<string, unknown>[] }>().events;
  /** Returns the status that a guest with this password gets. */
  const guest = async (code: string, password: string) =>
    (await desk.send('GET', `/event/${code}`, { headers: { 'event-password': encodeURIComponent(password) } })).statusCode;

  it('create events whose key only the operator opens, and invite a host with them', async () => {
    const event = await create({ ...WITH_PASSWORDS, host: { email: 'lena@beispiel.example' } }, lena.jar);
    expect(event.invitation?.link).toContain(`/einladung/${event.code}#`);
    expect(await db.kysely.selectFrom('events').select('unproved').execute()).toEqual([{ unproved: 1 }]);
    expect(await listed(lena.jar)).toMatchObject([{ host: { email: 'lena@beispiel.example' }, user_upload_password: null }]);
    // Reading the list as an administrator proves the event's key.
    expect(await listed(admin)).toMatchObject([{ user_upload_password: 'Blütenfest', fotobox_upload_password: 'Kasten 7' }]);
    expect(await db.kysely.selectFrom('events').select('unproved').execute()).toEqual([{ unproved: 0 }]);
    expect((await desk.send('POST', `/admin/events/${event.id}/user`, { cookies: admin, body: { username: event.code } })).statusCode).toBe(
      201,
    );
  });

  it('hold nothing that leads to a key of an event: neither the password nor the session opens one', async () => {
    await create(WITH_PASSWORDS);
    expect((await db.kysely.selectFrom('admin_keys').select('admin_id').execute()).map(({ admin_id }) => admin_id)).not.toContain(lena.id);
    // Simulates a thief of the session who edits the role in its row: no administrator's key is wrapped for it.
    await db.kysely.updateTable('sessions').set({ role: 'admin' }).where('admin_id', '=', lena.id).execute();
    expect((await desk.send('GET', '/admin/events', { cookies: lena.jar })).statusCode).toBe(401);
    expect(await desk.admins.authenticate('lena', lena.password, { address: '192.0.2.9' })).toBeNull();
    expect(await dump(db)).not.toContain(lena.password);
  });

  it('edit events without seeing their passwords, which stay', async () => {
    const event = await create(WITH_PASSWORDS);
    const kept = { keep_passwords: true, with_upload_password: true, with_fotobox: true };
    const edited = await update(event.id, { ...kept, title: 'Goldene Hochzeit', version: event.version });
    expect([edited.statusCode, edited.json()]).toMatchObject([200, { title: 'Goldene Hochzeit', user_upload_password: null }]);
    expect(await listed(admin)).toMatchObject([{ user_upload_password: 'Blütenfest', fotobox_upload_password: 'Kasten 7' }]);
    expect([await guest(event.code, 'Blütenfest'), await guest(event.code, 'Rosenfest')]).toEqual([200, 403]);

    expect((await update(event.id, { ...kept, user_upload_password: 'Rosenfest' })).statusCode).toBe(200);
    expect(await listed(admin)).toMatchObject([{ user_upload_password: 'Rosenfest', fotobox_upload_password: 'Kasten 7' }]);
    const same = await update(event.id, { ...kept, user_upload_password: 'Kasten 7' });
    expect([same.statusCode, same.json()]).toMatchObject([400, { fields: { user_upload_password: expect.any(String) } }]);
    expect((await update(event.id, { keep_passwords: true })).statusCode).toBe(200);
    expect(await listed(admin)).toMatchObject([{ with_upload_password: false, user_upload_password: null }]);
    const none = await update(event.id, { keep_passwords: true, with_upload_password: true });
    expect([none.statusCode, none.json()]).toMatchObject([400, { fields: { user_upload_password: 'Bitte geben Sie ein Passwort ein.' } }]);
    const nothingToKeep = await desk.send('POST', '/admin/create_event', { cookies: lena.jar, body: { ...FORM, ...kept } });
    expect(nothingToKeep.statusCode).toBe(400);
  });

  it('change nothing by which photos go earlier, or others come to see them once a host or photos are there', async () => {
    const host = { email: 'lena@beispiel.example', name: 'Lena' };
    const event = await create({ ...WITH_PASSWORDS, with_release: true, host });
    const form = { keep_passwords: true, with_upload_password: true, with_fotobox: true, with_release: true, host };
    const refused = async (change: object): Promise<string[]> => {
      const answer = await update(event.id, { ...form, ...change });
      return answer.statusCode === 200 ? [] : Object.keys(answer.json<{ fields?: object }>().fields ?? { [answer.json().code]: '' });
    };
    const changes = {
      host: { host: { ...host, email: 'ich@beispiel.example' } },
      user_upload_password: { user_upload_password: 'Rosenfest' },
      fotobox_upload_password: { with_fotobox: false },
      with_release: { with_release: false },
      end_date: { start_date: '2026-04-01', end_date: '2026-04-01', confirm_purge: true },
    };
    expect(await refused(changes.end_date)).toEqual(['end_date']);
    expect(await refused(changes.with_release)).toEqual(['with_release']);
    for (const name of ['host', 'user_upload_password'] as const) expect(await refused(changes[name])).toEqual([]);
    expect(await refused({})).toEqual([]);
    expect(await refused({ end_date: '2026-05-20' })).toEqual([]);
    await desk.send('POST', `/admin/events/${event.id}/user`, { cookies: admin, body: { username: event.code } });
    changes.user_upload_password = { user_upload_password: 'Tulpenfest' };
    for (const [field, change] of Object.entries(changes).slice(0, 4)) expect([field, await refused(change)]).toEqual([field, [field]]);
    expect(await refused({ title: 'Silberne Hochzeit' })).toEqual([]);
    // An administrator's login may change these fields.
    expect((await update(event.id, { ...form, ...changes.host }, admin)).statusCode).toBe(200);
  });

  it('are refused every other call of administrators with a sentence of its own', async () => {
    const event = await create();
    const names = (Object.keys(contract) as CallName[]).filter(
      (name) => contract[name].access === 'admin' && !('assistant' in contract[name]),
    );
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const [method = '', path = ''] = name.split(' ');
      const url = path.replace(':id', event.id).replace(/:\w+/, 'x');
      const answer = await desk.send(method as 'GET', url, { cookies: lena.jar, ...(method !== 'GET' && { body: {} }) });
      // This desk does not bind all calls; e2e/roles.system.test.ts covers the others.
      if (answer.json<{ code?: string }>().code === undefined) continue;
      expect([name, answer.statusCode, answer.json()]).toMatchObject([name, 403, { code: 'assistant_forbidden' }]);
    }
    const refused = await desk.send('DELETE', `/admin/events/${event.id}`, { cookies: lena.jar });
    expect(refused.json()).toMatchObject({ error: errors.assistant_forbidden.text });
    expect(await listed(admin)).toHaveLength(1);
  });

  it('stay what they are: no call takes a role but that which adds an account', async () => {
    const password = { current_password: lena.password, new_password: NEXT, role: 'admin' };
    const changed = await desk.send('PUT', '/admin/password', { cookies: lena.jar, body: password });
    expect(changed.statusCode).toBe(204);
    expect((await login('lena', NEXT)).json()).toEqual({ role: 'assistant' });
    expect((await desk.send('GET', '/admin/me', { cookies: jarOf(changed) })).json()).toEqual({ username: 'lena', role: 'assistant' });
    const own = { cookies: jarOf(changed), body: { username: 'ich', role: 'admin' } };
    expect((await desk.send('POST', '/admin/admins', own)).json()).toMatchObject({ code: 'assistant_forbidden' });
    const code = await desk.admins.createRecoveryCode(
      (await desk.admins.authenticate(ADMIN.username, ADMIN.password, { address: '192.0.2.9' }))!,
    );
    const recovering = await desk.admins.openRecovery(code);
    await expect(desk.admins.recover(recovering!, 'lena', NEXT)).rejects.toMatchObject({ code: 'admin_not_found' });
  });

  it('change their own password, which ends their other sessions and leaves the operator’s key', async () => {
    const other = jarOf(await login('lena', lena.password));
    const before = await db.kysely.selectFrom('operator_keys').selectAll().execute();
    const body = { current_password: lena.password, new_password: NEXT };
    const changed = await desk.send('PUT', '/admin/password', { cookies: lena.jar, body });
    expect(changed.statusCode).toBe(204);
    for (const stale of [lena.jar, other]) expect((await desk.send('GET', '/admin/events', { cookies: stale })).statusCode).toBe(401);
    expect((await desk.send('GET', '/admin/events', { cookies: jarOf(changed) })).statusCode).toBe(200);
    expect((await login('lena', lena.password)).statusCode).toBe(401);
    expect(await db.kysely.selectFrom('operator_keys').selectAll().execute()).toEqual(before);
  });

  it('are over at once where an administrator ends them, while their events stay, and the log names all of it', async () => {
    await create({}, lena.jar);
    const before = await db.kysely.selectFrom('operator_keys').selectAll().execute();
    expect((await desk.send('DELETE', `/admin/admins/${lena.id}`, { cookies: admin })).statusCode).toBe(204);
    for (const call of ['GET /admin/events', 'GET /admin/me', 'DELETE /admin/admins/x']) {
      const [method = '', url = ''] = call.split(' ');
      const answer = await desk.send(method as 'GET', url, { cookies: lena.jar });
      expect([call, answer.statusCode, answer.json()]).toMatchObject([call, 401, { code: 'login_required' }]);
    }
    expect((await login('lena', lena.password)).statusCode).toBe(401);
    expect(await db.kysely.selectFrom('operator_keys').selectAll().execute()).toEqual(before);
    expect(await db.kysely.selectFrom('sessions').selectAll().where('admin_id', '=', lena.id).execute()).toEqual([]);
    expect(await listed(admin)).toHaveLength(1);
    const { entries } = (await desk.send('GET', '/admin/audit', { cookies: admin })).json<{
      entries: { actor: string; action: string }[];
    }>();
    expect(entries.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'admin:frieda assistant.removed',
      'assistant:lena event.created',
      'assistant:lena admin.login',
      'admin:frieda assistant.added',
      'admin:frieda admin.login',
    ]);
  });

  it('and administrators do not share a browser: a login of one ends the other’s', async () => {
    const both = await desk.send('POST', '/auth/admin/login', { cookies: admin, body: { username: 'lena', password: lena.password } });
    expect((await desk.send('GET', '/admin/events', { cookies: admin })).statusCode).toBe(401);
    const now = jarOf(both);
    expect((await desk.send('GET', '/auth/check', { cookies: now })).json()).toMatchObject({ role: 'assistant' });
    const back = await desk.send('POST', '/auth/admin/login', { cookies: now, body: ADMIN });
    expect((await desk.send('GET', '/admin/events', { cookies: now })).statusCode).toBe(401);
    expect((await desk.send('GET', '/admin/me', { cookies: jarOf(back) })).json()).toEqual({ username: ADMIN.username, role: 'admin' });
  });
});
