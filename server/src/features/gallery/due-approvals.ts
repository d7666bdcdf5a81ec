import { MINUTE } from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import { lockEvent, recordChange } from '../../database/changes.ts';
import { DRIFT_MS, type ClockGuard } from '../../database/clock-guard.ts';
import type { Trx } from '../../database/open.ts';
import { every, type Loop } from '../../lib/every.ts';
import type { Context } from '../context.ts';
import { waitAnew } from '../photo-keys/photo-keys.ts';

/** Interval of checks for due photos and galleries. A reveal within the interval gets a check at its own time. */
const LOOK_MS = 5000;
/** Most galleries and photos per check. */
const PIECE = 200;
/** Time without a check after which the service was out of order, and late photos are those that nobody could decide about. */
const OUT_MS = MINUTE;
/** Failures after which a run ends: then the database itself is in trouble. */
const FAILURES_MAX = 3;
const FAILED = 'photos could not be released';

/**
 * Creates the job that reveals galleries at their time, and shows waiting photos once their host's time to decide is over. It needs no key:
 * a photo's key was sealed to the gallery before, and only its flag holds it back. After a leap of the clock, which would show everything
 * at once, it waits for an operator.
 */
export function createDueApprovals({
  db,
  clock,
  clockGuard,
  log,
  ending,
}: Pick<Context, 'db' | 'clock' | 'log' | 'ending'> & { clockGuard: Pick<ClockGuard, 'check'> }) {
  let loop: Loop | undefined;
  /** When this process last checked, ms since 1970. */
  let checkedAt = -Infinity;

  /** Reads galleries with a reveal up to `until`, the earliest first. */
  const reveals = (until: number) =>
    db.kysely
      .selectFrom('events')
      .select(['id', 'gallery_opens_at'])
      .where('gallery_mode', '=', 'reveal')
      .where('gallery_revealed_at', 'is', null)
      .where('gallery_opens_at', '<=', until)
      .where('purging_at', 'is', null)
      .orderBy('gallery_opens_at')
      .limit(PIECE)
      .execute();

  /** Reveals galleries and shows photos that are due. Idempotent: other nodes may do it at the same time. */
  async function run(): Promise<void> {
    await reveal();
    await putRight();
    await release();
  }

  /** Works on one event after the other. One that fails, for example as its lock is held, keeps the others back no more than a few times. */
  async function inTurn<T>(due: Iterable<T>, work: (trx: Trx, one: T) => Promise<void>): Promise<void> {
    let left = FAILURES_MAX;
    for (const one of due)
      await db
        .transaction((trx) => work(trx, one))
        .catch((error: unknown) => {
          left -= 1;
          if (left === 0) throw error;
          log.error({ err: error }, FAILED);
        });
  }

  async function reveal(): Promise<void> {
    const now = clock.now();
    const due = await reveals(now);
    if (due.length === 0 || !(await clockGuard.check())) return;
    await inTurn(due, async (trx, { id, gallery_opens_at }) => {
      // The host may have set another time or opened the gallery in between.
      const open = trx
        .updateTable('events')
        .set({ gallery_revealed_at: gallery_opens_at })
        .where('id', '=', id)
        .where('gallery_mode', '=', 'reveal');
      const done = await open.where('gallery_opens_at', '=', gallery_opens_at).where('gallery_revealed_at', 'is', null).executeTakeFirst();
      if (done.numUpdatedRows > 0n) await recordChange(trx, id, 'event');
    });
  }

  /**
   * Lets photos that a clock which was ahead has dated wait their minutes from now on. Only what the clock guard would notice counts: a clock
   * that is behind for a moment must not release photos too early.
   */
  async function putRight(): Promise<void> {
    const now = clock.now();
    const latest = now + DRIFT_MS;
    await waitAnew(db.kysely, now)
      .where('release_at', '>', latest)
      .where(sql<boolean>`release_at - events.release_minutes * ${sql.lit(MINUTE)} > ${latest}`)
      .execute();
  }

  /**
   * Lets photos wait their minutes from now on whose time was over while neither this process nor another one checked: nobody could decide
   * about them, as the service or its database was off.
   */
  async function waitAfterOutage(): Promise<void> {
    const now = clock.now();
    const late = now - OUT_MS;
    if (checkedAt < late && (await clockGuard.check())) await waitAnew(db.kysely, now).where('release_at', '<', late).execute();
  }

  async function release(): Promise<void> {
    const due = await db.kysely
      .selectFrom('photos')
      .innerJoin('events', 'events.id', 'photos.event_id')
      .select(['photos.id', 'event_id'])
      .where('release_at', '<=', clock.now())
      .where('purging_at', 'is', null)
      .orderBy('release_at')
      // The first of a sender's photos that wait may have given its name.
      .orderBy('position')
      .limit(PIECE)
      .execute();
    if (due.length === 0 || !(await clockGuard.check())) return;
    await inTurn(
      Map.groupBy(due, ({ event_id }) => event_id),
      async (trx, [eventId, photos]) => {
        const ids = photos.map(({ id }) => id);
        await lockEvent(trx, eventId);
        const waited = trx.updateTable('photos').set({ slideshow: 1, release_state: 2, release_at: null }).where('id', 'in', ids);
        // The host may have decided or set another time in between.
        for (const { id } of await waited.where('release_at', '<=', clock.now()).returning('id').execute())
          await recordChange(trx, eventId, 'shown', id);
      },
    );
  }

  return {
    run,
    /** Runs every few seconds until the process ends. */
    start(): void {
      loop = every(LOOK_MS, { log, ending, failed: FAILED }, async () => {
        await waitAfterOutage();
        await run();
        const now = clock.now();
        checkedAt = now;
        const next = (await reveals(now + LOOK_MS)).find(({ gallery_opens_at: at }) => at !== null && at > now);
        // Guests count the seconds to a reveal, so it must be punctual.
        return next ? (next.gallery_opens_at ?? now) - now : LOOK_MS;
      });
    },
    /** Waits until the loop has ended, after the process began to end. */
    ended: async (): Promise<void> => loop?.ended(),
  };
}
