import { MANY_EVENTS_MAX } from '@feierbild/contract/constants.ts';
import type { ManyChanged } from '@feierbild/contract/calls/events.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { jarOf, openDesk, PARTY, type Desk, type Jar } from '../accounts/testing.ts';

const FORM = { title: 'Hochzeit', start_date: '2026-05-17', end_date: '2026-05-18' };

describe.each(engines())('many events at once on $name', (engine) => {
  let db: Db;
  let desk: Desk;
  let admin: Jar;

  beforeEach(async () => {
    db = await engine.open();
    desk = await openDesk({ db, clock: { now: () => PARTY } });
    admin = await desk.admin();
    return () => desk.close();
  });
  afterAll(() => engine.dispose());

  const create = async (form: object = {}) =>
    (await desk.send('POST', '/admin/create_event', { cookies: admin, body: { ...FORM, ...form } })).json<AdminEvent>();
  const listed = async (query = '') =>
    (await desk.send('GET', `/admin/events${query}`, { cookies: admin })).json<{ events: AdminEvent[] }>().events;
  const send = (events: { id: string; version: number; until?: string }[], change: object, cookies = admin) =>
    desk.send('POST', '/admin/events/change', {
      cookies,
      body: { events: events.map(({ id, version, until }) => ({ id, version, until })), change },
    });
  const change = async (...sent: Parameters<typeof send>) => (await send(...sent)).json<{ results: ManyChanged[] }>().results;

  it('are closed, opened and made longer, each with an entry in the log, and keep all else', async () => {
    const notes = { customer: 'Familie Öztürk', host: { email: 'lena@beispiel.example', name: 'Lena' } };
    const secret = { with_upload_password: true, user_upload_password: 'Rosenblatt', storage_limit: 2.5, with_release: true, ...notes };
    const events = [await create(secret), await create({ is_active: true }), await create({ title: 'Dritte' })];
    const before = await listed('?order=title');

    const closed = await change(events, { open: false });
    expect(closed.map(({ event }) => [event?.with_user_upload, event?.is_active])).toEqual(events.map(() => [false, false]));
    const opened = await change(
      closed.flatMap(({ event }) => event ?? []),
      { open: true },
    );
    const longer = await change(
      opened.flatMap(({ event }) => event ?? []),
      { extend_days: 13 },
    );
    expect(longer.map(({ event, refused }) => [event?.end_date, refused])).toEqual(events.map(() => ['2026-05-31', null]));
    const days = { end_date: '2026-05-31', deletion_date: '2026-06-30' };
    expect(await listed('?order=title')).toEqual(
      before.map((event) => ({ ...event, ...days, is_active: false, version: 4, invited_until: event.invited_until })),
    );
    const { entries } = (await desk.send('GET', '/admin/audit', { cookies: admin })).json<{ entries: { action: string }[] }>();
    const changes = entries.map(({ action }) => action).filter((action) => ['event.changed', 'event.moved'].includes(action));
    expect(changes).toEqual([...Array(3).fill('event.moved'), ...Array(6).fill('event.changed')]);
  });

  it('are answered one by one: what was changed, deleted or is unknown is refused, and the others are done', async () => {
    const [fine, changed, deleted] = [await create(), await create(), await create()];
    await desk.send('PUT', `/admin/events/${changed.id}`, { cookies: admin, body: { ...FORM, title: 'Anders' } });
    await db.kysely.updateTable('events').set({ purging_at: PARTY }).where('id', '=', deleted.id).execute();
    const far = await create({ start_date: '2999-12-01', end_date: '2999-12-31' });
    const unknown = { id: crypto.randomUUID(), version: 1 };
    const results = await change([changed, fine, deleted, unknown, far], { extend_days: 1 });
    expect(results.map(({ event, refused }) => refused?.code ?? event?.end_date)).toEqual([
      'event_changed',
      '2026-05-19',
      'event_purged',
      'event_not_found',
      'invalid_input',
    ]);
    expect(results[0]?.refused?.error).toBe('Dieses Event wurde inzwischen geändert. Bitte laden Sie es neu.');
    expect((await listed(`?ids=${changed.id}`))[0]).toMatchObject({ title: 'Anders', end_date: '2026-05-18' });
  });

  it('are made longer once where the answer is lost and the same is sent again', async () => {
    const secret = { with_upload_password: true, user_upload_password: 'Rosenblatt' };
    const [lost, other] = [await create(secret), await create()];
    const wanted = [lost, other].map((event) => ({ ...event, until: '2026-05-25' }));
    const [first] = await change(wanted, { extend_days: 7 });
    await desk.send('PUT', `/admin/events/${other.id}`, { cookies: admin, body: { ...FORM, end_date: '2026-05-20' } });
    const [again, moved] = await change(wanted, { extend_days: 7 });
    expect(again).toMatchObject(first ?? {});
    expect(moved).toMatchObject({ event: null, refused: { code: 'event_changed' } });
    expect((await listed(`?ids=${lost.id},${other.id}`)).map(({ end_date, version }) => [end_date, version]).toSorted()).toEqual([
      ['2026-05-20', 3],
      ['2026-05-25', 2],
    ]);
    // A change that names the new last day extends the event by another week.
    expect(await change([{ ...lost, version: 2, until: '2026-06-01' }], { extend_days: 7 })).toMatchObject([
      { event: { end_date: '2026-06-01', user_upload_password: 'Rosenblatt' } },
    ]);
  });

  it('are no more than fit into a call, and changed in these ways alone', async () => {
    const event = await create();
    const codes = [
      await send([], { open: true }),
      await send(
        Array.from({ length: MANY_EVENTS_MAX + 1 }, () => event),
        { open: true },
      ),
      await send([event], { extend_days: 0 }),
      await send([event], { extend_days: -366 }),
      await send([event], { extend_days: 366 }),
      await send([event], { open: true, extend_days: 1 }),
      await send([event], { title: 'Anders' }),
    ].map(({ statusCode }) => statusCode);
    expect(codes).toEqual(codes.map(() => 400));
    expect(await listed()).toMatchObject([{ version: 1 }]);
  });

  it('may be changed by an assistant, who keeps the passwords that he does not see', async () => {
    const event = await create({ with_upload_password: true, user_upload_password: 'Rosenblatt' });
    const added = await desk.send('POST', '/admin/admins', { cookies: admin, body: { username: 'lena', role: 'assistant' } });
    const lena = jarOf(await desk.send('POST', '/auth/admin/login', { body: added.json() }));
    expect(await change([event], { extend_days: 2 }, lena)).toMatchObject([
      { event: { end_date: '2026-05-20', user_upload_password: null } },
    ]);
    expect(await listed()).toMatchObject([{ user_upload_password: 'Rosenblatt' }]);
  });

  it('are found by their ids, and with how their cards look', async () => {
    const [one, , three] = [await create({ title: 'Eins' }), await create(), await create({ title: 'Drei' })];
    const look = { palette: null, welcome: '', title_picture: null };
    expect(await listed(`?ids=${one.id},${three.id},nichts&order=title`)).toMatchObject([
      { title: 'Drei', look },
      { title: 'Eins', look },
    ]);
    expect(await listed('?ids=')).toEqual([]);
  });
});
