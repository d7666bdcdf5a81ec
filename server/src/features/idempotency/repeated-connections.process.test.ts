import { TOKENS_MAX, WEBHOOKS_MAX } from '@feierbild/contract/constants.ts';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { dump, openDesk, PARTY, type Desk, type Jar } from '../accounts/testing.ts';

describe.each(enginesForRules())('a form sent again where its answer was lost, on $name', (engine) => {
  let db: Db;
  let desk: Desk;
  let admin: Jar;
  /** A hook that tests set: runs before a name is looked up. */
  let lookedUp: (name: string) => Promise<void>;

  beforeEach(async () => {
    db = await engine.open();
    lookedUp = async () => undefined;
    const resolve = async (name: string) => lookedUp(name).then(() => [{ address: '127.0.0.1', family: 4 }]);
    desk = await openDesk({ db, clock: { now: () => PARTY }, webhookPrivate: true, resolve });
    admin = await desk.admin();
  }, 60_000);
  afterEach(() => desk.close());
  afterAll(() => engine.dispose());

  const post = (path: string, body: object, key?: string) =>
    desk.send('POST', path, { cookies: admin, body, ...(key !== undefined && { headers: { 'idempotency-key': key } }) });
  const listed = async <T>(path: string): Promise<T> => (await desk.send('GET', path, { cookies: admin })).json<T>();

  it('makes one token, shows it again, and keeps it nowhere', async () => {
    const body = { name: 'Buchung', scopes: ['events:read'] };
    const [first, again] = [await post('/admin/tokens', body, 'k'), await post('/admin/tokens', body, 'k')];
    expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
    expect(again.json()).toEqual(first.json());
    const { token, entry } = first.json<{ token: string; entry: { id: string } }>();
    expect((await listed<{ tokens: object[] }>('/admin/tokens')).tokens).toHaveLength(1);
    expect((await desk.send('GET', '/admin/events', { headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(200);
    expect(await dump(db)).not.toContain(token.slice(4));
    expect((await post('/admin/tokens', { ...body, name: 'Anderes' }, 'k')).json()).toMatchObject({ code: 'idempotency_reused' });
    expect((await post('/admin/tokens', body)).json<{ token: string }>().token).not.toBe(token);
    await desk.send('DELETE', `/admin/tokens/${entry.id}`, { cookies: admin });
    expect((await post('/admin/tokens', body, 'k')).json()).toMatchObject({ code: 'token_not_found' });
  });

  it('makes one webhook, and shows its secret again', async () => {
    const body = { name: 'Haken', url: 'http://127.0.0.1:9/haken', topics: ['event.created'] };
    const [first, again] = [await post('/admin/webhooks', body, 'k'), await post('/admin/webhooks', body, 'k')];
    expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
    expect(again.json()).toEqual(first.json());
    const { webhook } = first.json<{ webhook: { id: string } }>();
    expect((await listed<{ webhooks: object[] }>('/admin/webhooks')).webhooks).toHaveLength(1);
    expect((await post('/admin/webhooks', body)).json<{ webhook: { id: string } }>().webhook.id).not.toBe(webhook.id);
    await desk.send('DELETE', `/admin/webhooks/${webhook.id}`, { cookies: admin });
    expect((await post('/admin/webhooks', body, 'k')).json()).toMatchObject({ code: 'webhook_not_found' });
  });

  const token = (name: string) => ({ name, scopes: ['events:read'] });
  const hook = (name: string) => ({ name, url: 'https://haken.example/', topics: ['event.created'] });
  const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);

  it('answers both of two at once where the first took the last place', async () => {
    for (let n = 1; n < TOKENS_MAX; n++) await post('/admin/tokens', token(`${n}`));
    const [one, two] = await Promise.all([post('/admin/tokens', token('Buchung'), 'k'), post('/admin/tokens', token('Buchung'), 'k')]);
    expect(statuses([one, two])).toEqual([201, 201]);
    expect(one.json()).toEqual(two.json());

    for (let n = 1; n < WEBHOOKS_MAX; n++) await post('/admin/webhooks', hook(`${n}`));
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let lookups = 0;
    lookedUp = async () => {
      if (++lookups > 1) return;
      asked.resolve();
      await answered.promise;
    };
    const slow = post('/admin/webhooks', hook('Haken'), 'h');
    await asked.promise;
    const quick = await post('/admin/webhooks', hook('Haken'), 'h');
    answered.resolve();
    expect(statuses([quick, await slow])).toEqual([201, 201]);
    expect((await slow).json()).toEqual(quick.json());
    expect((await post('/admin/webhooks', hook('Noch einer'), 'i')).json()).toMatchObject({ code: 'too_many_webhooks' });
  });

  it('refuses one of two at once that both want the last place', async () => {
    for (let n = 1; n < TOKENS_MAX; n++) await post('/admin/tokens', token(`${n}`));
    expect(statuses(await Promise.all([post('/admin/tokens', token('Eins')), post('/admin/tokens', token('Zwei'))]))).toEqual([201, 409]);
    expect((await listed<{ tokens: object[] }>('/admin/tokens')).tokens).toHaveLength(TOKENS_MAX);

    for (let n = 1; n < WEBHOOKS_MAX; n++) await post('/admin/webhooks', hook(`${n}`));
    expect(statuses(await Promise.all([post('/admin/webhooks', hook('Eins')), post('/admin/webhooks', hook('Zwei'))]))).toEqual([201, 409]);
    expect((await listed<{ webhooks: object[] }>('/admin/webhooks')).webhooks).toHaveLength(WEBHOOKS_MAX);
  });
});
