import type { ZipProgress } from '@feierbild/contract/calls/archive.ts';
import type { Trx } from '../../database/open.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { untilAborted } from '../../lib/deadline.ts';
import { Refusal } from '../../lib/errors.ts';
import { randomToken } from '../../lib/ids.ts';
import { BlobMissing } from '../../storage/blob-store.ts';
import type { Ground } from '../ground.ts';
import type { Descriptions } from '../descriptions/descriptions.ts';
import { createArchiveStore, forgetArchive, type Alive, type ArchiveRow } from './archive.store.ts';
import { makeManifest, RunStopped } from './make-manifest.ts';
import { layoutZip } from './zip-layout.ts';
import { folderName } from './zip-names.ts';
import { createZips, type OpenedZip } from './zips.ts';

/** A run that has not reported for this time has ended with its process. Runs report several times a second. */
const RUN_SILENCE_MS = 60_000;
/** When the process ends, a run has so long to come to its end. */
const CLOSE_MS = 2500;
/** Largest expected difference between the clocks of nodes. */
const CLOCK_SKEW_MS = 60_000;

export type Archive = ReturnType<typeof createArchive>;

interface Parts extends Pick<Ground, 'db' | 'blobs' | 'vault' | 'clock' | 'log'> {
  descriptions: Descriptions;
}

/** Makes ZIPs of events. Every node can be asked; one of them makes the ZIP. */
export function createArchive({ db, blobs, vault, descriptions, clock, log }: Parts) {
  const store = createArchiveStore({ db, vault });
  const zips = createZips({ store, blobs, vault, descriptions });
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  async function make(eventId: string, run: string, title: string, publicKey: Bytes, eventKey: Bytes): Promise<void> {
    try {
      const listing = makeManifest({ store, zips, blobs, vault, clock }, { eventId, run, title, eventKey });
      const entries = await untilAborted(listing, closing.signal, CLOSE_MS);
      const sealed = await zips.seal(entries, { publicKey, eventKey, info: manifestInfo(eventId) });
      const { size } = layoutZip(entries);
      await store.finish(eventId, run, { ...sealed, size, photo_count: entries.length, finished_at: clock.now() });
    } catch (error) {
      if (error instanceof RunStopped) return;
      if (!closing.signal.aborted) log.error({ err: error, eventId }, 'a ZIP was not made');
      await store.fail(eventId, run).catch((cause: unknown) => log.error({ err: cause, eventId }, 'a failed ZIP was not noted'));
    }
  }

  async function status(eventId: string): Promise<ZipProgress> {
    const row = await store.find(eventId);
    const state = archiveState(row, clock.now());
    if (!row || state.status !== 'complete') return { ...state, zip_age: null, photos: null, size: null, new_photos: null };
    return { ...state, ...finishedFacts(row, await store.photoCount(eventId), clock.now()) };
  }

  return {
    status,

    /**
     * Starts making the event's ZIP, also if there is one already; the work runs in the background of this process. `openEventKey`
     * returns the event's private key. Throws Refusal event_not_found, archive_empty, archive_running.
     */
    async create(eventId: string, openEventKey: () => Bytes): Promise<ZipProgress> {
      const event = await store.event(eventId);
      if (!event) throw new Refusal('event_not_found');
      if ((await store.photoCount(eventId)) === 0) throw new Refusal('archive_empty');
      const eventKey = openEventKey();
      const run = randomToken();
      const now = clock.now();
      if (!(await store.begin(eventId, run, now, aliveAt(now)))) throw new Refusal('archive_running');
      const work = make(eventId, run, event.title, event.public_key, eventKey).finally(() => running.delete(work));
      running.add(work);
      return { status: 'processing', progress: 0, zip_age: null, photos: null, size: null, new_photos: null };
    },

    /** Throws Refusal archive_not_ready, event_not_found. */
    async open(eventId: string, openEventKey: () => Bytes): Promise<OpenedZip> {
      const [event, row] = await Promise.all([store.event(eventId), store.findWithManifest(eventId)]);
      if (!event) throw new Refusal('event_not_found');
      if (row?.status !== 'complete' || !row.manifest || row.etag === null) throw new Refusal('archive_not_ready');
      const { etag, manifest } = row;
      const filename = `${folderName(event.title)}.zip`;
      const zip = zips.open({ eventId, manifest, info: manifestInfo(eventId), etag, filename }, openEventKey());
      return {
        ...zip,
        async *read(range) {
          let sent = range.start;
          let ended = false;
          try {
            for await (const piece of zip.read(range)) {
              sent += piece.length;
              yield piece;
            }
            ended = true;
            const whole = (await store.noteSent(eventId, etag, range.start, sent)) && range.end === zip.size;
            if (whole) await store.noteDownload(eventId, clock.now());
          } catch (error) {
            // The photo was deleted while the list was made: the host has to make the ZIP again.
            if (error instanceof BlobMissing) await store.drop(eventId, etag);
            throw error;
          } finally {
            // The client disconnected and may resume here. It may have received only a part of the last piece.
            if (!ended && sent > range.start)
              await store
                .noteSent(eventId, etag, range.start, Math.min(sent, zip.size - 1))
                .catch((error: unknown) => log.error({ err: error, eventId }, 'a part of a download was not noted'));
          }
        },
      };
    },

    /**
     * Called in the transaction that deletes a photo: a ZIP that lists the photo is removed, and the state becomes idle. A ZIP that
     * was finished before `receivedAt` (when the photo was received, ms since 1970) stays.
     */
    invalidate: (trx: Trx, eventId: string, receivedAt?: number): Promise<void> =>
      forgetArchive(trx, eventId, receivedAt === undefined ? 0 : receivedAt - CLOCK_SKEW_MS),

    /**
     * Sets unfinished runs of an earlier process to failed. Called at the start, before the first `create`. Only one process uses a SQLite
     * file, so all its runs have ended; runs of other nodes on PostgreSQL may be active.
     */
    recover: (): Promise<void> => store.failSilent(db.engine === 'sqlite' ? { from: 1, to: 0 } : aliveAt(clock.now())),

    /** Resolves when all runs of this process have ended; after some seconds they fail. No run may be started afterwards. */
    async close(): Promise<void> {
      closing.abort();
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const aliveAt = (now: number): Alive => ({ from: now - RUN_SILENCE_MS, to: now + CLOCK_SKEW_MS });

/** The state of an event's ZIP, from its row. A run that no longer reports has failed. */
export function archiveState(
  row: Pick<ArchiveRow, 'status' | 'progress' | 'started_at'> | undefined,
  now: number,
): Pick<ZipProgress, 'status' | 'progress'> {
  if (!row) return { status: 'idle', progress: 0 };
  const { from, to } = aliveAt(now);
  if (row.status === 'processing' && row.started_at >= from && row.started_at <= to)
    return { status: 'processing', progress: row.progress };
  return row.status === 'complete' ? { status: 'complete', progress: 100 } : { status: 'failed', progress: 0 };
}

function finishedFacts(row: ArchiveRow, photosNow: number, now: number): Pick<ZipProgress, 'zip_age' | 'photos' | 'size' | 'new_photos'> {
  return {
    zip_age: Math.max(0, Math.floor((now - (row.finished_at ?? now)) / 1000)),
    photos: row.photo_count,
    size: row.size,
    // No listed photo was deleted: that would have removed the ZIP.
    new_photos: Math.max(0, photosNow - row.photo_count),
  };
}

function manifestInfo(eventId: string): string {
  return `archive/${eventId}`;
}
