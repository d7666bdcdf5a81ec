import { sql } from 'kysely';
import type { Db } from '../../database/open.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Tampered, type Vault } from '../../vault/vault.ts';
import { eventSecret, uncovered } from '../photo-keys/photo-keys.ts';
import { sealedGuestKey, type DescribedForEvent } from '../descriptions/descriptions.ts';
import type { PhotoBlobs } from '../../storage/blob-store.ts';

/** Events read with one query. */
const PAGE_ROWS = 500;

export interface StoredPhoto extends PhotoBlobs, DescribedForEvent {
  /** Null if the photo's keys are missing. */
  sealed_for_event: Bytes | null;
  facts: Bytes | null;
}

/** A part of an upload that is not complete. */
export interface StoredPart {
  event_id: string;
  upload_id: string;
  n: number;
  size: number;
  /** 0 where the upload's key is missing. */
  has_key: number;
}

/** An event's stored and computed counters. */
export interface CountedEvent {
  id: string;
  used_bytes: number;
  photo_count: number;
  video_count: number;
  device_count: number;
  true_used_bytes: number;
  true_photo_count: number;
  true_video_count: number;
  true_device_count: number;
}

export function createIntegrityStore({ kysely }: Pick<Db, 'kysely'>, vault: Vault) {
  /** A key that is not what was covered is a finding, as if it were not there. */
  const open = (row: StoredPhoto & { secret: Bytes | null }): StoredPhoto => {
    try {
      return row.secret ? uncovered(vault, row, { eventId: row.event_id, photoId: row.id }) : { ...row, sealed_for_event: null };
    } catch (error) {
      if (error instanceof Tampered) return { ...row, sealed_for_event: null };
      throw error;
    }
  };
  const photos = () =>
    kysely
      .selectFrom('photos')
      .leftJoin('photo_keys', 'photo_keys.photo_id', 'photos.id')
      .select(['photos.id', 'photos.event_id', 'size', 'thumbnail_size', 'thumbnail_attempt', 'preview_size', 'preview_attempt'])
      .select(['device_hash', 'description', 'sealed_for_event', 'facts'])
      .select(sealedGuestKey)
      .select(eventSecret);
  return {
    async photo(id: string): Promise<StoredPhoto | undefined> {
      const row = await photos().where('photos.id', '=', id).executeTakeFirst();
      return row && open(row);
    },

    /** The next photos by id, of one event or of all. */
    async photosAfter(after: string, limit: number, eventId?: string): Promise<StoredPhoto[]> {
      const rows = await photos()
        .where('photos.id', '>', after)
        .$if(eventId !== undefined, (query) => query.where('photos.event_id', '=', eventId as string))
        .orderBy('photos.id')
        .limit(limit)
        .execute();
      return rows.map(open);
    },

    /** The parts of an event's uploads, or of one upload. */
    parts: ({ eventId, uploadId }: { eventId?: string; uploadId?: string }): Promise<StoredPart[]> =>
      kysely
        .selectFrom('upload_parts')
        .innerJoin('uploads', 'uploads.id', 'upload_parts.upload_id')
        .leftJoin('upload_keys', 'upload_keys.upload_id', 'uploads.id')
        .select(['uploads.event_id', 'upload_parts.upload_id', 'n', 'size'])
        .select((of) => of.fn.count<number>('upload_keys.upload_id').as('has_key'))
        .groupBy(['uploads.event_id', 'upload_parts.upload_id', 'n', 'size'])
        .$if(eventId !== undefined, (query) => query.where('uploads.event_id', '=', eventId as string))
        .$if(uploadId !== undefined, (query) => query.where('uploads.id', '=', uploadId as string))
        .execute(),

    /** All events' ids, in pages. */
    async *eventIds(): AsyncGenerator<string> {
      for (let after = ''; ;) {
        const page = await kysely.selectFrom('events').select('id').where('id', '>', after).orderBy('id').limit(PAGE_ROWS).execute();
        for (const { id } of page) yield id;
        after = page.at(-1)?.id ?? '';
        if (page.length < PAGE_ROWS) return;
      }
    },

    /** Events whose purge has begun: their blobs are being removed. */
    async purging(): Promise<Set<string>> {
      const rows = await kysely
        .selectFrom('events')
        .select('id')
        .where('purging_at', 'is not', null)
        .where('purged_at', 'is', null)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    /** Events with wrong counters, but for those whose rows are being removed. One statement, so that uploads do not affect the result. */
    async miscounted(): Promise<CountedEvent[]> {
      const { rows } = await sql<CountedEvent>`
        select * from (
          select id, used_bytes, photo_count, video_count, device_count,
            (select coalesce(sum(size), 0) from photos where event_id = events.id) as true_used_bytes,
            (select count(*) from photos where event_id = events.id and codecs is null) as true_photo_count,
            (select count(*) from photos where event_id = events.id and codecs is not null) as true_video_count,
            (select count(*) from devices where event_id = events.id) as true_device_count
          from events where purging_at is null or purged_at is not null
        ) as counted
        where used_bytes <> true_used_bytes or photo_count <> true_photo_count or video_count <> true_video_count
          or device_count <> true_device_count
        order by id`.execute(kysely);
      return rows;
    },
  };
}
