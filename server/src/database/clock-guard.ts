import { HOUR } from '@feierbild/contract/constants.ts';
import { CLOCK_SKEW_MS, type Clock } from '../lib/clock.ts';
import { databaseNow } from './leases.ts';
import type { Db, Trx } from './open.ts';

/** Largest allowed drift between the clock and the monotonic clock while a process runs, and largest lead over PostgreSQL's clock. */
export const DRIFT_MS = HOUR;
/** Longest time without the service after which the clock is trusted without an operator's confirmation. */
const PAUSE_MS = 7 * 24 * HOUR;
/** Interval at which the last trusted instant is stored. */
const NOTE_MS = 5 * 60 * 1000;

/** Stores the first trusted instant of a database that has none, as after a restore. */
export async function noteTrusted(trx: Trx, trusted_at: number): Promise<void> {
  await trx.insertInto('clock').values({ id: 1, trusted_at, refused_at: null, confirmed_at: null }).execute();
}

export type ClockGuard = ReturnType<typeof createClockGuard>;

/**
 * Decides whether deletions may rely on the clock: a clock that jumped ahead would make everything due at once. While the process runs, the
 * clock is compared with the monotonic clock. At the start it is compared with the last trusted instant, or with the newest row if none is
 * stored. PostgreSQL's clock, which several nodes share, is compared at each check: a node that is ahead of it refuses by itself, since the
 * row would tell the other nodes that theirs are wrong. A clock without monotonic time (in tests) is always trusted.
 */
export function createClockGuard({
  db: { kysely, transaction, engine },
  clock,
}: {
  db: Pick<Db, 'kysely' | 'transaction' | 'engine'>;
  clock: Clock;
}) {
  const uptime = (): number => clock.monotonic?.() ?? clock.now();
  const drift = (): number => clock.now() - uptime();
  /** The differences that are no leap: to the monotonic clock, and to PostgreSQL's. */
  let usual = { drift: drift(), lead: 0 };
  /** The last confirmation that this process has read, and when it read the row; undefined before the first read. */
  let seen: { confirmedAt: number | null; uptime: number } | undefined;

  /** Compares the clock with the others. A SQLite file has no other clock than this one. */
  async function differences(): Promise<typeof usual> {
    if (engine === 'sqlite') return { drift: drift(), lead: 0 };
    const ask = () => kysely.selectNoFrom(databaseNow(engine).as('now')).executeTakeFirstOrThrow();
    const shared = clock.database?.() ?? (await ask()).now;
    return { drift: drift(), lead: clock.now() - shared };
  }

  /**
   * Tells whether an operator has confirmed the time since the last read, and meant this clock: on another node the confirmed time may be a
   * different one.
   */
  function isConfirmed(confirmedAt: number | null): boolean {
    if (!seen || confirmedAt === null || confirmedAt === seen.confirmedAt) return false;
    return clock.now() - confirmedAt <= DRIFT_MS + uptime() - seen.uptime;
  }

  const read = () => kysely.selectFrom('clock').selectAll().where('id', '=', 1).executeTakeFirst();

  /** Returns when the newest row was made; null if there is none. */
  async function newestRow(): Promise<number | null> {
    const newest = kysely
      .selectFrom('events')
      .select('created_at as at')
      .unionAll(kysely.selectFrom('photos').select('created_at as at'))
      .unionAll(kysely.selectFrom('audit').select('at'));
    const { at } = await kysely
      .selectFrom(newest.as('newest'))
      .select((of) => of.fn.max('at').as('at'))
      .executeTakeFirstOrThrow();
    return at;
  }

  async function firstRow() {
    const trusted_at = Math.min((await newestRow()) ?? clock.now(), clock.now());
    const row = { id: 1, trusted_at, refused_at: null, confirmed_at: null };
    await kysely
      .insertInto('clock')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return row;
  }

  const set = (
    changes: { trusted_at?: number; refused_at?: number | null; confirmed_at?: number },
    into: Pick<Trx, 'updateTable'> = kysely,
  ) => into.updateTable('clock').set(changes).where('id', '=', 1).execute();

  return {
    /** Returns false while the clock is ahead and no operator has confirmed it; true again once it has been set back. */
    async check(): Promise<boolean> {
      if (!clock.monotonic) return true;
      const row = (await read()) ?? (await firstRow());
      const found = await differences();
      if (isConfirmed(row.confirmed_at)) usual = found;
      seen = { confirmedAt: row.confirmed_at, uptime: uptime() };
      const lead = found.lead - usual.lead;
      if (lead > DRIFT_MS) return false;
      const now = clock.now();
      const leapt =
        found.drift - usual.drift > DRIFT_MS || now > row.trusted_at + PAUSE_MS || (row.refused_at !== null && now >= row.refused_at);
      if (leapt) {
        if (row.refused_at === null) await set({ refused_at: now });
        return false;
      }
      // A database that is ahead may be on the machine whose clock leapt: then that node's refusal must stay.
      const refused_at = lead < -DRIFT_MS ? row.refused_at : null;
      if (row.refused_at !== refused_at || now >= row.trusted_at + NOTE_MS)
        await set({ trusted_at: Math.max(row.trusted_at, now), refused_at });
      return true;
    },
    /** Tells whether the clock is behind an instant at which it was trusted: what seems to lie in the future may be right then. */
    async isBehind(): Promise<boolean> {
      const row = await read();
      return row !== undefined && clock.now() < row.trusted_at - CLOCK_SKEW_MS;
    },
    /** Returns when the guard first refused, on any node; null while nothing is refused. */
    refusedAt: async (): Promise<number | null> => (await read())?.refused_at ?? null,
    /** Trusts the clock because an operator says that it is right; `record` notes in the same transaction who that is. */
    async confirm(record?: (trx: Trx) => Promise<void>): Promise<void> {
      if (!(await read())) await firstRow();
      const now = clock.now();
      const found = await differences();
      await transaction(async (trx) => {
        await record?.(trx);
        await set({ trusted_at: now, refused_at: null, confirmed_at: now }, trx);
      });
      usual = found;
    },
  };
}
