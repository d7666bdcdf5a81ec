import type { Clock } from '../lib/clock.ts';
import type { Db } from './open.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How far clock and monotonic clock may differ while a process runs. */
const DRIFT_MS = HOUR_MS;
/** How long the service may have been off before its clock has to be confirmed. */
const PAUSE_MS = 7 * 24 * HOUR_MS;
/** How often the instant that is known to be right is written. */
const NOTE_MS = 5 * 60 * 1000;

/** Whether the clock may decide what is deleted. A clock that leapt ahead would delete everything at once. */
export interface ClockGuard {
  /** False where the clock leapt ahead and no operator has confirmed it; true again once it has come back. */
  check(): Promise<boolean>;
  /** An operator says that the clock is right. */
  confirm(): Promise<void>;
}

/**
 * Compares the clock with the monotonic one while the process runs, and with the last instant that was found right, or else the
 * newest row, when it starts. A clock without monotonic time (in tests) is always right.
 */
export function createClockGuard({ db: { kysely }, clock }: { db: Pick<Db, 'kysely'>; clock: Clock }): ClockGuard {
  const drift = (): number => clock.now() - (clock.monotonic?.() ?? clock.now());
  let usualDrift = drift();
  /** The confirmation that this process knows of. */
  let confirmedAt: number | null | undefined;

  const read = () => kysely.selectFrom('clock').selectAll().where('id', '=', 1).executeTakeFirst();

  /** When the newest row was made; null where there is none. */
  async function newestRow(): Promise<number | null> {
    const newest = await Promise.all([
      kysely
        .selectFrom('events')
        .select((of) => of.fn.max('created_at').as('at'))
        .executeTakeFirst(),
      kysely
        .selectFrom('photos')
        .select((of) => of.fn.max('created_at').as('at'))
        .executeTakeFirst(),
      kysely
        .selectFrom('audit')
        .select((of) => of.fn.max('at').as('at'))
        .executeTakeFirst(),
    ]);
    return newest.reduce<number | null>((last, row) => (row?.at ? Math.max(last ?? 0, row.at) : last), null);
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

  const set = (changes: { trusted_at?: number; refused_at?: number | null; confirmed_at?: number }) =>
    kysely.updateTable('clock').set(changes).where('id', '=', 1).execute();

  return {
    async check() {
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
    async confirm() {
      if (!(await read())) await firstRow();
      const now = clock.now();
      await set({ trusted_at: now, refused_at: null, confirmed_at: now });
    },
  };
}
