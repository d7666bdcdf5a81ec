import type { Bytes } from '../../lib/bytes.ts';
import { yieldEvery } from '../../lib/concurrency/yield-every.ts';
import { eventPrefix, photoBlob, type BlobStore } from '../../storage/blob-store.ts';
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

/**
 * Makes the list of an event's photos and checks that each blob exists with its full size. Null if the run was stopped, because
 * the ZIP was invalidated or the event was purged. Throws if a photo is missing or cannot be opened.
 */
export async function makeManifest(
  { store, zips, blobs, vault, clock }: Parts,
  { eventId, run, title, eventKey }: Run,
): Promise<ManifestEntry[] | null> {
  const yieldOften = yieldEvery(WORK_MS);
  const entryOf = zips.entries({ eventId, title, eventKey });
  const total = await store.photoCount(eventId);
  const entries: ManifestEntry[] = [];
  let nextReport = performance.now() + REPORT_INTERVAL_MS;

  /** Reports progress now and then; false if the run was stopped. */
  async function isActive(): Promise<boolean> {
    await yieldOften();
    if (performance.now() < nextReport) return true;
    nextReport = performance.now() + REPORT_INTERVAL_MS;
    const progress = Math.min(FACTS_SHARE, Math.floor((entries.length / Math.max(1, total)) * FACTS_SHARE));
    return store.reportProgress(eventId, run, progress, clock.now());
  }

  async function readPhotos(): Promise<boolean> {
    let last: ListedPhoto | null = null;
    for (;;) {
      const page: ListedPhoto[] = await store.photosAfter(eventId, last, PAGE_ROWS);
      for (const photo of page) {
        if (!(await isActive())) return false;
        entries.push(entryOf(photo));
      }
      last = page.at(-1) ?? null;
      if (!last) return true;
    }
  }

  const read = readPhotos();
  // The store lists its blobs while the photos' facts are opened.
  const [sizes, whole] = await Promise.all([listSizes(blobs, eventId, isActive), read]);
  if (!sizes || !whole) return null;
  for (const { photoId, size } of entries) {
    if (!(await isActive())) return null;
    const stored = sizes.get(photoBlob(eventId, photoId, 'original')) ?? (await blobs.size(photoBlob(eventId, photoId, 'original')));
    if (stored !== vault.sealedSize(size)) throw new Error(`photo ${photoId}: ${stored ?? 'no'} bytes are stored`);
  }
  if (entries.length === 0) throw new Error('no photos are left');
  return entries;
}

/** The stored sizes of an event's originals by key; null if the run was stopped. */
async function listSizes(blobs: BlobStore, eventId: string, isActive: () => Promise<boolean>): Promise<Map<string, number> | null> {
  const sizes = new Map<string, number>();
  for await (const { key, size } of blobs.list(eventPrefix(eventId))) {
    if (!(await isActive())) return null;
    if (key.endsWith('.original')) sizes.set(key, size);
  }
  return sizes;
}
