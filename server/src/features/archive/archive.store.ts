import type { PhotoState } from '@feierbild/contract/photo-states.ts';
import { sql, type Updateable } from 'kysely';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Context } from '../context.ts';
import { eventSecret, uncovered } from '../photo-keys/photo-keys.ts';
import { ofKeptEvent, sealedGuestKey } from '../sealed-metadata/sealed-metadata.ts';
import { withPart, type Part, type Sent } from './sent-parts.ts';

/** Photos per query. */
const PAGE_ROWS = 200;
/** Photos per query that reads a version alone. */
const VERSION_ROWS = 500;

/** The state of a run that ended without a ZIP. */
export const FAILED = { status: 'failed', progress: 0, etag: null };
const NOTHING_SENT: Sent = { downloaded_bytes: 0, parts: null };

/** True for photos that belong into ZIPs. All visitors of the demo share one login, so its ZIP contains only the samples. */
const shared = sql<boolean>`(photos.sample = 1 or photos.event_id not in (select id from events where demo = 1))`;

/** The times of last report (ms since 1970) that mean an active run. A report from the future was made by a clock that ran ahead. */
export interface Alive {
  from: number;
  to: number;
}

/** True for runs whose last report lies outside `alive`. */
const silent = ({ from, to }: Alive) => sql<boolean>`(archives.started_at < ${from} or archives.started_at > ${to})`;

/**
 * Creates the SQL of ZIPs. While a ZIP is being made, `etag` is the run's token and `started_at` the time of its last report. Only this run
 * may write, until it ends, is invalidated, or is replaced after a long silence.
 */
