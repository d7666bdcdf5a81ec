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

    /** Uploads that are not complete, and the bytes that are kept of them. */
    async openUploads(): Promise<{ count: number; bytes: number }> {
      const row = await kysely
        .selectFrom('uploads')
        .select((of) => [of.fn.countAll<number>().as('count'), of.fn.sum<number | null>('received').as('bytes')])
        .where('photo_id', 'is', null)
        .executeTakeFirstOrThrow();
      return { count: Number(row.count), bytes: Number(row.bytes ?? 0) };
    },
  };
}
