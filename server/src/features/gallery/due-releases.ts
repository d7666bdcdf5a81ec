import { recordChange } from '../../database/changes.ts';
import type { ClockGuard } from '../../database/clock-guard.ts';
import type { Ground } from '../ground.ts';

/** How often is looked for photos whose time has come. */
const LOOK_MS = 5000;
/** Most that are shown at a look. */
const PIECE = 200;

/**
 * Shows photos that waited for a decision as long as their host lets them. Nobody has their keys then: what guests have of them was sealed
 * while somebody had, and the flag alone held it back. A clock that leapt ahead would show everything at once: then an operator is asked first.
 */
export function createDueReleases({
  db,
  clock,
  clockGuard,
  log,
  ending,
}: Pick<Ground, 'db' | 'clock' | 'log' | 'ending'> & { clockGuard: Pick<ClockGuard, 'check'> }) {
  let ticking: Promise<void> | undefined;

  /** Idempotent: other nodes may do it at the same time. */
  async function run(): Promise<void> {
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
        await trx.selectFrom('events').select('id').where('id', '=', eventId).forUpdate().execute();
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
      const timer = setInterval(() => {
        ticking ??= run()
          .catch((error: unknown) => {
            if (!ending.aborted) log.error({ err: error }, 'photos could not be released');
          })
          .finally(() => (ticking = undefined));
      }, LOOK_MS);
      ending.addEventListener('abort', () => clearInterval(timer));
    },
    /** Resolves when nothing runs any more, once the process ends. */
    ended: async (): Promise<void> => ticking,
  };
}
