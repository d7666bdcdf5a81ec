import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { ADMIN, jarOf, openDesk, PARTY, type Desk, type Jar } from '../accounts/testing.ts';

describe.each(enginesForRules())('keys that were changed in the database, on $name', (engine) => {
  let db: Db;
  let desk: Desk;
  let admin: Jar;

  beforeAll(async () => {
    db = await engine.open();
    desk = await openDesk({ db, clock: { now: () => PARTY } });
    admin = await desk.admin();
  });
  afterAll(async () => {
    await desk.close();
    await engine.dispose();
  });

  const reset = (id: string) => desk.send('PUT', `/admin/events/${id}/user/password`, { cookies: admin, body: {} });
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
