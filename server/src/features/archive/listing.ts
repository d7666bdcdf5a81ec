import { PHOTO_STATES, statesWith, type PhotoState } from '@feierbild/contract/photo-states.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { yieldEvery } from '../../lib/concurrency/yield-every.ts';
import { eventPrefix, withGaps } from '../../storage/blob-store.ts';
import type { Context } from '../context.ts';
import type { Photos } from '../photos/photos.ts';
import type { ArchiveStore, ListedPhoto } from './archive.store.ts';
import type { ManifestEntry } from './zip-list.ts';
import { blobOf, hasPhotos, isPreview, type Zips } from './zips.ts';

/** Longest work before the event loop may do other work. */
const WORK_MS = 5;
/** Interval between two reports of progress. */
const REPORT_INTERVAL_MS = 250;
/** Interval between two reports while photos are verified. */
const REPORT_WAITING_MS = 5000;
/** Share of the progress, in percent, for opening the photos' sealed data; the rest is waiting for the store's list. */
const OPENING_SHARE = 90;

/** The event of a ZIP, as its list needs it. */
export type ZipEvent = NonNullable<Awaited<ReturnType<ArchiveStore['event']>>>;

/** What a run makes: the run's token; `previews`: also photos without an original, as previews; `thorough`: each original is read. */
export interface Run {
  run: string;
  previews: boolean;
  thorough: boolean;
}

/** Thrown if the run is no longer the current one: the ZIP was invalidated, or the event is being purged. */
export class RunStopped extends Error {}

/** Returns the states of the photos that a ZIP has: those with an original, and with `previews` all. */
export const statesIn = (previews: boolean): readonly PhotoState[] => (previews ? PHOTO_STATES : statesWith('original'));

interface Deps extends Pick<Context, 'blobs' | 'vault' | 'clock' | 'log'>, Pick<Photos, 'verifyReceived'> {
  store: ArchiveStore;
  zips: Zips;
  /** Aborts when the process ends. */
  ending: AbortSignal;
}

/** Creates the lists of events' ZIPs, and reports how far they are. */
export function createListing({ store, zips, blobs, vault, clock, log, verifyReceived, ending }: Deps) {
  /** Keeps the run the current one by reports while it waits for work. */
  async function whileReporting(eventId: string, run: string, work: Promise<void>): Promise<void> {
    const report = () => store.report(eventId, run, { progress: 0, started_at: clock.now() }).catch(() => undefined);
    const reports = setInterval(() => void report(), REPORT_WAITING_MS);
    await work.finally(() => clearInterval(reports));
  }

  /**
   * Lists an event's photos and checks that each blob exists with its full size, or can be read to its end if the run is thorough. Damaged
   * photos are listed apart. Throws RunStopped, and other errors if a key cannot be opened.
   */
  return async function list({ id: eventId, title }: ZipEvent, { run, previews, thorough }: Run, eventKey: Bytes) {
    const yieldOften = yieldEvery(WORK_MS);
    const zip = zips.entries({ eventId, title, eventKey });
    const damaged = new Map<string, ListedPhoto>();
    const lost = new Set<string>();
    const verifying = verifyReceived(eventId, eventKey, { signal: ending, lost });
    await whileReporting(eventId, run, verifying);
    const total = await store.photoCount(eventId, statesIn(previews));
    const entries: ManifestEntry[] = [];
    let nextReport = performance.now() + REPORT_INTERVAL_MS;

    /** Yields to other work, and reports progress now and then. */
    async function goOn(): Promise<void> {
      await yieldOften();
      if (performance.now() < nextReport) return;
      nextReport = performance.now() + REPORT_INTERVAL_MS;
      const progress = Math.min(OPENING_SHARE, Math.floor((entries.length / Math.max(1, total)) * OPENING_SHARE));
      if (!(await store.report(eventId, run, { progress, started_at: clock.now() }))) throw new RunStopped();
    }

    async function readPhotos(): Promise<void> {
      let last: ListedPhoto | null = null;
      do {
        const page: ListedPhoto[] = await store.photosAfter(eventId, last, statesIn(previews));
        // Photos that arrived after `verifyReceived` are not verified.
        const verified = page.filter(({ id, state }) => state !== 'received' || lost.has(id));
        for await (const [photo, entry] of zip.entriesOf(verified)) {
          await goOn();
          if (entry) entries.push(entry);
          const reads = thorough && entry && !isPreview(entry);
          if (!entry || lost.has(photo.id) || (reads && !(await zip.opens(photo, entry, goOn)))) damaged.set(photo.id, photo);
        }
        last = page.at(-1) ?? null;
      } while (last);
    }

    /** Lists the stored sizes of the event's originals and previews by key; the store is asked for each one that it does not list. */
    async function listSizes(): Promise<Map<string, number>> {
      const sizes = new Map<string, number>();
      for await (const { key, size } of withGaps(blobs.list(eventPrefix(eventId)), () => undefined)) {
        await goOn();
        if (!key.endsWith('.thumbnail')) sizes.set(key, size);
      }
      return sizes;
    }

    // The store lists its blobs while the photos' sealed data is opened.
    const [sizes] = await Promise.all([listSizes(), readPhotos()]);
    for (const entry of entries) {
      await goOn();
      const { photoId, size } = entry;
      const blob = blobOf(eventId, entry);
      const stored = sizes.get(blob) ?? (await blobs.size(blob));
      if (stored === vault.sealedSize(size) || damaged.has(photoId)) continue;
      log.error({ eventId, photo: photoId, stored }, 'an original is missing or cut');
      for (const photo of await store.photosOf(eventId, [photoId])) damaged.set(photoId, photo);
    }
    const left = await zip.without(entries, [...damaged.values()], goOn);
    if (!hasPhotos(left)) throw new Error('no photos are left');
    return { entries: left, damaged };
  };
}
