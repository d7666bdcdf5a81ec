import { afterAll, beforeEach } from 'vitest';
import type { Db } from '../../database/open.ts';
import type { Engine } from '../../database/testing.ts';
import { createLog } from '../../lib/log.ts';
import { createOutbox, type Entry, type NewEntry, type Outbox, type Outcome } from './outbox.ts';

/** For tests: opens a database before each test, and one process whose messages reach the test. */
export function outboxOf(engine: Engine) {
  const clock = { time: 0, now: () => clock.time };
  const at = {} as {
    db: Db;
    node: Outbox;
    /** The entries that reached the other side. */
    arrived: Entry[];
    answer: (entry: Entry) => Promise<Outcome>;
  };

  beforeEach(async () => {
    clock.time = 1_790_000_000_000;
    at.db = await engine.open();
    at.arrived = [];
    at.answer = async () => ({ what: 'delivered', answer: '250 ok' });
    at.node = start();
  });
  afterAll(() => engine.dispose());

  /** Starts a process beside the others. */
  function start(ending = new AbortController().signal): Outbox {
    const outbox = createOutbox({ db: at.db, clock, log: createLog('silent'), ending });
    for (const kind of ['mail', 'webhook'])
      outbox.handle(kind, async (entry) => {
        at.arrived.push(entry);
        return at.answer(entry);
      });
    return outbox;
  }
  const add = (entry: Partial<NewEntry> = {}): Promise<string | null> =>
    at.db.transaction((trx) => at.node.add(trx, { kind: 'mail', topic: 'report', payload: { n: 1 }, ...entry }));
  const rows = () => at.db.kysely.selectFrom('outbox').selectAll().orderBy('id').execute();
  const states = async () => (await at.node.list({ limit: 10 })).map(({ state }) => state);

  return { at, clock, start, add, rows, states };
}
