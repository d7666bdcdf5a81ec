import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { berlinDay, addDays } from '@feierbild/contract/berlin.ts';
import { DAY, GB, HOUR, MINUTE, WEBHOOK_TOPICS } from '@feierbild/contract/constants.ts';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClockGuard } from '../../database/clock-guard.ts';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createLog } from '../../lib/log.ts';
import { openDesk, type Desk, type Jar } from '../accounts/testing.ts';
import { createAudit } from '../audit/audit.ts';
import { createTargets } from './target.ts';
import { verify } from './testing/verify.ts';
import { createWebhooks } from './webhooks.ts';

interface Message {
  type: string;
  timestamp: string;
  data: { event?: Record<string, string> };
}
interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

describe.each(enginesForRules())('webhooks on $name', (engine) => {
  const clock = { time: 0, now: () => clock.time };
  let db: Db;
  let desk: Desk;
  let admin: Jar;
  let receiver: Server;
  let url: string;
  let received: Received[];
  let status: number;
  let sent: Record<string, string>;
  let said: string;
  /** The addresses of each name for the next look-ups. */
  let names: Record<string, string[]>;
  let lookups: string[];
  /** Called while a receiver works, or a name is looked up. */
  let meanwhile: () => Promise<unknown>;

  beforeEach(async () => {
    clock.time = Date.now();
    [received, status, sent, said, names, lookups] = [[], 200, {}, 'danke', {}, []];
    meanwhile = () => Promise.resolve();
    db = await engine.open();
    receiver = createServer((request, answer) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        void meanwhile().then(() => answer.writeHead(status, sent).end(said));
      });
    });
    await listen(0);
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/haken`;
    await open(true);
  }, 60_000);
  afterEach(async () => {
    await desk.close();
    receiver.close();
  });
  afterAll(() => engine.dispose());

  const listen = (port: number): Promise<void> => new Promise((resolve) => receiver.listen(port, '127.0.0.1', resolve));
  const silent = (): Promise<unknown> => new Promise((resolve) => receiver.close(resolve));

  async function open(webhookPrivate: boolean): Promise<void> {
    await desk?.close();
    desk = await openDesk({
      db,
      clock,
      webhookPrivate,
      resolve: async (host) => {
        lookups.push(host);
        await meanwhile();
        return (names[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      },
    });
    admin = await desk.admin();
  }

  const save = (to: string, topics: readonly string[] = WEBHOOK_TOPICS) =>
    desk.send('POST', '/admin/webhooks', { cookies: admin, body: { name: 'Buchung', url: to, topics } });
  async function add(to = url, topics: readonly string[] = WEBHOOK_TOPICS): Promise<{ id: string; secret: string }> {
    const made = await save(to, topics);
    expect([made.statusCode, made.body]).toEqual([201, expect.stringContaining('whsec_')]);
    const { secret, webhook } = made.json<{ secret: string; webhook: { id: string } }>();
    return { id: webhook.id, secret };
  }
  async function work(): Promise<void> {
    await desk.webhooks.run();
    await desk.outbox.run();
  }
  const verified = (secret: string): Message[] => received.map((message) => verify<Message>(secret, message));
  const deliveries = async (id: string) =>
    (await desk.send('GET', `/admin/outbox?lane=webhook+${id}`, { cookies: admin })).json<{
      deliveries: { id: string; state: string; answer: string; attempts: number; repeatable: boolean }[];
    }>().deliveries;
  const newEvent = () => {
    const day = addDays(berlinDay(clock.time), 1);
    return desk.event(admin, { title: 'Lena & Jonas', start_date: day, end_date: day, storage_limit: 1 });
  };

  it('tell nothing by a clock that leapt ahead, and what is so once it is right', async () => {
    await newEvent();
    await add();
    let ahead = 0;
    const leaping = { now: () => clock.time + ahead, monotonic: () => clock.time, database: () => clock.time };
    const clockGuard = createClockGuard({ db, clock: leaping });
    const webhooks = createWebhooks({
      db,
      clock: leaping,
      clockGuard,
      outbox: desk.outbox,
      ending: new AbortController().signal,
      log: createLog('silent'),
      audit: createAudit({ db, clock: leaping }),
      targets: createTargets({ allowPrivate: true, resolve: undefined }),
    });
    const told = async () => (await db.kysely.selectFrom('outbox').select('topic').orderBy('topic').execute()).map(({ topic }) => topic);
    await webhooks.run();
    const before = await told();
    ahead = 3 * DAY;
    await webhooks.run();
    expect(await told()).toEqual(before);
    ahead = 0;
    clock.time += 3 * DAY;
    await createClockGuard({ db, clock: leaping }).confirm();
    await webhooks.run();
    expect(await told()).toEqual([...before, 'event.ended', 'event.started'].toSorted());
  });

  it('tell each thing once, in order, signed, and nothing of guests', async () => {
    // Signatures are as old as the last move of the clock; the library accepts five minutes.
    clock.time -= 40 * DAY;
    admin = await desk.admin();
    await newEvent();
    const { secret } = await add();
    clock.time += 1000;
    const { id, code, password } = await newEvent();
    const step = async (ms: number): Promise<void> => {
      clock.time += ms;
      await desk.webhooks.run();
      await desk.webhooks.run();
    };
    await step(1000);
    await desk.loginHost(code, password);
    await step(1000);
    await desk.loginHost(code, password);
    await desk.send('POST', '/api/reports', {
      body: { event: code, photo: 'Torte', reason: 'Bitte nicht', name: 'Anna', email: 'a@example.org' },
    });
    await step(2 * DAY);
    const change = (columns: object) => db.kysely.updateTable('events').set(columns).where('id', '=', id).execute();
    await change({ used_bytes: 0.8 * GB });
    await step(DAY);
    await change({ used_bytes: GB, zip_downloaded_at: clock.time });
    await step(MINUTE);
    await desk.events.purgeRows(id);
    await desk.events.purgeBytes(id);
    clock.time = Date.now();
    await step(0);
    await desk.outbox.run();
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
    expect(received.every(({ headers }) => headers['user-agent']?.startsWith('Feierbild/'))).toBe(true);
    for (const told of ['Anna', 'Torte', 'a@example.org', password]) expect(JSON.stringify(received)).not.toContain(told);
  });

  it('tell of days that are over since an event was moved or made, once, and nothing where only its title is changed', async () => {
    const goTo = async (day: string): Promise<void> => {
      clock.time = Date.parse(`${day}T12:00:00Z`);
      admin = await desk.admin();
    };
    const put = async (event: string, form: object): Promise<void> => {
      const body = { title: 'Lena & Jonas', is_active: true, ...form };
      expect((await desk.send('PUT', `/admin/events/${event}`, { cookies: admin, body })).statusCode).toBe(200);
    };
    /** Number of messages that `told` has returned already. */
    let known = 0;
    const told = async () => {
      for (let look = 0; look < 2; look++) {
        clock.time += MINUTE;
        await desk.webhooks.run();
      }
      const rows = await db.kysely.selectFrom('outbox').select('payload').where('kind', '=', 'webhook').orderBy('created_at').execute();
      const messages = rows.map(({ payload }) => (JSON.parse(payload as string) as { body: Message }).body);
      return messages
        .slice(known, (known = messages.length))
        .map(({ type, timestamp, data }) => `${type} ${data.event?.title} ${timestamp}`);
    };

    await goTo('2026-05-01');
    const days = { start_date: '2026-05-02', end_date: '2026-05-02' };
    const { id } = await desk.event(admin, { title: 'Lena & Jonas', ...days });
    await goTo('2026-05-11');
    await add(url, ['event.started', 'event.ended']);
    clock.time += HOUR;
    await put(id, { title: 'Lena', ...days });
    expect(await told()).toEqual([]);

    const fair = await desk.event(admin, { title: 'Messe', start_date: '2026-05-11', end_date: '2026-05-17' });
    const made = new Date(clock.time).toISOString();
    const coming = await desk.event(admin, { title: 'Ball', start_date: '2026-05-12', end_date: '2026-05-12' });
    await desk.event(admin, { title: 'Nachgetragen', start_date: '2026-05-02', end_date: '2026-05-06' });
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
    const { secret } = await add(url, ['event.purged']);
    clock.time += 1000;
    await desk.send('DELETE', `/admin/events/${id}`, { cookies: admin });
    await work();
    expect(verified(secret)).toMatchObject([{ type: 'event.purged', data: { event: { id, code } } }]);
  });

  it('say once that the photos of an event are gone, also where it is deleted long after that', async () => {
    const { id } = await newEvent();
    await add(url, ['event.purged']);
    await desk.events.purgeRows(id);
    await desk.events.purgeBytes(id);
    clock.time += 1000;
    await work();
    expect(received).toHaveLength(1);
    clock.time += 91 * DAY;
    await desk.webhooks.run();
    await desk.outbox.forget();
    admin = await desk.admin();
    expect((await desk.send('DELETE', `/admin/events/${id}`, { cookies: admin })).statusCode).toBe(200);
    clock.time += 1000;
    await work();
    expect(received).toHaveLength(1);
  });

  it('come after an outage of six hours, one of each, with the id that they had from the start', async () => {
    // The last attempt is 14 h 36 min after the first, by the outbox's pauses.
    clock.time -= 14 * HOUR + 36 * MINUTE;
    await open(true);
    const { id, secret } = await add(url, ['event.created']);
    const { port } = receiver.address() as AddressInfo;
    await silent();
    clock.time += 1000;
    await newEvent();
    await newEvent();
    const began = clock.time;
    for (; clock.time < began + 15 * HOUR; clock.time += 2 * MINUTE) {
      if (clock.time >= began + 6 * HOUR && !receiver.listening) await listen(port);
      await work();
      if (received.length === 2) break;
    }
    expect(clock.time - began).toBeGreaterThan(6 * HOUR);
    expect(verified(secret)).toMatchObject([{ type: 'event.created' }, { type: 'event.created' }]);
    admin = await desk.admin();
    const told = await deliveries(id);
    expect(told.map((one) => one.id).toSorted()).toEqual(received.map(({ headers }) => headers['webhook-id']).toSorted());
    expect(told).toMatchObject([
      { state: 'delivered', answer: '200 danke', attempts: 6 },
      { state: 'delivered', answer: '200 danke', attempts: 6 },
    ]);
  }, 60_000);

  it('wait as long as the other side asks with 429 or 503, 12 hours at most, and are tried as often as promised', async () => {
    const { id } = await add(url, ['event.created']);
    clock.time += 1000;
    await newEvent();
    await desk.webhooks.run();
    const waits: number[] = [];
    for (const [answered, retryAfter] of [
      [429, '3600'],
      [503, new Date(clock.time + 3 * HOUR).toUTCString()],
      // Retry-After is ignored with a 500, and if it is unreadable or past.
      [500, '3600'],
      [429, '-1'],
      [429, '9'.repeat(400)],
      [503, '3600'],
    ] as const) {
      [status, sent] = [answered, { 'retry-after': retryAfter }];
      await desk.outbox.run();
      const { due_at, state } = await db.kysely.selectFrom('outbox').selectAll().where('kind', '=', 'webhook').executeTakeFirstOrThrow();
      if (state !== 'waiting') break;
      waits.push(due_at - clock.time);
      clock.time = due_at - 1;
      await desk.outbox.run();
      expect(received).toHaveLength(waits.length);
      clock.time = due_at;
    }
    // The date was sent at the first attempt, and has no milliseconds.
    const [first, second = 0, ...others] = waits;
    expect([first, ...others]).toEqual([HOUR, 30 * MINUTE, 2 * HOUR, 12 * HOUR]);
    expect([second > 2 * HOUR - 1000, second <= 2 * HOUR]).toEqual([true, true]);
    admin = await desk.admin();
    expect([received.length, await deliveries(id)]).toMatchObject([6, [{ state: 'failed', answer: '503 danke', attempts: 6 }]]);
    // The list of webhooks counts, so that nobody has to ask about each; the outbox counts beyond the page that it lists.
    await add(url, ['event.created']);
    const counted = async (path: string) => (await desk.send('GET', path, { cookies: admin })).json();
    expect((await counted('/admin/webhooks')).webhooks).toMatchObject([{ id, failed: 1 }, { failed: 0 }]);
    for (const [lane, failed] of [
      [`webhook+${id}`, 1],
      ['mail', 0],
    ])
      expect((await counted(`/admin/outbox?lane=${lane}`)).failed).toBe(failed);
  });

  it('are sent again when somebody asks, under the same id, and tested with the answer at once', async () => {
    const { id, secret } = await add(url, ['event.created']);
    status = 500;
    const test = await desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: admin });
    expect(test.json()).toEqual({ delivered: false, answer: '500 danke' });
    status = 204;
    said = '';
    expect((await desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: admin })).json()).toEqual({ delivered: true, answer: '204' });
    clock.time += 1000;
    await newEvent();
    await work();
    const [one] = await deliveries(id);
    expect(one).toMatchObject({ state: 'delivered', repeatable: true });
    expect((await desk.send('POST', `/admin/outbox/${one?.id}/again`, { cookies: admin })).statusCode).toBe(204);
    await desk.outbox.run();
    expect(verified(secret).map(({ type }) => type)).toEqual(['webhook.test', 'webhook.test', 'event.created', 'event.created']);
    expect(received[3]?.headers['webhook-id']).toBe(received[2]?.headers['webhook-id']);
  });

  it('stop where the other side says 410, or they were switched off or removed, and tell nothing of the time between', async () => {
    const { id } = await add(url, ['event.created']);
    status = 410;
    clock.time += 1000;
    await newEvent();
    await work();
    expect((await desk.send('GET', '/admin/webhooks', { cookies: admin })).json()).toMatchObject({ webhooks: [{ id, active: false }] });
    clock.time += 1000;
    await newEvent();
    await work();
    clock.time += 1000;
    const form = { name: 'Buchung', url, topics: ['event.created'], active: true };
    expect((await desk.send('PUT', `/admin/webhooks/${id}`, { cookies: admin, body: form })).statusCode).toBe(200);
    status = 200;
    await work();
    expect(received).toHaveLength(1);
    await newEvent();
    await desk.webhooks.run();
    expect((await desk.send('DELETE', `/admin/webhooks/${id}`, { cookies: admin })).statusCode).toBe(204);
    await desk.outbox.run();
    expect(received).toHaveLength(1);
    expect((await desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: admin })).statusCode).toBe(404);
    // Nothing of the webhook is left to settle.
    expect(await desk.outbox.failed('')).toEqual([]);
  });

  it('stop by the word of their own address alone, and not by that of the one before', async () => {
    const { id } = await add(url, ['event.created']);
    const change = (to: string) =>
      desk.send('PUT', `/admin/webhooks/${id}`, {
        cookies: admin,
        body: { name: 'Neu', url: to, topics: ['event.created'], active: true },
      });
    meanwhile = () => change(`${url}-neu`);
    status = 410;
    clock.time += 1000;
    await newEvent();
    await work();
    expect((await desk.send('GET', '/admin/webhooks', { cookies: admin })).json()).toMatchObject({ webhooks: [{ id, active: true }] });
    status = 200;
    clock.time += HOUR;
    await work();
    expect([received.length, (await deliveries(id)).map(({ state }) => state)]).toEqual([2, ['delivered']]);
    // A webhook that is removed while its change is checked is gone.
    meanwhile = () => desk.send('DELETE', `/admin/webhooks/${id}`, { cookies: admin });
    names['haken.example'] = ['127.0.0.1'];
    expect((await change('http://haken.example/')).json()).toMatchObject({ code: 'webhook_not_found' });
  });

  it('are set by no form that was opened before another administrator changed them', async () => {
    const { id } = await add();
    const seen = async () => (await desk.send('GET', '/admin/webhooks', { cookies: admin })).json().webhooks[0];
    const put = async (form: object) => {
      const answer = await desk.send('PUT', `/admin/webhooks/${id}`, { cookies: admin, body: form });
      return answer.statusCode === 200 ? 200 : [answer.statusCode, answer.json().code];
    };
    const { id: _, created_at: __, ...was } = await seen();
    const moved = { ...was, url: `${url}-neu`, topics: ['event.created', 'event.ended'] };
    expect(await put({ ...moved, was })).toBe(200);
    // The switch on an outdated page would bring the former address back.
    expect(await put({ ...was, active: false, was })).toEqual([409, 'settings_changed']);
    expect(await seen()).toMatchObject(moved);
    // The change is repeated, because its answer was lost; naming a topic twice does not matter.
    expect(await put({ ...moved, topics: [...moved.topics, 'event.created'], was })).toBe(200);
    expect(await put({ ...moved, active: false, was: moved })).toBe(200);
    // A switch that is in the wanted position is no refusal, and a call without `was` works as it always did.
    expect(await put({ ...moved, active: false, was: moved })).toBe(200);
    expect(await put(was)).toBe(200);
    expect(await seen()).toMatchObject(was);
    // If both come at once, the second one reads what the first one wrote.
    names['haken.example'] = ['127.0.0.1'];
    let once = 0;
    meanwhile = async () => (once++ === 0 ? put({ ...was, name: 'Andere', was }) : undefined);
    expect(await put({ ...was, url: 'http://haken.example/', was })).toEqual([409, 'settings_changed']);
    expect(await seen()).toMatchObject({ name: 'Andere', url });
  });

  it('follow no redirect, and read little of an answer', async () => {
    const { id } = await add();
    [status, sent] = [302, { location: `${url}/anderswo` }];
    expect((await desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: admin })).json()).toMatchObject({ delivered: false });
    expect(received).toHaveLength(1);
    [status, sent, said] = [200, {}, 'x'.repeat(5_000_000)];
    const { answer } = (await desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: admin })).json<{ answer: string }>();
    expect(answer.length).toBeLessThan(2100);
  });

  it('lead into no private network, neither when they are saved nor after their name has changed to it', async () => {
    await open(false);
    const { port } = receiver.address() as AddressInfo;
    const literal = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
    ];
    for (const host of [...literal, '[2002:7f00:1::]', '[::127.0.0.1]', '[fe80::1]', '169.254.169.254', '10.0.0.1', '0.0.0.0', '[::]'])
      expect([host, (await save(`https://${host}:${port}/`)).statusCode]).toEqual([host, 400]);
    names['innen.example'] = ['127.0.0.1'];
    names['halb.example'] = ['93.184.216.34', '10.0.0.1'];
    names['gut.example'] = ['93.184.216.34'];
    for (const host of ['innen.example', 'halb.example', 'niemand.example'])
      expect((await save(`https://${host}/`)).json()).toMatchObject({ code: 'invalid_input', fields: { url: expect.any(String) } });
    for (const wrong of ['http://gut.example/', 'https://a:b@gut.example/', 'ftp://gut.example/', 'file:///etc/passwd', 'gut.example'])
      expect([wrong, (await save(wrong)).statusCode]).toEqual([wrong, 400]);
    const { id } = await add(`https://gut.example:${port}/`);
    names['gut.example'] = ['127.0.0.1'];
    lookups = [];
    const test = await desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: admin });
    expect(test.json()).toMatchObject({ delivered: false, answer: expect.stringContaining('privates Netz') });
    expect([lookups, received]).toEqual([['gut.example'], []]);
  });

  it('go to the address that was looked up and checked, and ask no second time', async () => {
    const { port } = receiver.address() as AddressInfo;
    names['haken.example'] = ['127.0.0.1'];
    const { id } = await add(`http://haken.example:${port}/`);
    lookups = [];
    expect((await desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: admin })).json()).toMatchObject({ delivered: true });
    expect(lookups).toEqual(['haken.example']);
    expect(received[0]?.headers.host).toBe(`haken.example:${port}`);
  });
});