export function createArchiveStore({ db, vault }: Pick<Context, 'db' | 'vault'>) {
  const listed = () =>
    db.kysely
      .selectFrom('photos')
      .innerJoin('photo_keys', 'photo_keys.photo_id', 'photos.id')
      .select(['photos.id', 'photos.event_id', 'photos.created_at', 'device_hash', 'description', 'type', 'size'])
      .select(['state', 'original_attempt', 'preview_size', 'preview_attempt'])
      .select(['sealed_for_event', 'facts'])
      .select(sealedGuestKey)
      .select(eventSecret)
      .where(ofKeptEvent);
  /** Reads photos and removes the cover from their sealed keys. */
  const open = async (photos: ReturnType<typeof listed>) =>
    (await photos.execute()).map((row) => uncovered(vault, row, { eventId: row.event_id, photoId: row.id }));
  const archive = (eventId: string) =>
    db.kysely
      .selectFrom('archives')
      .select(['status', 'progress', 'started_at', 'finished_at', 'etag', 'size', 'photo_count', 'seq', 'members'])
      .where('event_id', '=', eventId);
  return {
    find: (eventId: string) => archive(eventId).executeTakeFirst(),
    findWithManifest: (eventId: string) => archive(eventId).select('manifest').executeTakeFirst(),

    /** Selects id, title and public key of an event that is not being purged. */
    event: (eventId: string) =>
      db.kysely
        .selectFrom('events')
        .innerJoin('event_keys', 'event_keys.event_id', 'events.id')
        .select(['events.id', 'events.title', 'event_keys.public_key'])
        .where('events.id', '=', eventId)
        .where('events.purging_at', 'is', null)
        .executeTakeFirst(),

    /** Counts the event's photos in some states. */
    async photoCount(eventId: string, states: readonly PhotoState[]): Promise<number> {
      const row = await db.kysely
        .selectFrom('photos')
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('event_id', '=', eventId)
        .where('state', 'in', states)
        .where(shared)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    /** Starts a run; false if another run is active (its last report lies in `alive`). */
    async begin(eventId: string, run: string, now: number, alive: Alive): Promise<boolean> {
      const fresh = {
        status: 'processing',
        progress: 0,
        started_at: now,
        finished_at: null,
        etag: run,
        size: null,
        photo_count: 0,
        manifest: null,
        members: null,
        ...NOTHING_SENT,
        seq: sql<number>`(select change_seq from events where id = ${eventId})`,
      };
      const row = await db.kysely
        .insertInto('archives')
        .values({ event_id: eventId, ...fresh })
        .onConflict((conflict) =>
          conflict
            .column('event_id')
            .doUpdateSet(fresh)
            .where((or) => or.or([or('archives.status', '!=', 'processing'), silent(alive)])),
        )
        .returning('event_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Stores a run's progress or result; false if the run is no longer the current one. */
    async report(eventId: string, run: string, values: Updateable<Database['archives']>): Promise<boolean> {
      const row = await db.kysely
        .updateTable('archives')
        .set(values)
        .where('event_id', '=', eventId)
        .where('status', '=', 'processing')
        .where('etag', '=', run)
        .returning('event_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Sets runs whose last report lies outside `alive` to failed. */
    async failSilent(alive: Alive): Promise<void> {
      await db.kysely.updateTable('archives').set(FAILED).where('status', '=', 'processing').where(silent(alive)).execute();
    },

    /** Records a part of a finished ZIP that went out; true if all its bytes went out, by any nodes and in any order. */
    noteSent: (eventId: string, etag: string, part: Part): Promise<boolean> =>
      db.transaction(async (trx) => {
        const ofZip = trx.selectFrom('archives').select(['downloaded_bytes', 'parts', 'size']).where('event_id', '=', eventId);
        const zip = await ofZip.where('etag', '=', etag).forUpdate().executeTakeFirst();
        if (!zip) return false;
        const sent = withPart(zip, etag, part);
        await trx.updateTable('archives').set(sent).where('event_id', '=', eventId).execute();
        return sent.downloaded_bytes === zip.size;
      }),

    /** Records a complete download of a finished ZIP: the time of the first one, and up to which change the host has the originals. */
    async noteDownload(eventId: string, seq: number, now: number): Promise<void> {
      await db.kysely
        .updateTable('events')
        .set((row) => ({ zip_downloaded_at: row.fn.coalesce('zip_downloaded_at', sql.lit(now)), zip_seq: seq }))
        .where('id', '=', eventId)
        .where((row) => row.or([row('zip_downloaded_at', 'is', null), row('zip_seq', '<', seq)]))
        .execute();
    },

    /** Removes a finished ZIP that no longer matches the event's photos. */
    async drop(eventId: string, etag: string): Promise<void> {
      await db.kysely
        .deleteFrom('archives')
        .where('event_id', '=', eventId)
        .where('status', '=', 'complete')
        .where('etag', '=', etag)
        .execute();
    },

    /** Fails the event's ZIP, also one that there is not, unless one is being made; `members` has its damaged photos. */
    async noteDamaged(eventId: string, members: Bytes): Promise<void> {
      const failed = { ...FAILED, finished_at: null, size: null, photo_count: 0, manifest: null, members, ...NOTHING_SENT };
      await db.kysely
        .insertInto('archives')
        .values({ event_id: eventId, started_at: 0, ...failed })
        .onConflict((conflict) => conflict.column('event_id').doUpdateSet(failed).where('archives.status', '!=', 'processing'))
        .execute();
    },

    /** Reads the next page of photos in some states after a given one, oldest first. */
    photosAfter: (eventId: string, after: { created_at: number; id: string } | null, states: readonly PhotoState[]) => {
      const page = listed()
        .where('photos.event_id', '=', eventId)
        .where('photos.state', 'in', states)
        .where(shared)
        .$if(after !== null, (query) => query.where(sql<boolean>`(photos.created_at, photos.id) > (${after?.created_at}, ${after?.id})`))
        .orderBy('photos.created_at')
        .orderBy('photos.id')
        .limit(PAGE_ROWS);
      return open(page);
    },

    /** Reads photos of an event by id, in any order; unknown ids are left out. */
    photosOf: (eventId: string, photoIds: readonly string[]) =>
      open(listed().where('photos.event_id', '=', eventId).where(shared).where('photos.id', 'in', photoIds)),

    /** Reads the versions of the previews that photos have now, by the photos' ids. */
    async previewVersions(photoIds: readonly string[]): Promise<Map<string, string | null>> {
      const versions = new Map<string, string | null>();
      for (let from = 0; from < photoIds.length; from += VERSION_ROWS) {
        const some = photoIds.slice(from, from + VERSION_ROWS);
        const rows = await db.kysely.selectFrom('photos').select(['id', 'preview_attempt']).where('id', 'in', some).execute();
        for (const { id, preview_attempt } of rows) versions.set(id, preview_attempt);
      }
      return versions;
    },

    /** Reads the event's private key as wrapped by the host's password; it differs with each password and is empty without a host. */
    async hostKey(eventId: string): Promise<Bytes> {
      const key = db.kysely.selectFrom('host_keys').select('wrapped').where('event_id', '=', eventId);
      return (await key.executeTakeFirst())?.wrapped ?? new Uint8Array();
    },

    /** Reads the sealed keys of photos by id; deleted photos are left out. */
    async sealedKeys(photoIds: readonly string[]): Promise<Map<string, Bytes>> {
      const rows = await db.kysely
        .selectFrom('photo_keys')
        .select(['photo_id', 'event_id', 'sealed_for_event'])
        .select(eventSecret)
        .where('photo_id', 'in', photoIds)
        .execute();
      const opened = rows.map((row) => uncovered(vault, row, { eventId: row.event_id, photoId: row.photo_id }));
      return new Map(opened.map((row) => [row.photo_id, row.sealed_for_event]));
    },
  };
}
export type ArchiveStore = ReturnType<typeof createArchiveStore>;
/** A photo with the data that a ZIP's list needs. */
export type ListedPhoto = Awaited<ReturnType<ArchiveStore['photosOf']>>[number];
