import type { AddressInfo } from 'node:net';
import { HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { hooksOf } from './testing/hooks.ts';

describe.each(enginesForRules())('webhooks on $name', (engine) => {
  const { at, clock, listen, silent, open, save, add, work, verified, deliveries, newEvent } = hooksOf(engine);

  it('come after an outage of six hours, one of each, with the id that they had from the start', async () => {
    // The last attempt is 14 h 36 min after the first, by the outbox's pauses.
    clock.time -= 14 * HOUR + 36 * MINUTE;
    await open(true);
    const { id, secret } = await add(at.url, ['event.created']);
    const { port } = at.receiver.address() as AddressInfo;
    await silent();
    clock.time += 1000;
    await newEvent();
    await newEvent();
    const began = clock.time;
    for (; clock.time < began + 15 * HOUR; clock.time += 2 * MINUTE) {
      if (clock.time >= began + 6 * HOUR && !at.receiver.listening) await listen(port);
      await work();
      if (at.received.length === 2) break;
    }
    expect(clock.time - began).toBeGreaterThan(6 * HOUR);
    expect(verified(secret)).toMatchObject([{ type: 'event.created' }, { type: 'event.created' }]);
    at.admin = await at.desk.admin();
    const told = await deliveries(id);
    expect(told.map((one) => one.id).toSorted()).toEqual(at.received.map(({ headers }) => headers['webhook-id']).toSorted());
    expect(told).toMatchObject([
      { state: 'delivered', answer: '200 danke', attempts: 6 },
      { state: 'delivered', answer: '200 danke', attempts: 6 },
    ]);
  }, 60_000);

  it('wait as long as the other side asks with 429 or 503, 12 hours at most, and are tried as often as promised', async () => {
    const { id } = await add(at.url, ['event.created']);
    clock.time += 1000;
    await newEvent();
    await at.desk.webhooks.run();
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
      [at.status, at.sent] = [answered, { 'retry-after': retryAfter }];
      await at.desk.outbox.run();
      const { due_at, state } = await at.db.kysely.selectFrom('outbox').selectAll().where('kind', '=', 'webhook').executeTakeFirstOrThrow();
      if (state !== 'waiting') break;
      waits.push(due_at - clock.time);
      clock.time = due_at - 1;
      await at.desk.outbox.run();
      expect(at.received).toHaveLength(waits.length);
      clock.time = due_at;
    }
    // The date was sent at the first attempt, and has no milliseconds.
    const [first, second = 0, ...others] = waits;
    expect([first, ...others]).toEqual([HOUR, 30 * MINUTE, 2 * HOUR, 12 * HOUR]);
    expect([second > 2 * HOUR - 1000, second <= 2 * HOUR]).toEqual([true, true]);
    at.admin = await at.desk.admin();
    expect([at.received.length, await deliveries(id)]).toMatchObject([6, [{ state: 'failed', answer: '503 danke', attempts: 6 }]]);
    // The list of webhooks counts, so that nobody has to ask about each; the outbox counts beyond the page that it lists.
    await add(at.url, ['event.created']);
    const counted = async (path: string) => (await at.desk.send('GET', path, { cookies: at.admin })).json();
    expect((await counted('/admin/webhooks')).webhooks).toMatchObject([{ id, failed: 1 }, { failed: 0 }]);
    for (const [lane, failed] of [
      [`webhook+${id}`, 1],
      ['mail', 0],
    ])
      expect((await counted(`/admin/outbox?lane=${lane}`)).failed).toBe(failed);
  });

  it('are sent again when somebody asks, under the same id, and tested with the answer at once', async () => {
    const { id, secret } = await add(at.url, ['event.created']);
    at.status = 500;
    const test = await at.desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: at.admin });
    expect(test.json()).toEqual({ delivered: false, answer: '500 danke' });
    at.status = 204;
    at.said = '';
    expect((await at.desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: at.admin })).json()).toEqual({
      delivered: true,
      answer: '204',
    });
    clock.time += 1000;
    await newEvent();
    await work();
    const [one] = await deliveries(id);
    expect(one).toMatchObject({ state: 'delivered', repeatable: true });
    expect((await at.desk.send('POST', `/admin/outbox/${one?.id}/again`, { cookies: at.admin })).statusCode).toBe(204);
    await at.desk.outbox.run();
    expect(verified(secret).map(({ type }) => type)).toEqual(['webhook.test', 'webhook.test', 'event.created', 'event.created']);
    expect(at.received[3]?.headers['webhook-id']).toBe(at.received[2]?.headers['webhook-id']);
  });

  it('stop where the other side says 410, or they were switched off or removed, and tell nothing of the time between', async () => {
    const { id } = await add(at.url, ['event.created']);
    at.status = 410;
    clock.time += 1000;
    await newEvent();
    await work();
    expect((await at.desk.send('GET', '/admin/webhooks', { cookies: at.admin })).json()).toMatchObject({
      webhooks: [{ id, active: false }],
    });
    clock.time += 1000;
    await newEvent();
    await work();
    clock.time += 1000;
    const form = { name: 'Buchung', url: at.url, topics: ['event.created'], active: true };
    expect((await at.desk.send('PUT', `/admin/webhooks/${id}`, { cookies: at.admin, body: form })).statusCode).toBe(200);
    at.status = 200;
    await work();
    expect(at.received).toHaveLength(1);
    await newEvent();
    await at.desk.webhooks.run();
    expect((await at.desk.send('DELETE', `/admin/webhooks/${id}`, { cookies: at.admin })).statusCode).toBe(204);
    await at.desk.outbox.run();
    expect(at.received).toHaveLength(1);
    expect((await at.desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: at.admin })).statusCode).toBe(404);
    // Nothing of the webhook is left to settle.
    expect(await at.desk.outbox.failed('')).toEqual([]);
  });

  it('stop by the word of their own address alone, and not by that of the one before', async () => {
    const { id } = await add(at.url, ['event.created']);
    const change = (to: string) =>
      at.desk.send('PUT', `/admin/webhooks/${id}`, {
        cookies: at.admin,
        body: { name: 'Neu', url: to, topics: ['event.created'], active: true },
      });
    at.meanwhile = () => change(`${at.url}-neu`);
    at.status = 410;
    clock.time += 1000;
    await newEvent();
    await work();
    expect((await at.desk.send('GET', '/admin/webhooks', { cookies: at.admin })).json()).toMatchObject({
      webhooks: [{ id, active: true }],
    });
    at.status = 200;
    clock.time += HOUR;
    await work();
    expect([at.received.length, (await deliveries(id)).map(({ state }) => state)]).toEqual([2, ['delivered']]);
    // A webhook that is removed while its change is checked is gone.
    at.meanwhile = () => at.desk.send('DELETE', `/admin/webhooks/${id}`, { cookies: at.admin });
    at.names['haken.example'] = ['127.0.0.1'];
    expect((await change('http://haken.example/')).json()).toMatchObject({ code: 'webhook_not_found' });
  });

  it('are set by no form that was opened before another administrator changed them', async () => {
    const { id } = await add();
    const seen = async () => (await at.desk.send('GET', '/admin/webhooks', { cookies: at.admin })).json().webhooks[0];
    const put = async (form: object) => {
      const answer = await at.desk.send('PUT', `/admin/webhooks/${id}`, { cookies: at.admin, body: form });
      return answer.statusCode === 200 ? 200 : [answer.statusCode, answer.json().code];
    };
    const { id: _, created_at: __, ...was } = await seen();
    const moved = { ...was, url: `${at.url}-neu`, topics: ['event.created', 'event.ended'] };
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
    at.names['haken.example'] = ['127.0.0.1'];
    let once = 0;
    at.meanwhile = async () => (once++ === 0 ? put({ ...was, name: 'Andere', was }) : undefined);
    expect(await put({ ...was, url: 'http://haken.example/', was })).toEqual([409, 'settings_changed']);
    expect(await seen()).toMatchObject({ name: 'Andere', url: at.url });
  });

  it('follow no redirect, and read little of an answer', async () => {
    const { id } = await add();
    [at.status, at.sent] = [302, { location: `${at.url}/anderswo` }];
    expect((await at.desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: at.admin })).json()).toMatchObject({ delivered: false });
    expect(at.received).toHaveLength(1);
    [at.status, at.sent, at.said] = [200, {}, 'x'.repeat(5_000_000)];
    const { answer } = (await at.desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: at.admin })).json<{ answer: string }>();
    expect(answer.length).toBeLessThan(2100);
  });

  it('lead into no private network, neither when they are saved nor after their name has changed to it', async () => {
    await open(false);
    const { port } = at.receiver.address() as AddressInfo;
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
    at.names['innen.example'] = ['127.0.0.1'];
    at.names['halb.example'] = ['93.184.216.34', '10.0.0.1'];
    at.names['gut.example'] = ['93.184.216.34'];
    for (const host of ['innen.example', 'halb.example', 'niemand.example'])
      expect((await save(`https://${host}/`)).json()).toMatchObject({ code: 'invalid_input', fields: { url: expect.any(String) } });
    for (const wrong of ['http://gut.example/', 'https://a:b@gut.example/', 'ftp://gut.example/', 'file:///etc/passwd', 'gut.example'])
      expect([wrong, (await save(wrong)).statusCode]).toEqual([wrong, 400]);
    const { id } = await add(`https://gut.example:${port}/`);
    at.names['gut.example'] = ['127.0.0.1'];
    at.lookups = [];
    const test = await at.desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: at.admin });
    expect(test.json()).toMatchObject({ delivered: false, answer: expect.stringContaining('privates Netz') });
    expect([at.lookups, at.received]).toEqual([['gut.example'], []]);
  });

  it('go to the address that was looked up and checked, and ask no second time', async () => {
    const { port } = at.receiver.address() as AddressInfo;
    at.names['haken.example'] = ['127.0.0.1'];
    const { id } = await add(`http://haken.example:${port}/`);
    at.lookups = [];
    expect((await at.desk.send('POST', `/admin/webhooks/${id}/test`, { cookies: at.admin })).json()).toMatchObject({ delivered: true });
    expect(at.lookups).toEqual(['haken.example']);
    expect(at.received[0]?.headers.host).toBe(`haken.example:${port}`);
  });
});
