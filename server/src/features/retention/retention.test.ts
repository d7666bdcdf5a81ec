import { randomBytes } from 'node:crypto';
import {
  ADDRESSES_KEPT,
  DAY,
  FAILURES_KEPT,
  HOUR,
  IDEMPOTENCY_KEPT,
  INVITATION_KEPT,
  LINK_LIFETIME,
  RECORDS_KEPT,
  SESSIONS,
  UPLOAD_KEPT,
} from '@feierbild/contract/constants.ts';
import { describe, expect, it } from 'vitest';
import { commands } from '../../cli/commands.ts';
import { createClockGuard } from '../../database/clock-guard.ts';
import { fillTables } from '../../database/testing/fill.ts';
import { enginesForRules, runSql } from '../../database/testing.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { eventPrefix } from '../../storage/blob-store.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { fail } from '../rate-limits/testing.ts';
import { createRetention } from './retention.ts';
import { DUE, HOLDINGS, PARTY, portlessPremisesOf } from './testing/premises.ts';

describe.each(enginesForRules())('retention on $name', (engine) => {
  const at = portlessPremisesOf(engine);
  /** Reads the leases that are taken. */
  const leased = () => at.db.kysely.selectFrom('leases').select('name').where('expires_at', '>', 0).execute();
  const blobs = async (): Promise<string[]> => (await at.app.leftovers()).blobs;

  it('changes nothing when it runs again', async () => {
    const { id } = await at.event();
    const { retention, lines } = at.node();
    at.clock.time = DUE;
    await retention.run();
    const row = await at.app.row(id);
    at.clock.time = DUE + HOUR;
    expect(await retention.run()).toBe(true);
    expect(await at.app.row(id)).toEqual(row);
    expect(await at.count('audit')).toBe(1);
    expect(lines).toHaveLength(1);
    expect(await leased()).toEqual([]);
  });

  it('purges the others where one fails, destroys its keys all the same, and tries it again', async () => {
    const [first, bad, last] = [await at.event(), await at.event(), await at.event()];
    for (const { id } of [first, bad, last]) await at.app.blobs.put(`${eventPrefix(id)}${uuidv7(0)}.original`, randomBytes(9));
    at.stuck.add(bad.id);
    const { retention, lines } = at.node();
    at.clock.time = DUE;
    expect(await retention.run()).toBe(true);
    expect((await at.app.row(first.id)).purged_at).toBe(DUE);
    expect((await at.app.row(last.id)).purged_at).toBe(DUE);
    expect(await at.app.row(bad.id)).toMatchObject({ purging_at: DUE, purged_at: null });
    expect(await Promise.all(HOLDINGS.map(at.count))).toEqual(HOLDINGS.map(() => 0));
    expect(await blobs()).toEqual([expect.stringContaining(bad.id)]);
    expect(lines).toContainEqual(expect.objectContaining({ event: bad.id, message: 'retention failed' }));

    at.stuck.clear();
    at.clock.time = DUE + HOUR;
    await retention.run();
    expect(await at.app.row(bad.id)).toMatchObject({ purging_at: DUE, purged_at: DUE + HOUR });
    expect(await blobs()).toEqual([]);
  });

  it('says how many events are overdue by a day or more', async () => {
    const [, bad] = [await at.event(), await at.event()];
    at.stuck.add(bad.id);
    const { retention } = at.node();
    at.clock.time = DUE + DAY - 1;
    expect(await retention.overdue()).toBe(0);
    await retention.run();
    at.clock.time = DUE + DAY;
    expect(await retention.overdue()).toBe(1);
    at.stuck.clear();
    await retention.run();
    expect(await retention.overdue()).toBe(0);
  });

  it('finishes what a crash has begun before it begins anything else', async () => {
    const due = await at.event();
    const begun = await at.event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    await at.db.kysely
      .updateTable('events')
      .set({ purging_at: DUE - HOUR })
      .where('id', '=', begun.id)
      .execute();
    const { retention, lines } = at.node();
    at.clock.time = DUE;
    await retention.run();
    expect(lines.map((line) => line.event)).toEqual([begun.id, due.id]);
  });

  it('goes on with the other steps where one fails', async () => {
    const made = await at.event();
    const parts = at.node();
    parts.sessions.endExpired = () => Promise.reject(new Error('broken'));
    at.clock.time = DUE + RECORDS_KEPT;
    await at.db.kysely.updateTable('events').set({ purging_at: DUE, purged_at: DUE }).where('id', '=', made.id).execute();
    expect(await createRetention(parts).run()).toBe(true);
    expect(parts.lines).toEqual([expect.objectContaining({ step: 'sessions', message: 'retention failed' })]);
    expect(await at.count('events')).toBe(0);
  });

  it('ends expired sessions with their keys, and no others', async () => {
    const { id } = await at.app.event(PARTY);
    await at.db.kysely.deleteFrom('sessions').execute();
    const { sessions, retention } = at.node();
    const logIn = () => at.db.transaction((trx) => sessions.start('user', id, createQuickVault().createKeyPair(), trx));
    at.clock.time = DUE - 2 * SESSIONS.user.idle;
    await logIn();
    at.clock.time += 1;
    await logIn();
    at.clock.time += SESSIONS.user.idle - 1;
    await retention.run();
    expect([await at.count('sessions'), await at.count('session_keys')]).toEqual([1, 1]);
    at.clock.time += 1;
    await retention.run();
    expect([await at.count('sessions'), await at.count('session_keys')]).toEqual([0, 0]);
  });

  it('anonymises addresses in the audit trail after 7 days, and removes its entries and purged events after 12 months', async () => {
    const { id } = await at.event();
    const { audit, retention } = at.node();
    at.clock.time = DUE;
    await retention.run();
    for (const address of ['192.0.2.77', '2001:db8:7:8:9:a:b:c', '192.0.2.0']) {
      await audit.record({ actor: 'host', action: 'host.login', eventId: id, address });
    }
    const addresses = async () =>
      (await at.db.kysely.selectFrom('audit').select('address').where('address', 'is not', null).orderBy('id').execute())
        .map(({ address }) => address)
        .sort();
    at.clock.time = DUE + 1;
    await audit.record({ actor: 'host', action: 'host.login', eventId: id, address: '192.0.2.78' });

    at.clock.time = DUE + ADDRESSES_KEPT - 1;
    await retention.run();
    expect(await addresses()).toEqual(['192.0.2.0', '192.0.2.77', '192.0.2.78', '2001:db8:7:8:9:a:b:c']);
    at.clock.time = DUE + ADDRESSES_KEPT;
    await expect(audit.forget(AbortSignal.abort(new Error('lost')))).rejects.toThrow('lost');
    await retention.run();
    expect(await addresses()).toEqual(['192.0.2.0', '192.0.2.0', '192.0.2.78', '2001:db8:7::']);

    at.clock.time = DUE + RECORDS_KEPT - 1;
    await retention.run();
    expect([await at.count('events'), await at.count('audit')]).toEqual([1, 5]);
    at.clock.time = DUE + RECORDS_KEPT;
    await retention.run();
    expect([await at.count('events'), await at.count('audit')]).toEqual([0, 1]);
  });

  it('removes the failures of past windows', async () => {
    const { limits, retention } = at.node();
    await fail(limits, 'login', 'somebody');
    await retention.run();
    expect(await at.count('failures')).toBe(1);
    at.clock.time += FAILURES_KEPT + 1;
    await retention.run();
    expect(await at.count('failures')).toBe(0);
  });

  it('sweeps at night, or when asked to, what crashes left in the photo store, and nothing that may be on its way', async () => {
    const { id } = await at.event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    const key = `${eventPrefix(id)}${uuidv7(0)}.original`;
    await at.app.blobs.put(key, randomBytes(9));
    const night = DUE - DAY + 4 * HOUR;
    at.clock.time = night;
    await at.node().retention.run();
    expect(await blobs()).toEqual([key]);
    at.janitor.later = DAY;
    at.clock.time = night + 8 * HOUR;
    await at.node().retention.run();
    expect(await blobs()).toEqual([key]);
    at.clock.time = night + DAY;
    const { retention, lines } = at.node();
    await retention.run();
    expect([await blobs(), lines]).toEqual([[], [{ removed: 1, message: 'orphans removed' }]]);
    await at.app.blobs.put(key, randomBytes(9));
    at.clock.time += 8 * HOUR;
    await retention.run(undefined, { thorough: true });
    expect(await blobs()).toEqual([]);
  });

  describe('with a clock that leaps', () => {
    /** Starts a node in a new process; only the monotonic part of `clock` goes on by itself. */
    const clock = { time: 0, up: 0, now: () => clock.time, monotonic: () => clock.up, database: () => clock.time };
    const start = () => {
      const { lines, ...parts } = at.node();
      const clockGuard = createClockGuard({ db: at.db, clock });
      return { lines, clockGuard, retention: createRetention({ ...parts, clock, clockGuard }) };
    };
    const pass = (ms: number): void => {
      clock.time += ms;
      clock.up += ms;
    };
    const purged = async (id: string) => (await at.app.row(id)).purged_at !== null;

    it('purges nothing after a leap of the running clock, says so once, and goes on when it has come back', async () => {
      clock.time = DUE - 10 * DAY;
      const { id } = await at.event();
      const { retention, lines } = start();
      await retention.run();
      clock.time += 10 * DAY;
      for (let hour = 0; hour < 3; hour++) {
        pass(HOUR);
        await retention.run();
      }
      expect([await purged(id), await at.count('event_keys')]).toEqual([false, 1]);
      expect(lines).toEqual([expect.objectContaining({ step: 'clock' })]);
      // The next process, which never saw the leap, does not trust it either.
      const next = start();
      await next.retention.run();
      expect(await purged(id)).toBe(false);
      clock.time = DUE - 10 * DAY + 3 * HOUR;
      await next.retention.run();
      expect(await next.clockGuard.check()).toBe(true);
      expect(await retention.run()).toBe(true);
      pass(6 * DAY);
      await retention.run();
      pass(4 * DAY);
      await retention.run();
      expect(await purged(id)).toBe(true);
    });

    it('purges nothing where it was off for longer than a week, until an operator says that the clock is right', async () => {
      clock.time = DUE - 8 * DAY;
      const { id } = await at.event();
      await start().retention.run();
      clock.time = DUE;
      const { retention, clockGuard } = start();
      await retention.run();
      expect([await purged(id), await clockGuard.check()]).toEqual([false, false]);
      await clockGuard.confirm();
      await retention.run();
      expect(await purged(id)).toBe(true);
    });

    it('takes no word for it that is not recorded with its author', async () => {
      await at.app.clockGuard.confirm();
      const confirmed = () => at.db.kysely.selectFrom('clock').select('confirmed_at').executeTakeFirst();
      const before = await confirmed();
      at.clock.time += HOUR;
      await runSql(at.db, 'alter table audit rename to former');
      const maintain = commands.find(({ name }) => name === 'maintain') as (typeof commands)[number];
      const operator = { features: async () => at.app, terminal: { print: () => undefined } } as unknown as Parameters<
        typeof maintain.run
      >[1];
      await expect(maintain.run({ args: [], options: new Map([['clock-is-right', 'true']]) }, operator)).rejects.toThrow();
      expect(await confirmed()).toEqual(before);
    });

    /** Writes on a clock that is a year ahead, as `fillTables` does, and sets it back. */
    async function writeAhead(): Promise<void> {
      const { id } = await at.app.event(PARTY);
      await fillTables(at.db, { event_id: id });
      await at.db.kysely.deleteFrom('audit').execute();
      at.clock.time = DUE + 335 * DAY;
      await at.node().audit.record({ actor: 'host', action: 'host.login', eventId: id, address: '192.0.2.77' });
      clock.time = at.clock.time = DUE - 30 * DAY;
      await start().clockGuard.confirm();
    }
    const ends = async () => {
      const tables = ['links', 'kept_answers', 'uploads', 'invitations'] as const;
      const rows = await Promise.all(tables.map((table) => at.db.kysely.selectFrom(table).select('expires_at').execute()));
      const ofHost = at.db.kysely.selectFrom('sessions').where('role', '=', 'user');
      const idle = await ofHost.select('expires_at').execute();
      const latest = await ofHost.select('expires_at_latest as expires_at').execute();
      return [...rows, idle, latest].map((found) => Math.max(...found.map(({ expires_at }) => Number(expires_at))) - at.clock.time);
    };

    it('lets what was written while it was ahead end after its own period, once it is right, and shortens the addresses', async () => {
      const { health } = at.node();
      await writeAhead();
      expect(await health.facts().read.longAddresses()).toBe(1);
      await start().retention.run();
      expect(await ends()).toEqual([
        LINK_LIFETIME,
        IDEMPOTENCY_KEPT,
        UPLOAD_KEPT,
        INVITATION_KEPT,
        SESSIONS.user.idle,
        SESSIONS.user.longest,
      ]);
      expect(await health.facts().read.longAddresses()).toBe(0);
      const kept = await at.db.kysely.selectFrom('audit').select('address').where('address', 'is not', null).execute();
      expect(kept.map(({ address }) => address)).toContain('192.0.2.0');
    });

    it('lets nothing end sooner on a clock that is behind', async () => {
      await writeAhead();
      const before = await ends();
      clock.time = DUE;
      const { clockGuard, retention } = start();
      await clockGuard.confirm();
      clock.time = DUE - 30 * DAY;
      await retention.run();
      expect(await ends()).toEqual(before);
    });

    it('compares with the newest row where no run has noted the time yet', async () => {
      at.clock.time = DUE - 8 * DAY;
      const { id } = await at.event();
      await at.db.kysely.deleteFrom('clock').execute();
      clock.time = DUE;
      await start().retention.run();
      expect(await purged(id)).toBe(false);
    });
  });
});
