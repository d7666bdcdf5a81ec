import type { ZipProgress } from '@feierbild/contract/calls/archive.ts';
import { statesWith } from '@feierbild/contract/photo-states.ts';
import type { Trx } from '../../database/open.ts';
import type { EventRow, PhotoRow } from '../../database/rows.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { inGroups } from '../../lib/concurrency/in-groups.ts';
import { untilAborted } from '../../lib/deadline.ts';
import type { ByteSource } from '../../http/byte-answer.ts';
import { Refusal } from '../../lib/errors.ts';
import { randomToken } from '../../lib/ids.ts';
import { BlobMissing } from '../../storage/blob-store.ts';
import { CLOCK_SKEW_MS } from '../../lib/clock.ts';
import type { Context } from '../context.ts';
import type { Photos } from '../photos/photos.ts';
import { damagedIn, damagedOf, membersOf, zipHas } from '../zip-members/zip-members.ts';
import { createArchiveStore, FAILED, type Alive, type ArchiveStore } from './archive.store.ts';
import { createListing, RunStopped, statesIn, type Run, type ZipEvent } from './listing.ts';
import { layoutZip } from './zip-layout.ts';
import { folderName } from './zip-names.ts';
import type { ManifestEntry } from './zip-list.ts';
import { blobOf, createZips, EntryDamaged, isPreview, previewOfVersion, SIZE_QUERIES, type OpenedZip } from './zips.ts';

export { zipContents, zipHas } from '../zip-members/zip-members.ts';

/** The silence after which a run's process counts as ended. Runs report several times a second. */
const RUN_SILENCE_MS = 60_000;
/** The time that a run has to finish when the process ends. */
const CLOSE_MS = 2500;

/** Noted in place of a ZIP's last change, so that no photo counts as saved. */
const UNSAVED = -1;

/** The answer while there is no ZIP. */
const NONE = { zip_age: null, photos: null, size: null, new_photos: null };

export type Archive = ReturnType<typeof createArchive>;

/** The dependencies; `verifyReceived` decodes photos that were received and not decoded yet. */
type Deps = Pick<Context, 'db' | 'blobs' | 'vault' | 'clock' | 'log' | 'sealedMetadata'> &
  Pick<Photos, 'verifyReceived'> & {
    /** Called after an event's ZIP was made; never throws. */
    onMade?(eventId: string): Promise<void>;
  };

