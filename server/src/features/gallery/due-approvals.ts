import { lockEvent, recordChange } from '../../database/changes.ts';
import type { ClockGuard } from '../../database/clock-guard.ts';
import { every, type Loop } from '../../lib/every.ts';
import type { Context } from '../context.ts';

/** Time between two looks for due photos and galleries. A reveal that comes before the next look has a look of its own. */
const LOOK_MS = 5000;
/** Most that are shown at a look. */
const PIECE = 200;

/**
 * Reveals galleries at their time, and shows waiting photos once their host's time to decide is over. Nobody opens a key for it: a photo's
 * key is sealed to the gallery before, and its flag alone holds it back. After a leap of the clock, which would show everything at once, an
 * operator is asked first.
 */
export function createDueApprovals({
  db,
  clock,
  clockGuard,
  log,
  ending,
}: Pick<Context, 'db' | 'clock' | 'log' | 'ending'> & { clockGuard: Pick<ClockGuard, 'check'> }) {
  let loop: Loop | undefined;

  /** Galleries that wait for a time up to then, which comes first. */
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

  /** Idempotent: other nodes may do it at the same time. */
  async function run(): Promise<void> {
    await reveal();
    await release();
  }

  async function reveal(): Promise<void> {
    const now = clock.now();
    const due = await reveals(now);
    if (due.length === 0 || !(await clockGuard.check())) return;
    for (const { id, gallery_opens_at } of due) {
      await db.transaction(async (trx) => {
        // Another time, or the host's own hand, may have come in between.
        const open = trx
          .updateTable('events')
          .set({ gallery_revealed_at: gallery_opens_at })
          .where('id', '=', id)
          .where('gallery_mode', '=', 'reveal');
        const done = await open
          .where('gallery_opens_at', '=', gallery_opens_at)
          .where('gallery_revealed_at', 'is', null)
          .executeTakeFirst();
        if (done.numUpdatedRows > 0n) await recordChange(trx, id, 'event');
      });
    }
  }

  async function release(): Promise<void> {
    const due = await db.kysely
      .selectFrom('photos')
      .innerJoin('events', 'events.id', 'photos.event_id')
      .select(['photos.id', 'event_id'])
      .where('release_at', '<=', clock.now())
      .where('purging_at', 'is', null)
      .orderBy('release_at')
      .limit(PIECE)
      .execute();
    if (due.length === 0 || !(await clockGuard.check())) return;
    for (const [eventId, photos] of Map.groupBy(due, ({ event_id }) => event_id)) {
      const ids = photos.map(({ id }) => id);
      await db.transaction(async (trx) => {
        await lockEvent(trx, eventId);
        const waited = trx.updateTable('photos').set({ slideshow: 1, release_state: 2, release_at: null }).where('id', 'in', ids);
        // A decision, or another term, may have come in between.
        for (const { id } of await waited.where('release_at', '<=', clock.now()).returning('id').execute())
          await recordChange(trx, eventId, 'shown', id);
      });
    }
  }

  return {
    run,
    /** Runs every few seconds until the process ends. */
    start(): void {
      loop = every(LOOK_MS, { log, ending, failed: 'photos could not be released' }, async () => {
        await run();
        const now = clock.now();
        const next = (await reveals(now + LOOK_MS)).find(({ gallery_opens_at: at }) => at !== null && at > now);
        // Guests count the seconds to a reveal.
        return next ? (next.gallery_opens_at ?? now) - now : LOOK_MS;
      });
    },
    /** Resolves when nothing runs any more, once the process ends. */
    ended: async (): Promise<void> => loop?.ended(),
  };
}
