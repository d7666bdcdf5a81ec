import type { Bytes } from '../../lib/bytes.ts';
import { yieldEvery } from '../../lib/concurrency/yield-every.ts';
import { eventPrefix, photoBlob } from '../../storage/blob-store.ts';
import type { Ground } from '../ground.ts';
import type { ArchiveStore, ListedPhoto } from './archive.store.ts';
import type { ManifestEntry, Zips } from './zips.ts';

/** Photos read from the database at once. */
const PAGE_ROWS = 200;
/** Longest work before the event loop may do other work. */
const WORK_MS = 5;
/** Interval between two reports of progress. */
const REPORT_INTERVAL_MS = 250;
/** Share of the progress, in percent, for opening the photos' facts; the rest is waiting for the store's list. */
const FACTS_SHARE = 90;

interface Parts extends Pick<Ground, 'blobs' | 'vault' | 'clock'> {
  store: ArchiveStore;
  zips: Zips;
}

interface Run {
  eventId: string;
  /** Token of this run. */
  run: string;
  title: string;
  eventKey: Bytes;
}

/** The run is no longer the current one: the ZIP was invalidated, or the event is being purged. */
export class RunStopped extends Error {}

/**
 * Makes the list of an event's photos and checks that each blob exists with its full size. Throws RunStopped, and other errors if a
 * photo is missing or cannot be opened.
 */
export async function makeManifest(
  { store, zips, blobs, vault, clock }: Parts,
  { eventId, run, title, eventKey }: Run,
): Promise<ManifestEntry[]> {
  const yieldOften = yieldEvery(WORK_MS);
  const entryOf = zips.entries({ eventId, title, eventKey });
  const total = await store.photoCount(eventId);
  const entries: ManifestEntry[] = [];
  let nextReport = performance.now() + REPORT_INTERVAL_MS;

  /** Lets others work, and reports progress now and then. */
  async function goOn(): Promise<void> {
    await yieldOften();
    if (performance.now() < nextReport) return;
    nextReport = performance.now() + REPORT_INTERVAL_MS;
    const progress = Math.min(FACTS_SHARE, Math.floor((entries.length / Math.max(1, total)) * FACTS_SHARE));
    if (!(await store.reportProgress(eventId, run, progress, clock.now()))) throw new RunStopped();
  }

  async function readPhotos(): Promise<void> {
    let last: ListedPhoto | null = null;
    do {
      const page: ListedPhoto[] = await store.photosAfter(eventId, last, PAGE_ROWS);
      for (const photo of page) {
        await goOn();
        entries.push(entryOf(photo));
      }
      last = page.at(-1) ?? null;
    } while (last);
  }

  /** The stored sizes of the event's originals by key. */
  async function listSizes(): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    for await (const { key, size } of blobs.list(eventPrefix(eventId))) {
      await goOn();
      if (key.endsWith('.original')) sizes.set(key, size);
    }
    return sizes;
  }

  // The store lists its blobs while the photos' facts are opened.
  const [sizes] = await Promise.all([listSizes(), readPhotos()]);
  for (const { photoId, size } of entries) {
    await goOn();
    const blob = photoBlob(eventId, photoId, 'original');
    const stored = sizes.get(blob) ?? (await blobs.size(blob));
    if (stored !== vault.sealedSize(size)) throw new Error(`photo ${photoId}: ${stored ?? 'no'} bytes are stored`);
  }
  if (entries.length === 0) throw new Error('no photos are left');
  return entries;
}