/** Creates ZIPs of events. Each node takes requests; one of them makes the ZIP. */
export function createArchive({ db, blobs, vault, sealedMetadata, verifyReceived, onMade, clock, log }: Deps) {
  const store = createArchiveStore({ db, vault });
  const zips = createZips({ store, blobs, vault, sealedMetadata });
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  const list = createListing({ store, zips, blobs, vault, clock, log, verifyReceived, ending: closing.signal });

  /** Makes the ZIP. If it fails, the damaged originals that are `noted` stay so. */
  async function make(event: ZipEvent, how: Run, eventKey: Bytes, noted: Buffer | null): Promise<void> {
    const { id: eventId, public_key: publicKey } = event;
    const { run } = how;
    try {
      const { entries, damaged } = await untilAborted(list(event, how, eventKey), closing.signal, CLOSE_MS);
      const sealed = await zips.seal(entries, { publicKey, eventKey, info: manifestInfo(eventId) });
      const { size } = layoutZip(entries);
      const photos = entries.filter(({ photoId }) => photoId !== '' && !damaged.has(photoId));
      const members = membersOf(
        photos.map(({ photoId }) => photoId),
        damaged.values(),
      );
      const made = { status: 'complete', progress: 100, finished_at: clock.now(), members };
      const photo_count = photos.filter((entry) => !isPreview(entry)).length;
      if (await store.report(eventId, run, { ...made, ...sealed, size, photo_count })) await onMade?.(eventId);
    } catch (error) {
      if (error instanceof RunStopped) return;
      if (!closing.signal.aborted) log.error({ err: error, eventId }, 'a ZIP was not made');
      await store
        .report(eventId, run, { ...FAILED, members: noted })
        .catch((cause: unknown) => log.error({ err: cause, eventId }, 'a failed ZIP was not noted'));
    }
  }

  const unreadableCount = (eventId: string): Promise<number> => store.photoCount(eventId, ['unreadable']);

  async function status(eventId: string): Promise<ZipProgress> {
    const [row, unreadable] = await Promise.all([store.find(eventId), unreadableCount(eventId)]);
    const damaged = damagedIn(row?.members);
    const state = { ...archiveState(row, clock.now()), unreadable, damaged: damaged.count };
    if (!row || state.status !== 'complete') return { ...state, ...NONE };
    const { finished_at, photo_count: photos, size } = row;
    const age = finished_at === null ? 0 : Math.floor((clock.now() - finished_at) / 1000);
    // The count of listed photos still holds, as deleting one of them would have removed the ZIP.
    const came = (await store.photoCount(eventId, statesWith('handedOut'))) - photos - damaged.count;
    return { ...state, zip_age: Math.max(0, age), photos, size, new_photos: Math.max(0, came) };
  }

  /** Tells whether each listed preview is still in the store. It goes some time after its original came with a preview of its own. */
  async function hasPreviews(eventId: string, entries: readonly ManifestEntry[]): Promise<boolean> {
    const listed = entries.filter(isPreview);
    // The rows tell of nearly all: the store is asked for those that were replaced.
    const versions = await store.previewVersions(listed.map(({ photoId }) => photoId));
    const replaced = listed.filter(({ photoId, blob }) => blob !== previewOfVersion(versions.get(photoId)));
    for await (const [, size] of inGroups(replaced, SIZE_QUERIES, (entry) => blobs.size(blobOf(eventId, entry))))
      if (size === null) return false;
    return true;
  }

  return {
    status,

    /**
     * Starts making the event's ZIP, also if there is one already; the work runs in the background of this process. `openEventKey` returns
     * the event's private key. Throws Refusal `event_not_found`, `archive_empty`, `archive_running`.
     */
    async create(eventId: string, openEventKey: () => Bytes, { previews = false } = {}): Promise<ZipProgress> {
      const event = await store.event(eventId);
      if (!event) throw new Refusal('event_not_found');
      if ((await store.photoCount(eventId, statesIn(previews))) === 0) throw new Refusal('archive_empty');
      const unreadable = await unreadableCount(eventId);
      const eventKey = openEventKey();
      // Where a disk has damaged one original, it may have damaged others.
      const { noted } = await damagedOf(db.kysely, eventId);
      const run = randomToken();
      const now = clock.now();
      if (!(await store.begin(eventId, run, now, aliveAt(now)))) throw new Refusal('archive_running');
      const work = make(event, { run, previews, thorough: noted !== null }, eventKey, noted).finally(() => running.delete(work));
      running.add(work);
      return { status: 'processing', progress: 0, unreadable, damaged: 0, ...NONE };
    },

    /** Opens the event's finished ZIP for reading. Throws Refusal `archive_not_ready`, `event_not_found`. */
    async open(eventId: string, openEventKey: () => Bytes): Promise<OpenedZip & Required<Pick<ByteSource, 'sent'>>> {
      const [event, row] = await Promise.all([store.event(eventId), store.findWithManifest(eventId)]);
      if (!event) throw new Refusal('event_not_found');
      if (row?.status !== 'complete' || !row.manifest || row.etag === null) throw new Refusal('archive_not_ready');
      const { etag, manifest, members } = row;
      // A ZIP with damaged originals saves nothing for good: they may be mended from a backup.
      const seq = damagedIn(members).count > 0 ? UNSAVED : row.seq;
      const filename = `${folderName(event.title)}.zip`;
      const zip = zips.open({ eventId, manifest, info: manifestInfo(eventId), etag, filename }, openEventKey());
      // A ZIP that cannot be read to its end must not begin.
      if (!(await hasPreviews(eventId, zip.entries))) {
        await store.drop(eventId, etag);
        throw new Refusal('archive_not_ready');
      }
      /** Notes bytes that went out. Returns whether all have. */
      const note = async (start: number, end: number): Promise<boolean> =>
        end > start && (await store.noteSent(eventId, etag, [start, end]));
      return {
        ...zip,
        async *read(range) {
          let sent = range.start;
          try {
            for await (const piece of zip.read(range)) {
              sent += piece.length;
              yield piece;
            }
          } catch (error) {
            // The host has to make the ZIP again: a photo was deleted while the list was made, or one is damaged.
            if (error instanceof EntryDamaged && !error.isPreview) await noteDamaged(store, eventId, error.photoId, etag);
            else if (error instanceof BlobMissing || error instanceof EntryDamaged) await store.drop(eventId, etag);
            throw error;
          } finally {
            // The client may disconnect, and resume here. What was read last may not have arrived, so only `sent` ends a download.
            await note(range.start, Math.min(sent, range.end - 1)).catch((error: unknown) =>
              log.error({ err: error, eventId }, 'a part of a download was not noted'),
            );
          }
        },
        async sent({ start, end }) {
          if (await note(start, end)) await store.noteDownload(eventId, seq, clock.now());
        },
      };
    },

    invalidate,

    /**
     * Sets unfinished runs of an earlier process to failed. Called at the start, before the first `create`. Only one process uses a SQLite
     * file, so all its runs have ended; runs of other nodes on PostgreSQL may be active.
     */
    recover: (): Promise<void> => store.failSilent(db.engine === 'sqlite' ? { from: 1, to: 0 } : aliveAt(clock.now())),

    /** Waits until all runs of this process have ended; after some seconds they fail. No run may be started afterwards. */
    async close(): Promise<void> {
      closing.abort();
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/**
 * Removes the event's ZIP if it contains the photo, and stops a run that makes one. Called in the transaction that deletes the photo. A ZIP
 * of a release that noted no members counts as containing the photo, unless it was finished before the photo was received.
 */
export async function invalidate(trx: Trx, photo: Pick<PhotoRow, 'id' | 'event_id' | 'created_at'>): Promise<void> {
  const ofEvent = trx.selectFrom('archives').select(['finished_at', 'members']).where('event_id', '=', photo.event_id);
  // A run that begins after this lock lists the photos after this transaction.
  const zip = await ofEvent.forUpdate().executeTakeFirst();
  if (!zip) return;
  const { finished_at, members } = zip;
  const mayHave = members ? zipHas(members, photo.id) : (finished_at ?? Infinity) >= photo.created_at - CLOCK_SKEW_MS;
  if (mayHave) await trx.deleteFrom('archives').where('event_id', '=', photo.event_id).execute();
}

/**
 * Notes a photo whose original is damaged, so that the next ZIP is made without it; with `etag` only if that ZIP is still the event's. The
 * event's ZIP fails unless it is without this original already.
 */
export async function noteDamaged(store: ArchiveStore, eventId: string, photoId: string, etag?: string): Promise<void> {
  // A photo that was deleted meanwhile is none that is damaged.
  if ((await store.sealedKeys([photoId])).size === 0) return;
  const row = await store.find(eventId);
  const damaged = damagedIn(row?.members);
  if ((etag !== undefined && row?.etag !== etag) || row?.status === 'processing' || damaged.has(photoId)) return;
  await store.noteDamaged(eventId, damaged.with(photoId));
}

/** The columns of an event that `isUnsaved` reads. */
export const SAVED_BY = ['photo_count', 'video_count', 'zip_downloaded_at', 'originals_seq', 'zip_seq'] as const;

/** Returns whether an event has originals that no ZIP downloaded by its host contains; the event's deletion would lose them. */
export function isUnsaved(event: Pick<EventRow, (typeof SAVED_BY)[number]>): boolean {
  if (event.photo_count + event.video_count === 0) return false;
  return event.zip_downloaded_at === null || event.originals_seq > event.zip_seq;
}

const aliveAt = (now: number): Alive => ({ from: now - RUN_SILENCE_MS, to: now + RUN_SILENCE_MS });

/** Returns the state of an event's ZIP from its row. A run that no longer reports has failed. */
export function archiveState(
  row: Pick<Database['archives'], 'status' | 'progress' | 'started_at'> | undefined,
  now: number,
): Pick<ZipProgress, 'status' | 'progress'> {
  if (!row) return { status: 'idle', progress: 0 };
  const { from, to } = aliveAt(now);
  if (row.status === 'processing' && row.started_at >= from && row.started_at <= to)
    return { status: 'processing', progress: row.progress };
  return row.status === 'complete' ? { status: 'complete', progress: 100 } : { status: 'failed', progress: 0 };
}

function manifestInfo(eventId: string): string {
  return `archive/${eventId}`;
}
