import type { Db } from '../../database/open.ts';

/** Sums for the metrics; no data of single events. */
export function createMonitoringStore({ kysely }: Pick<Db, 'kysely'>) {
  return {
    /** Over all events that are not purged. */
    async totals(): Promise<{ events: number; photos: number; videos: number; bytes: number }> {
      const row = await kysely
        .selectFrom('events')
        .select((of) => [
          of.fn.countAll<number>().as('events'),
          of.fn.sum<number | null>('photo_count').as('photos'),
          of.fn.sum<number | null>('video_count').as('videos'),
          of.fn.sum<number | null>('used_bytes').as('bytes'),
        ])
        .where('purged_at', 'is', null)
        .executeTakeFirstOrThrow();
      return {
        events: Number(row.events),
        photos: Number(row.photos ?? 0),
        videos: Number(row.videos ?? 0),
        bytes: Number(row.bytes ?? 0),
      };
    },
  };
}
