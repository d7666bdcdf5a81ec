import { DAY, HOUR } from '@feierbild/contract/constants.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { createClockGuard } from './clock-guard.ts';
import type { Db } from './open.ts';
import { engines } from './testing.ts';

describe.each(engines())('the clocks of several processes on $name', (engine) => {
  let db: Db;
  beforeEach(async () => {
    db = await engine.open();
  });
  afterAll(() => engine.dispose());

  /** Returns the guard of a node whose clock is ahead of the right one by `ahead` ms, and goes on from there; `database` moves the database's. */
  const nodeWith = (lead: { ahead: number; database?: number }) =>
    createClockGuard({
      db,
      clock: {
        ...systemClock,
        now: () => Date.now() + lead.ahead,
        ...(lead.database !== undefined && { database: () => Date.now() + (lead.database ?? 0) }),
      },
    });

  it('are confirmed alone where they show the time that somebody called right', async () => {
    const leaping = { ahead: 0 };
    const [right, wrong, behind] = [nodeWith({ ahead: 0 }), nodeWith(leaping), nodeWith({ ahead: -HOUR / 2 })];
    for (const node of [right, wrong, behind]) expect(await node.check()).toBe(true);
    leaping.ahead = 3 * DAY;
    expect(await wrong.check()).toBe(false);
    await right.confirm();
    expect([await wrong.check(), await right.check(), await behind.check()]).toEqual([false, true, true]);
    await wrong.confirm();
    expect(await wrong.check()).toBe(true);
  });

  describe.runIf(engine.name === 'postgres')('which is ahead of the database', () => {
    it('refuse for as long as they are, also in a new process, whatever a right clock says; nobody else is told to look at theirs', async () => {
      const leaping = { ahead: 0 };
      const [right, wrong] = [nodeWith({ ahead: 0 }), nodeWith(leaping)];
      expect([await right.check(), await wrong.check()]).toEqual([true, true]);
      leaping.ahead = 5 * DAY;
      const before = await db.kysely.selectFrom('clock').select('trusted_at').executeTakeFirstOrThrow();
      for (let n = 0; n < 2; n++) expect([await wrong.check(), await right.refusedAt(), await right.check()]).toEqual([false, null, true]);
      const restarted = nodeWith(leaping);
      expect(await restarted.check()).toBe(false);
      await right.confirm();
      expect([await restarted.check(), await wrong.check(), await nodeWith(leaping).check()]).toEqual([false, false, false]);
      const { trusted_at } = await db.kysely.selectFrom('clock').select('trusted_at').executeTakeFirstOrThrow();
      expect(trusted_at - before.trusted_at).toBeLessThan(HOUR);
      leaping.ahead = 0;
      expect([await restarted.check(), await wrong.check()]).toEqual([true, true]);
    });

    it('are trusted on all nodes where somebody says that it is the database that is wrong', async () => {
      const lead = { ahead: 0, database: -2 * HOUR };
      const nodes = [nodeWith(lead), nodeWith(lead)];
      const checked = () => Promise.all(nodes.map((node) => node.check()));
      expect(await checked()).toEqual([false, false]);
      await nodes[0]?.confirm();
      expect(await checked()).toEqual([true, true]);
      lead.database = 0;
      expect(await checked()).toEqual([true, true]);
    });

    it('are refused in a new process, too, where the database leapt with them on one machine', async () => {
      const machine = { ahead: 0, database: 0 };
      const [elsewhere, beside] = [{ ahead: 0, database: 0 }, machine];
      const [right, wrong] = [nodeWith(elsewhere), nodeWith(beside)];
      expect([await right.check(), await wrong.check()]).toEqual([true, true]);
      for (const lead of [elsewhere, beside]) lead.database = 5 * DAY;
      machine.ahead = 5 * DAY;
      expect([await wrong.check(), await right.check(), await nodeWith(machine).check()]).toEqual([false, true, false]);
      for (const lead of [elsewhere, beside]) Object.assign(lead, { ahead: 0, database: 0 });
      expect([await right.check(), await wrong.check(), await nodeWith(machine).check()]).toEqual([true, true, true]);
    });
  });
});
