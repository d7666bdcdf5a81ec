import { sql } from 'kysely';
import type { Db } from '../../database/open.ts';
import { COUNTED } from '../../database/photo-states.ts';
import { inPages } from '../../database/pieces.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Tampered, type Vault } from '../../vault/vault.ts';
import { eventSecret, gallerySecret, uncovered } from '../photo-keys/photo-keys.ts';
import { sealedGuestKey, type DescribedForEvent } from '../sealed-metadata/sealed-metadata.ts';
import type { PhotoBlobs } from '../../storage/blob-store.ts';

export interface StoredPhoto extends PhotoBlobs, DescribedForEvent {
  /** Null if the photo's keys are missing. */
  sealed_for_event: Bytes | null;
  facts: Bytes | null;
  /** Null if guests do not see the photo; empty if its covered key was changed. */
  sealed_for_gallery: Bytes | null;
  slideshow: number;
  release_at: number | null;
}

/** A part of an upload that is not complete. */
export type StoredPart = Awaited<ReturnType<ReturnType<typeof createIntegrityStore>['parts']>>[number];

/** The counters of an event: their names in findings, their columns, and the values that the rows give. */
const COUNTERS = [
  ['Belegter Speicher in Bytes', 'used_bytes', COUNTED.used_bytes],
  ['Zahl der Fotos', 'photo_count', COUNTED.photo_count],
  ['Zahl der Videos', 'video_count', COUNTED.video_count],
  ['Zahl der Fotos ohne Original', 'announced_count', COUNTED.announced_count],
  ['Zahl der Geräte', 'device_count', sql`(select count(*) from devices where event_id = events.id)`],
] as const;

export function createIntegrityStore({ kysely }: Pick<Db, 'kysely'>, vault: Vault) {
  /** Uncovers a photo's keys. A changed key becomes null or empty, which is a finding as if it were missing. */
  const open = ({ gallery_secret, ...row }: StoredPhoto & { secret: Bytes | null; gallery_secret: Bytes | null }): StoredPhoto => {
    const photo = { eventId: row.event_id, photoId: row.id };
    const { sealed_for_gallery: covered } = row;
    const uncover = (secret: Bytes) => vault.uncoverKey(secret, covered as Bytes, { ...photo, holder: 'gallery' });
    return {
      ...row,
      sealed_for_event: null,
      ...(row.secret && unlessChanged(() => uncovered(vault, row, photo))),
      sealed_for_gallery: covered && ((gallery_secret && unlessChanged(() => uncover(gallery_secret))) ?? Buffer.alloc(0)),
    };
  };
  const photos = () =>
    kysely
      .selectFrom('photos')
      .leftJoin('photo_keys', 'photo_keys.photo_id', 'photos.id')
      .leftJoin('gallery_photo_keys', 'gallery_photo_keys.photo_id', 'photos.id')
      .select(['photos.id', 'photos.event_id', 'state', 'size', 'original_attempt', 'slideshow', 'release_at', 'sealed_for_gallery'])
      .select(['thumbnail_size', 'thumbnail_attempt', 'preview_size', 'preview_attempt', 'large_size', 'large_attempt'])
      .select(['device_hash', 'description', 'sealed_for_event', 'facts'])
      .select(sealedGuestKey)
      .select([eventSecret, gallerySecret]);
  return {
    /** Yields the photos of an event by id, or one photo. */
    async *photos({ eventId, id }: { eventId?: string; id?: string }): AsyncGenerator<StoredPhoto> {
      const rows = inPages((after, limit) =>
        photos()
          .where('photos.id', '>', after)
          .$if(eventId !== undefined, (query) => query.where('photos.event_id', '=', eventId as string))
          .$if(id !== undefined, (query) => query.where('photos.id', '=', id as string))
          .orderBy('photos.id')
          .limit(limit)
          .execute(),
      );
      for await (const row of rows) yield open(row);
    },

    /** Reads the key pair of an event's gallery. */
    galleryKeys: (eventId: string) => kysely.selectFrom('gallery_keys').selectAll().where('event_id', '=', eventId).executeTakeFirst(),

    /** Reads the parts of an event's uploads, or of one upload; `key` is null if the upload's key is missing. */
    parts: ({ eventId, uploadId }: { eventId?: string; uploadId?: string }) =>
      kysely
        .selectFrom('upload_parts')
        .innerJoin('uploads', 'uploads.id', 'upload_parts.upload_id')
        .leftJoin('upload_keys', 'upload_keys.upload_id', 'uploads.id')
        .select(['uploads.event_id', 'upload_parts.upload_id', 'n', 'size', 'upload_keys.wrapped as key'])
        .$if(eventId !== undefined, (query) => query.where('uploads.event_id', '=', eventId as string))
        .$if(uploadId !== undefined, (query) => query.where('uploads.id', '=', uploadId as string))
        .execute(),

    events: (): AsyncGenerator<{ id: string }> =>
      inPages((after, limit) => kysely.selectFrom('events').select('id').where('id', '>', after).orderBy('id').limit(limit).execute()),

    /** Reads the ids of events whose purge has begun and whose blobs are being removed. */
    async purging(): Promise<Set<string>> {
      const rows = await kysely
        .selectFrom('events')
        .select('id')
        .where('purging_at', 'is not', null)
        .where('purged_at', 'is', null)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    /** Reads wrong counters, except of events whose rows are being removed. It is one statement, so that uploads do not affect it. */
    async miscounted(): Promise<{ id: string; counter: string; stored: number; truth: number }[]> {
      const each = COUNTERS.map(
        ([, column, truth], n) => sql`
          select id, ${sql.lit(n)} as n, ${sql.ref(column)} as stored, ${truth} as truth
          from events where purging_at is null or purged_at is not null`,
      );
      const { rows } = await sql<{ id: string; n: number; stored: number; truth: number }>`
        select * from (${sql.join(each, sql` union all `)}) as counted where stored <> truth order by id, n`.execute(kysely);
      return rows.map(({ id, n, stored, truth }) => ({ id, counter: COUNTERS[n]![0], stored: Number(stored), truth: Number(truth) }));
    },
  };
}

function unlessChanged<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof Tampered) return null;
    throw error;
  }
}
