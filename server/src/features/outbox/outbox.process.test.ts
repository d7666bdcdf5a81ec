import { HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { Unavailable } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import { createLog } from '../../lib/log.ts';
import { createOutbox, type Outcome } from './outbox.ts';
import { PAUSES } from './pauses.ts';
import { outboxOf } from './testing.ts';

const DAY = 24 * HOUR;

describe.each(engines())('the outbox on $name', (engine) => {
  const { at, clock, start, add, rows, states } = outboxOf(engine);

  it('names among what is open first what has failed, however much waits', async () => {
    at.answer = async () => ({ what: 'refused', answer: '550 no such user' });
    await add();
    await at.node.run();
    clock.time += 1000;
    for (let n = 0; n < 3; n++) await add();
    expect((await at.node.list({ states: ['waiting', 'failed'], limit: 2 })).map(({ state }) => state)).toEqual(['failed', 'waiting']);
  });

  it('delivers each entry once from any node, and forgets what it held', async () => {
    const id = await add();
    const other = start();
    await Promise.all([at.node.run(), other.run(), at.node.run()]);
    await other.run();
    expect(at.arrived.map((entry) => [entry.id, entry.payload])).toEqual([[id, { n: 1 }]]);
    expect(await rows()).toMatchObject([{ state: 'delivered', payload: null, answer: '250 ok', attempts: 1 }]);
  });

  it('tries again after 1, 5 and 30 minutes, 2 and 12 hours, then says what the other side answered, until it is asked again', async () => {
    const id = (await add()) as string;
    at.answer = async () => ({ what: 'failed', answer: '450 greylisted' });
    const waits: number[] = [];
    await at.node.run();
    for (let row = (await rows())[0]; row?.state === 'waiting'; row = (await rows())[0]) {
      waits.push(row.due_at - clock.time);
      const before = at.arrived.length;
      clock.time = row.due_at - 1;
      await at.node.run();
      expect(at.arrived).toHaveLength(before);
      clock.time = row.due_at;
      await at.node.run();
      expect(at.arrived).toHaveLength(before + 1);
    }
    expect(waits).toEqual(PAUSES);
    expect(await at.node.list({ limit: 1 })).toMatchObject([{ state: 'failed', answer: '450 greylisted' }]);
    at.answer = async () => ({ what: 'delivered', answer: '250 ok' });
    await at.node.again(id);
    await at.node.run();
    expect(await states()).toEqual(['delivered']);
    expect(new Set(at.arrived.map((entry) => `${entry.id} ${entry.createdAt}`)).size).toBe(1);
    await expect(at.node.again(id)).rejects.toMatchObject({ code: 'delivery_not_found' });
  });

  it('tries no earlier than the other side asks, nor than planned, and each as often as promised, whatever it asks', async () => {
    const DAYS = 40 * DAY;
    for (const asked of [Number.NaN, Number.NEGATIVE_INFINITY, -DAYS, 0, MINUTE / 2, HOUR, 13 * HOUR, DAYS, Number.POSITIVE_INFINITY]) {
      at.arrived = [];
      at.answer = async () => ({ what: 'failed', answer: '429', notBefore: clock.time + asked });
      const id = (await add()) as string;
      const mine = async () => (await rows()).find((row) => row.id === id);
      const waits: number[] = [];
      await at.node.run();
      for (let row = await mine(); row?.state === 'waiting'; row = await mine()) {
        waits.push(row.due_at - clock.time);
        clock.time = row.due_at;
        await at.node.run();
      }
      const least = Math.min(Number.isNaN(asked) ? 0 : asked, 12 * HOUR);
      expect([asked, waits]).toEqual([asked, PAUSES.map((pause) => Math.max(pause, least))]);
      expect(at.arrived).toHaveLength(PAUSES.length + 1);
    }
  });

  it('tries nothing again that was refused for good, or has become needless, and waits where the time has not come', async () => {
    await add({ topic: 'refused' });
    await add({ topic: 'dropped' });
    await add({ topic: 'later' });
    await add({ topic: 'tonight', dueAt: clock.time + 12 * HOUR });
    const until = clock.time + HOUR;
    const outcomes: Record<string, Outcome> = {
      refused: { what: 'refused', answer: '550 nobody here' },
      dropped: { what: 'dropped', answer: '' },
      later: { what: 'later', until },
    };
    at.answer = async ({ topic }) => outcomes[topic] as Outcome;
    await at.node.run();
    expect((await rows()).map((row) => [row.topic, row.state, row.attempts])).toEqual([
      ['refused', 'failed', 1],
      ['dropped', 'dropped', 1],
      ['later', 'waiting', 0],
      ['tonight', 'waiting', 0],
    ]);
    at.arrived = [];
    outcomes.later = { what: 'delivered', answer: '' };
    clock.time = until;
    await at.node.run();
    expect(at.arrived.map(({ topic }) => topic)).toEqual(['later']);
  });

  it('goes on at once with what a clock that was ahead had put off, once it is right again', async () => {
    const right = clock.time;
    clock.time += 10 * DAY;
    at.answer = async () => ({ what: 'failed', answer: '450 greylisted' });
    await add({ topic: 'again' });
    await at.node.run();
    await add({ topic: 'new' });
    await add({ topic: 'killed meanwhile' });
    // SQLite's clock is the server's own.
    await at.db.kysely
      .updateTable('outbox')
      .set({ held_until: Date.now() + 10 * DAY })
      .where('topic', '=', 'killed meanwhile')
      .execute();
    clock.time = right;
    at.arrived = [];
    await at.node.run();
    expect(at.arrived.map(({ topic }) => topic).toSorted()).toEqual(['again', 'killed meanwhile', 'new']);
    // From now on they have the pauses that they always have.
    await at.node.run();
    expect(at.arrived).toHaveLength(3);
    at.answer = async () => ({ what: 'delivered', answer: '250 ok' });
    clock.time += PAUSES[1]!;
    await at.node.run();
    expect(new Set(await states())).toEqual(new Set(['delivered']));
  });

  it('delivers with the same id what a crashed process had taken, once nobody holds it any more', async () => {
    const id = await add();
    const crashed = Promise.withResolvers<Outcome>();
    at.answer = () => crashed.promise;
    const lost = at.node.run();
    await expect.poll(() => at.arrived.length).toBe(1);
    const other = start();
    at.answer = async () => ({ what: 'delivered', answer: '250 ok' });
    await other.run();
    expect(at.arrived).toHaveLength(1);
    // Ends the hold, as the database's clock does within minutes.
    await at.db.kysely.updateTable('outbox').set({ held_until: 1 }).execute();
    await other.run();
    expect(at.arrived.map((entry) => entry.id)).toEqual([id, id]);
    // The first process was only slow; its late outcome changes nothing.
    crashed.resolve({ what: 'failed', answer: 'too late' });
    await lost;
    expect(await rows()).toMatchObject([{ state: 'delivered', answer: '250 ok' }]);
  });

  it('lets a silent address hold up nobody else', async () => {
    await add({ lane: 'silent', topic: 'silent' });
    await add({ lane: 'silent', topic: 'behind it' });
    await add({ topic: 'other' });
    const silence = Promise.withResolvers<Outcome>();
    at.answer = ({ topic }) => (topic === 'silent' ? silence.promise : Promise.resolve({ what: 'delivered', answer: '' }));
    const running = at.node.run();
    await expect.poll(async () => (await rows()).map(({ state }) => state)).toEqual(['waiting', 'waiting', 'delivered']);
    await add({ topic: 'later' });
    await at.node.run();
    await expect.poll(() => at.arrived.map(({ topic }) => topic).sort()).toEqual(['later', 'other', 'silent']);
    silence.resolve({ what: 'delivered', answer: '' });
    await running;
    expect(new Set(await states())).toEqual(new Set(['delivered']));
  });

  it('lets no number of silent addresses of one kind hold up another kind', async () => {
    const silence = Promise.withResolvers<Outcome>();
    at.answer = ({ topic }) => (topic === 'silent' ? silence.promise : Promise.resolve({ what: 'delivered', answer: '' }));
    for (let n = 0; n < 20; n++) await add({ kind: 'webhook', lane: `webhook ${n}`, topic: 'silent' });
    const running = at.node.run();
    await expect.poll(() => at.arrived.length).toBeGreaterThan(7);
    clock.time += 1;
    await add({ topic: 'report' });
    const beside = at.node.run();
    await expect.poll(() => at.arrived.map(({ topic }) => topic)).toContain('report');
    silence.resolve({ what: 'delivered', answer: '' });
    await Promise.all([running, beside]);
    while ((await rows()).some(({ state }) => state === 'waiting')) await at.node.run();
    expect(at.arrived).toHaveLength(21);
  });

  it('outlives a database that goes away while it still looks for lanes', async () => {
    const lost = new Unavailable('database', new Error('the connection ended'));
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    let looks = 0;
    const breaks: KyselyPlugin = {
      // The first kind's lane begins, but its `take` fails.
      transformQuery({ node: query }) {
        if (looks > 0 && query.kind === 'UpdateQueryNode') throw lost;
        return query;
      },
      // Then the query for the second kind's lanes fails.
      async transformResult({ result }) {
        if (looks > 0) await turn();
        if (looks > 0) throw lost;
        looks += Number(result.rows.some((row) => 'lane' in row));
        return result;
      },
    };
    const { kysely } = at.db;
    const away = { ...at.db, kysely: kysely.withPlugin(breaks) };
    await add();
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const outbox = createOutbox({ db: away, clock, log: createLog('silent'), ending: new AbortController().signal });
    for (const kind of ['mail', 'webhook']) outbox.handle(kind, at.answer as never);
    await expect(outbox.run()).rejects.toThrow('database unavailable');
    await turn();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    await at.node.run();
    expect(await states()).toEqual(['delivered']);
  });

  it('leaves to other versions what this one does not know', async () => {
    await add({ kind: 'post', topic: 'Brief' });
    await at.node.run();
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    const newer = start();
    newer.handle('post', async () => ({ what: 'delivered', answer: '' }));
    await newer.run();
    expect(await states()).toEqual(['delivered']);
  });

  it('takes a failed entry out of sight once somebody has settled it, and no other', async () => {
    const id = (await add()) as string;
    await expect(at.node.dismiss(id)).rejects.toMatchObject({ code: 'delivery_not_found' });
    at.answer = async () => ({ what: 'refused', answer: '550' });
    await at.node.run();
    expect(await at.node.failed('invitation')).toEqual([{ kind: 'mail', count: 1 }]);
    await at.node.dismiss(id);
    expect(await states()).toEqual(['dropped']);
    expect(await at.node.failed('invitation')).toEqual([]);
  });

  it('writes an entry that may be there only once no second time, and none of a transaction that fails', async () => {
    expect(await add({ once: 'a' })).not.toBeNull();
    expect(await add({ once: 'a' })).toBeNull();
    const failing = at.db.transaction(async (trx) => {
      await at.node.add(trx, { kind: 'mail', topic: 'report', payload: {} });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await rows()).toHaveLength(1);
  });

  it('gives what may be there only once the same id each time, and delivers what one transaction wrote in its order', async () => {
    const id = await add({ once: 'a' });
    await at.db.kysely.deleteFrom('outbox').execute();
    expect([await add({ once: 'a' }), isUuid(id as string)]).toEqual([id, true]);
    await at.db.kysely.deleteFrom('outbox').execute();
    const topics = Array.from({ length: 9 }, (_, n) => `${n}`);
    await at.db.transaction(async (trx) => {
      for (const topic of topics) await at.node.add(trx, { kind: 'mail', topic, payload: {}, once: topic });
    });
    await at.node.run();
    expect(at.arrived.map(({ topic }) => topic)).toEqual(topics);
  });
});
