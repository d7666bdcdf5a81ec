import { HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { Unavailable } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import { createLog } from '../../lib/log.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { addEvent } from '../testing.ts';
import { createOutbox, type Entry, type NewEntry, type Outbox, type Outcome } from './outbox.ts';
import { PAUSES } from './pauses.ts';

const DAY = 24 * HOUR;

describe.each(engines())('the outbox on $name', (engine) => {
  const clock = { time: 0, now: () => clock.time };
  let db: Db;
  let node: Outbox;
  /** The entries that reached the other side. */
  let arrived: Entry[];
  let answer: (entry: Entry) => Promise<Outcome>;

  beforeEach(async () => {
    clock.time = 1_790_000_000_000;
    db = await engine.open();
    arrived = [];
    answer = async () => ({ what: 'delivered', answer: '250 ok' });
    node = start();
  });
  afterAll(() => engine.dispose());

  /** Starts a process beside the others. */
  function start(ending = new AbortController().signal): Outbox {
    const outbox = createOutbox({ db, clock, log: createLog('silent'), ending });
    for (const kind of ['mail', 'webhook'])
      outbox.handle(kind, async (entry) => {
        arrived.push(entry);
        return answer(entry);
      });
    return outbox;
  }
  const add = (entry: Partial<NewEntry> = {}): Promise<string | null> =>
    db.transaction((trx) => node.add(trx, { kind: 'mail', topic: 'report', payload: { n: 1 }, ...entry }));
  const rows = () => db.kysely.selectFrom('outbox').selectAll().orderBy('id').execute();
  const states = async () => (await node.list({ limit: 10 })).map(({ state }) => state);

  it('names among what is open first what has failed, however much waits', async () => {
    answer = async () => ({ what: 'refused', answer: '550 no such user' });
    await add();
    await node.run();
    clock.time += 1000;
    for (let n = 0; n < 3; n++) await add();
    expect((await node.list({ states: ['waiting', 'failed'], limit: 2 })).map(({ state }) => state)).toEqual(['failed', 'waiting']);
  });

  it('delivers each entry once from any node, and forgets what it held', async () => {
    const id = await add();
    const other = start();
    await Promise.all([node.run(), other.run(), node.run()]);
    await other.run();
    expect(arrived.map((entry) => [entry.id, entry.payload])).toEqual([[id, { n: 1 }]]);
    expect(await rows()).toMatchObject([{ state: 'delivered', payload: null, answer: '250 ok', attempts: 1 }]);
  });

  it('tries again after 1, 5 and 30 minutes, 2 and 12 hours, then says what the other side answered, until it is asked again', async () => {
    const id = (await add()) as string;
    answer = async () => ({ what: 'failed', answer: '450 greylisted' });
    const waits: number[] = [];
    await node.run();
    for (let row = (await rows())[0]; row?.state === 'waiting'; row = (await rows())[0]) {
      waits.push(row.due_at - clock.time);
      const before = arrived.length;
      clock.time = row.due_at - 1;
      await node.run();
      expect(arrived).toHaveLength(before);
      clock.time = row.due_at;
      await node.run();
      expect(arrived).toHaveLength(before + 1);
    }
    expect(waits).toEqual(PAUSES);
    expect(await node.list({ limit: 1 })).toMatchObject([{ state: 'failed', answer: '450 greylisted' }]);
    answer = async () => ({ what: 'delivered', answer: '250 ok' });
    await node.again(id);
    await node.run();
    expect(await states()).toEqual(['delivered']);
    expect(new Set(arrived.map((entry) => `${entry.id} ${entry.createdAt}`)).size).toBe(1);
    await expect(node.again(id)).rejects.toMatchObject({ code: 'delivery_not_found' });
  });

  it('tries no earlier than the other side asks, nor than planned, and each as often as promised, whatever it asks', async () => {
    const DAYS = 40 * DAY;
    for (const asked of [Number.NaN, Number.NEGATIVE_INFINITY, -DAYS, 0, MINUTE / 2, HOUR, 13 * HOUR, DAYS, Number.POSITIVE_INFINITY]) {
      arrived = [];
      answer = async () => ({ what: 'failed', answer: '429', notBefore: clock.time + asked });
      const id = (await add()) as string;
      const mine = async () => (await rows()).find((row) => row.id === id);
      const waits: number[] = [];
      await node.run();
      for (let row = await mine(); row?.state === 'waiting'; row = await mine()) {
        waits.push(row.due_at - clock.time);
        clock.time = row.due_at;
        await node.run();
      }
      const least = Math.min(Number.isNaN(asked) ? 0 : asked, 12 * HOUR);
      expect([asked, waits]).toEqual([asked, PAUSES.map((pause) => Math.max(pause, least))]);
      expect(arrived).toHaveLength(PAUSES.length + 1);
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
    answer = async ({ topic }) => outcomes[topic] as Outcome;
    await node.run();
    expect((await rows()).map((row) => [row.topic, row.state, row.attempts])).toEqual([
      ['refused', 'failed', 1],
      ['dropped', 'dropped', 1],
      ['later', 'waiting', 0],
      ['tonight', 'waiting', 0],
    ]);
    arrived = [];
    outcomes.later = { what: 'delivered', answer: '' };
    clock.time = until;
    await node.run();
    expect(arrived.map(({ topic }) => topic)).toEqual(['later']);
  });

  it('goes on at once with what a clock that was ahead had put off, once it is right again', async () => {
    const right = clock.time;
    clock.time += 10 * DAY;
    answer = async () => ({ what: 'failed', answer: '450 greylisted' });
    await add({ topic: 'again' });
    await node.run();
    await add({ topic: 'new' });
    await add({ topic: 'killed meanwhile' });
    // SQLite's clock is the server's own.
    await db.kysely
      .updateTable('outbox')
      .set({ held_until: Date.now() + 10 * DAY })
      .where('topic', '=', 'killed meanwhile')
      .execute();
    clock.time = right;
    arrived = [];
    await node.run();
    expect(arrived.map(({ topic }) => topic).toSorted()).toEqual(['again', 'killed meanwhile', 'new']);
    // From now on they have the pauses that they always have.
    await node.run();
    expect(arrived).toHaveLength(3);
    answer = async () => ({ what: 'delivered', answer: '250 ok' });
    clock.time += PAUSES[1]!;
    await node.run();
    expect(new Set(await states())).toEqual(new Set(['delivered']));
  });

  it('delivers with the same id what a crashed process had taken, once nobody holds it any more', async () => {
    const id = await add();
    const crashed = Promise.withResolvers<Outcome>();
    answer = () => crashed.promise;
    const lost = node.run();
    await expect.poll(() => arrived.length).toBe(1);
    const other = start();
    answer = async () => ({ what: 'delivered', answer: '250 ok' });
    await other.run();
    expect(arrived).toHaveLength(1);
    // Ends the hold, as the database's clock does within minutes.
    await db.kysely.updateTable('outbox').set({ held_until: 1 }).execute();
    await other.run();
    expect(arrived.map((entry) => entry.id)).toEqual([id, id]);
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
    answer = ({ topic }) => (topic === 'silent' ? silence.promise : Promise.resolve({ what: 'delivered', answer: '' }));
    const running = node.run();
    await expect.poll(async () => (await rows()).map(({ state }) => state)).toEqual(['waiting', 'waiting', 'delivered']);
    await add({ topic: 'later' });
    await node.run();
    await expect.poll(() => arrived.map(({ topic }) => topic).sort()).toEqual(['later', 'other', 'silent']);
    silence.resolve({ what: 'delivered', answer: '' });
    await running;
    expect(new Set(await states())).toEqual(new Set(['delivered']));
  });

  it('lets no number of silent addresses of one kind hold up another kind', async () => {
    const silence = Promise.withResolvers<Outcome>();
    answer = ({ topic }) => (topic === 'silent' ? silence.promise : Promise.resolve({ what: 'delivered', answer: '' }));
    for (let n = 0; n < 20; n++) await add({ kind: 'webhook', lane: `webhook ${n}`, topic: 'silent' });
    const running = node.run();
    await expect.poll(() => arrived.length).toBeGreaterThan(7);
    clock.time += 1;
    await add({ topic: 'report' });
    const beside = node.run();
    await expect.poll(() => arrived.map(({ topic }) => topic)).toContain('report');
    silence.resolve({ what: 'delivered', answer: '' });
    await Promise.all([running, beside]);
    while ((await rows()).some(({ state }) => state === 'waiting')) await node.run();
    expect(arrived).toHaveLength(21);
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
    const { kysely } = db;
    const away = { ...db, kysely: kysely.withPlugin(breaks) };
    await add();
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const outbox = createOutbox({ db: away, clock, log: createLog('silent'), ending: new AbortController().signal });
    for (const kind of ['mail', 'webhook']) outbox.handle(kind, answer as never);
    await expect(outbox.run()).rejects.toThrow('database unavailable');
    await turn();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    await node.run();
    expect(await states()).toEqual(['delivered']);
  });

  it('leaves to other versions what this one does not know', async () => {
    await add({ kind: 'post', topic: 'Brief' });
    await node.run();
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    const newer = start();
    newer.handle('post', async () => ({ what: 'delivered', answer: '' }));
    await newer.run();
    expect(await states()).toEqual(['delivered']);
  });

  it('keeps a secret in no row: only its process delivers that, and when this has ended it fails', async () => {
    const id = await add({ secret: 'geheim', topic: 'invitation' });
    expect(JSON.stringify(await rows())).not.toContain('geheim');
    const other = start();
    await other.run();
    expect(arrived).toEqual([]);
    answer = async () => ({ what: 'failed', answer: '450' });
    await node.run();
    expect(arrived.map(({ secret }) => secret)).toEqual(['geheim']);
    clock.time += HOUR;
    await other.run();
    expect(await states()).toEqual(['waiting']);
    // The process ends in the pause of twelve hours, and the next one notices at once.
    await db.kysely
      .updateTable('outbox')
      .set({ due_at: clock.time + 12 * HOUR })
      .execute();
    await node.ended();
    await other.run();
    expect(await rows()).toMatchObject([{ state: 'failed', answer: 'Der Server wurde neu gestartet, bevor das ankam.' }]);
    await expect(other.again(id as string)).rejects.toMatchObject({ code: 'delivery_not_found' });
  });

  it('fails what a killed process kept, once its lease is over', async () => {
    await add({ secret: 'geheim', topic: 'invitation', dueAt: clock.time + 12 * HOUR });
    const other = start();
    await other.run();
    expect(await states()).toEqual(['waiting']);
    // Ends the lease, as the database's clock does within a minute.
    await db.kysely.updateTable('leases').set({ expires_at: 1 }).execute();
    await other.run();
    expect(await states()).toEqual(['failed']);
    await other.forget();
    expect(await db.kysely.selectFrom('leases').select('name').execute()).toEqual([]);
  });

  it('delivers in the end what another process gave up while the one that keeps it was cut off or frozen, and nothing that was settled meanwhile', async () => {
    const due = clock.time + HOUR;
    const id = await add({ secret: 'geheim', topic: 'invitation', dueAt: due });
    const settled = (await add({ secret: 'alt', topic: 'invitation', dueAt: due, lane: 'b' })) as string;
    const other = start();
    await db.kysely.updateTable('leases').set({ expires_at: 1 }).execute();
    await other.run();
    expect(await states()).toEqual(['failed', 'failed']);
    await other.dismiss(settled);
    clock.time = due;
    await node.run();
    expect(arrived.map((entry) => [entry.id, entry.secret])).toEqual([[id, 'geheim']]);
    expect((await states()).toSorted()).toEqual(['delivered', 'dropped']);
    await other.run();
    expect((await states()).toSorted()).toEqual(['delivered', 'dropped']);
  });

  it('goes on with what was given up in the middle of an attempt that then fails', async () => {
    const attempt = Promise.withResolvers<Outcome>();
    answer = () => attempt.promise;
    await add({ secret: 'geheim', topic: 'invitation' });
    const frozen = node.run();
    await expect.poll(() => arrived.length).toBe(1);
    // Ends the lease and the hold, as the database's clock does within minutes.
    await db.kysely.updateTable('leases').set({ expires_at: 1 }).execute();
    await db.kysely.updateTable('outbox').set({ held_until: 1 }).execute();
    await start().run();
    expect(await states()).toEqual(['failed']);
    attempt.resolve({ what: 'failed', answer: 'Die andere Seite hat nicht rechtzeitig geantwortet.' });
    await frozen;
    answer = async () => ({ what: 'delivered', answer: '250 ok' });
    await node.run();
    expect([await states(), arrived.at(-1)?.secret]).toEqual([['delivered'], 'geheim']);
  });

  it.runIf(engine.name === 'sqlite')('fails at the start what the process before it kept: the file is its alone', async () => {
    await add({ secret: 'geheim', topic: 'invitation', dueAt: clock.time + 12 * HOUR });
    const ending = new AbortController();
    start(ending.signal).start();
    await expect.poll(states).toEqual(['failed']);
    ending.abort();
  });

  it('takes a failed entry out of sight once somebody has settled it, and no other', async () => {
    const id = (await add()) as string;
    await expect(node.dismiss(id)).rejects.toMatchObject({ code: 'delivery_not_found' });
    answer = async () => ({ what: 'refused', answer: '550' });
    await node.run();
    expect(await node.failed('invitation')).toEqual([{ kind: 'mail', count: 1 }]);
    await node.dismiss(id);
    expect(await states()).toEqual(['dropped']);
    expect(await node.failed('invitation')).toEqual([]);
  });

  it('takes no process for lost that has too much to do', async () => {
    const silence = Promise.withResolvers<Outcome>();
    answer = () => silence.promise;
    await add({ topic: 'silent' });
    const running = node.run();
    await expect.poll(() => arrived.length).toBe(1);
    await add({ secret: 'geheim', topic: 'invitation' });
    const other = start();
    for (let minutes = 0; minutes < 30; minutes += 5) {
      clock.time += 5 * MINUTE;
      await node.run();
      await other.run();
    }
    answer = async () => ({ what: 'delivered', answer: '' });
    silence.resolve({ what: 'delivered', answer: '' });
    await running;
    await expect.poll(states).toEqual(['delivered', 'delivered']);
  });

  it('writes an entry that may be there only once no second time, and none of a transaction that fails', async () => {
    expect(await add({ once: 'a' })).not.toBeNull();
    expect(await add({ once: 'a' })).toBeNull();
    const failing = db.transaction(async (trx) => {
      await node.add(trx, { kind: 'mail', topic: 'report', payload: {} });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await rows()).toHaveLength(1);
  });

  it('gives what may be there only once the same id each time, and delivers what one transaction wrote in its order', async () => {
    const id = await add({ once: 'a' });
    await db.kysely.deleteFrom('outbox').execute();
    expect([await add({ once: 'a' }), isUuid(id as string)]).toEqual([id, true]);
    await db.kysely.deleteFrom('outbox').execute();
    const topics = Array.from({ length: 9 }, (_, n) => `${n}`);
    await db.transaction(async (trx) => {
      for (const topic of topics) await node.add(trx, { kind: 'mail', topic, payload: {}, once: topic });
    });
    await node.run();
    expect(arrived.map(({ topic }) => topic)).toEqual(topics);
  });

  it('forgets: an event’s entries with the event, others after 90 days, failed ones 90 days after they failed', async () => {
    const { id: eventId } = await addEvent({ db, vault: createQuickVault() }, { created_at: clock.time });
    await add({ eventId, topic: 'of an event' });
    await add({ topic: 'of none' });
    await add({ topic: 'failed', lane: 'b' });
    await add({ eventId, topic: 'failed of an event', lane: 'c' });
    answer = async ({ topic }) => ({ what: topic.startsWith('failed') ? 'failed' : 'delivered', answer: '' });
    const written = clock.time;
    for (const pause of [0, ...PAUSES]) {
      clock.time += pause;
      await node.run();
    }
    const triedFor = clock.time - written;
    const left = async () => {
      await node.forget();
      return (await rows()).map(({ topic }) => topic);
    };
    clock.time = written + 90 * DAY - 1;
    expect(await left()).toHaveLength(4);
    clock.time += 1;
    expect((await left()).toSorted()).toEqual(['failed', 'failed of an event', 'of an event']);
    expect(await node.failed('invitation')).toEqual([{ kind: 'mail', count: 2 }]);
    clock.time += triedFor;
    expect((await left()).toSorted()).toEqual(['failed of an event', 'of an event']);
    await db.kysely.deleteFrom('events').where('id', '=', eventId).execute();
    expect(await left()).toEqual([]);
  });

  it('forgets the address of a failed entry 14 days after it failed, at the latest when its time is over, and still says that it failed', async () => {
    const [address, longest] = ['lena@example.org', 30 * DAY];
    const refuse = async ({ payload }: Entry): Promise<Outcome> => {
      const { notBefore } = payload as { notBefore?: number };
      if (notBefore !== undefined && clock.time < notBefore) return { what: 'later', until: clock.time + 5 * MINUTE };
      return { what: 'refused', answer: `550 <${address}>: unbekannt` };
    };
    node.handle('letter', refuse, { deleted: longest });
    const letter = { kind: 'letter', topic: 'deleted', payload: { address } };
    const early = await add(letter);
    const late = await add({ ...letter, payload: { address, notBefore: clock.time + 20 * DAY } });
    const other = await add({ kind: 'letter', topic: 'report' });
    const held = async () => {
      await node.forget();
      return (await rows()).filter(({ payload, answer }) => `${payload} ${answer}`.includes(address)).map(({ id }) => id);
    };
    await node.run();
    clock.time += 14 * DAY - 1;
    expect((await held()).toSorted()).toEqual([early, late, other].toSorted());
    clock.time += 1;
    expect(await held()).toHaveLength(2);
    await expect(node.again(early as string)).rejects.toMatchObject({ code: 'delivery_not_found' });
    clock.time += 6 * DAY;
    await node.run();
    clock.time += 10 * DAY - 1;
    expect(await held()).toContain(late);
    clock.time += 1;
    expect(await held()).toEqual([other]);
    expect(await node.failed('invitation')).toEqual([{ kind: 'letter', count: 3 }]);
    await node.again(other as string);
    await node.dismiss(early as string);
    expect(await node.failed('invitation')).toEqual([{ kind: 'letter', count: 1 }]);
  });
});
