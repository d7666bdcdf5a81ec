import { DAY, GB, HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import { describe, expect, it } from 'vitest';
import { createClockGuard } from '../../database/clock-guard.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createLog } from '../../lib/log.ts';
import { createAudit } from '../audit/audit.ts';
import { createTargets } from './target.ts';
import { createWebhooks } from './webhooks.ts';
import { hooksOf, type Message } from './testing/hooks.ts';

describe.each(enginesForRules())('webhooks on $name', (engine) => {
  const { at, clock, add, work, verified, newEvent } = hooksOf(engine);

  it('tell nothing by a clock that leapt ahead, and what is so once it is right', async () => {
    await newEvent();
    await add();
    let ahead = 0;
    const leaping = { now: () => clock.time + ahead, monotonic: () => clock.time, database: () => clock.time };
    const clockGuard = createClockGuard({ db: at.db, clock: leaping });
    const webhooks = createWebhooks({
      db: at.db,
      clock: leaping,
      clockGuard,
      outbox: at.desk.outbox,
      ending: new AbortController().signal,
      log: createLog('silent'),
      audit: createAudit({ db: at.db, clock: leaping }),
      targets: createTargets({ allowPrivate: true, resolve: undefined }),
    });
    const told = async () => (await at.db.kysely.selectFrom('outbox').select('topic').orderBy('topic').execute()).map(({ topic }) => topic);
    await webhooks.run();
    const before = await told();
    ahead = 3 * DAY;
    await webhooks.run();
    expect(await told()).toEqual(before);
    ahead = 0;
    clock.time += 3 * DAY;
    await createClockGuard({ db: at.db, clock: leaping }).confirm();
    await webhooks.run();
    expect(await told()).toEqual([...before, 'event.ended', 'event.started'].toSorted());
  });

  it('tell each thing once, in order, signed, and nothing of guests', async () => {
    // Signatures are as old as the last move of the clock; the library accepts five minutes.
    clock.time -= 40 * DAY;
    at.admin = await at.desk.admin();
    await newEvent();
    const { secret } = await add();
    clock.time += 1000;
    const { id, code, password } = await newEvent();
    const step = async (ms: number): Promise<void> => {
      clock.time += ms;
      await at.desk.webhooks.run();
      await at.desk.webhooks.run();
    };
    await step(1000);
    await at.desk.loginHost(code, password);
    await step(1000);
    await at.desk.loginHost(code, password);
    await at.desk.send('POST', '/api/reports', {
      body: { event: code, photo: 'Torte', reason: 'Bitte nicht', name: 'Anna', email: 'a@example.org' },
    });
    await step(2 * DAY);
    const change = (columns: object) => at.db.kysely.updateTable('events').set(columns).where('id', '=', id).execute();
    await change({ used_bytes: 0.8 * GB });
    await step(DAY);
    await change({ used_bytes: GB, zip_downloaded_at: clock.time });
    await step(MINUTE);
    await at.desk.events.purgeRows(id);
    await at.desk.events.purgeBytes(id);
    clock.time = Date.now();
    await step(0);
    await at.desk.outbox.run();
    const messages = verified(secret).filter(({ data }) => !data.event || data.event.id === id);
    expect(messages.map(({ type }) => type)).toEqual([
      'event.created',
      'host.invited',
      'host.logged_in',
      'report.received',
      'event.started',
      'event.ended',
      'event.storage_80',
      'event.zip_downloaded',
      'event.storage_100',
      'event.purged',
    ]);
    expect(messages[0]?.data.event).toMatchObject({ id, code, title: 'Lena & Jonas' });
    expect(at.received.every(({ headers }) => headers['user-agent']?.startsWith('Feierbild/'))).toBe(true);
    for (const told of ['Anna', 'Torte', 'a@example.org', password]) expect(JSON.stringify(at.received)).not.toContain(told);
  });

  it('tell of days that are over since an event was moved or made, once, and nothing where only its title is changed', async () => {
    const goTo = async (day: string): Promise<void> => {
      clock.time = Date.parse(`${day}T12:00:00Z`);
      at.admin = await at.desk.admin();
    };
    const put = async (event: string, form: object): Promise<void> => {
      const body = { title: 'Lena & Jonas', is_active: true, ...form };
      expect((await at.desk.send('PUT', `/admin/events/${event}`, { cookies: at.admin, body })).statusCode).toBe(200);
    };
    /** Number of messages that `told` has returned already. */
    let known = 0;
    const told = async () => {
      for (let look = 0; look < 2; look++) {
        clock.time += MINUTE;
        await at.desk.webhooks.run();
      }
      const rows = await at.db.kysely.selectFrom('outbox').select('payload').where('kind', '=', 'webhook').orderBy('created_at').execute();
      const messages = rows.map(({ payload }) => (JSON.parse(payload as string) as { body: Message }).body);
      return messages
        .slice(known, (known = messages.length))
        .map(({ type, timestamp, data }) => `${type} ${data.event?.title} ${timestamp}`);
    };

    await goTo('2026-05-01');
    const days = { start_date: '2026-05-02', end_date: '2026-05-02' };
    const { id } = await at.desk.event(at.admin, { title: 'Lena & Jonas', ...days });
    await goTo('2026-05-11');
    await add(at.url, ['event.started', 'event.ended']);
    clock.time += HOUR;
    await put(id, { title: 'Lena', ...days });
    expect(await told()).toEqual([]);

    const fair = await at.desk.event(at.admin, { title: 'Messe', start_date: '2026-05-11', end_date: '2026-05-17' });
    const made = new Date(clock.time).toISOString();
    const coming = await at.desk.event(at.admin, { title: 'Ball', start_date: '2026-05-12', end_date: '2026-05-12' });
    await at.desk.event(at.admin, { title: 'Nachgetragen', start_date: '2026-05-02', end_date: '2026-05-06' });
    expect((await told()).toSorted()).toEqual([
      `event.ended Nachgetragen ${made}`,
      `event.started Messe ${made}`,
      `event.started Nachgetragen ${made}`,
    ]);

    await goTo('2026-05-13');
    await put(fair.id, { title: 'Messe', start_date: '2026-05-11', end_date: '2026-05-11' });
    await put(coming.id, { title: 'Ball', start_date: '2026-05-01', end_date: '2026-05-08' });
    const moved = new Date(clock.time).toISOString();
    expect((await told()).toSorted()).toEqual([`event.ended Ball ${moved}`, `event.ended Messe ${moved}`, `event.started Ball ${moved}`]);
  });

  it('say of a deleted event which one it was', async () => {
    const { id, code } = await newEvent();
    const { secret } = await add(at.url, ['event.purged']);
    clock.time += 1000;
    await at.desk.send('DELETE', `/admin/events/${id}`, { cookies: at.admin });
    await work();
    expect(verified(secret)).toMatchObject([{ type: 'event.purged', data: { event: { id, code } } }]);
  });

  it('say once that the photos of an event are gone, also where it is deleted long after that', async () => {
    const { id } = await newEvent();
    await add(at.url, ['event.purged']);
    await at.desk.events.purgeRows(id);
    await at.desk.events.purgeBytes(id);
    clock.time += 1000;
    await work();
    expect(at.received).toHaveLength(1);
    clock.time += 91 * DAY;
    await at.desk.webhooks.run();
    await at.desk.outbox.forget();
    at.admin = await at.desk.admin();
    expect((await at.desk.send('DELETE', `/admin/events/${id}`, { cookies: at.admin })).statusCode).toBe(200);
    clock.time += 1000;
    await work();
    expect(at.received).toHaveLength(1);
  });
});
