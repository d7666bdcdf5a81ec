import { HOUR } from '@feierbild/contract/constants.ts';
import { CLOCK_SKEW_MS, type Clock } from '../lib/clock.ts';
import type { Db, Trx } from './open.ts';

/** Largest allowed drift between the clock and the monotonic clock while a process runs. */
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
 * stored. A clock without monotonic time (in tests) is always trusted.
 */
export function createClockGuard({ db: { kysely, transaction }, clock }: { db: Pick<Db, 'kysely' | 'transaction'>; clock: Clock }) {
  const drift = (): number => clock.now() - (clock.monotonic?.() ?? clock.now());
  let usualDrift = drift();
  /** The last confirmation that this process has read; undefined before the first read. */
  let confirmedAt: number | null | undefined;

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
      if (confirmedAt !== undefined && row.confirmed_at !== confirmedAt) usualDrift = drift();
      confirmedAt = row.confirmed_at;
      const now = clock.now();
      const leapt =
        drift() - usualDrift > DRIFT_MS || now > row.trusted_at + PAUSE_MS || (row.refused_at !== null && now >= row.refused_at);
      if (leapt) {
        if (row.refused_at === null) await set({ refused_at: now });
        return false;
      }
      if (row.refused_at !== null || now >= row.trusted_at + NOTE_MS)
        await set({ trusted_at: Math.max(row.trusted_at, now), refused_at: null });
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
      await transaction(async (trx) => {
        await record?.(trx);
        await set({ trusted_at: now, refused_at: null, confirmed_at: now }, trx);
      });
    },
  };
}
