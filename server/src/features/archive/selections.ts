import { SELECTION_LIFETIME } from '@feierbild/contract/constants.ts';
import type { Db } from '../../database/open.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import type { Clock } from '../../lib/clock.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { yieldEvery } from '../../lib/concurrency/yield-every.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid, uuidv7 } from '../../lib/ids.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Descriptions } from '../descriptions/descriptions.ts';
import { createArchiveStore, type ListedPhoto } from './archive.store.ts';
import type { OpenedArchive } from './archive.ts';
import { etagOf, packManifest, unpackManifest, type ManifestEntry } from './manifest.ts';
import { createSelectionStore } from './selections.store.ts';
import { createEntries } from './zip-entries.ts';
import { layoutZip } from './zip-layout.ts';
import { folderName } from './zip-names.ts';
import { streamZip } from './zip-stream.ts';

/** Most selections of a session; a further one replaces the oldest. */
const PER_SESSION = 10;
/** Selections that this process makes at the same time: each opens thousands of keys. */
const MAX_CONCURRENT = 2;
/** Photos read from the database at once. */
const PAGE_ROWS = 500;
/** Concurrent size queries to the photo store. */
const SIZE_QUERIES = 32;
/** Longest work before the event loop may do other work. */
const WORK_MS = 5;

export interface Selections {
  /**
   * Makes the list of selected photos of the host's event and checks that each exists. Throws Refusal event_not_found, or
   * photo_not_found if one of them was deleted or does not belong to the event.
   */
  make(host: HostVisitor, photoIds: readonly string[]): Promise<{ id: string; expiresAt: number }>;
  /** Only for the session that made it. Throws Refusal selection_expired, event_not_found, or photo_not_found if a photo was deleted since. */
  open(host: HostVisitor, id: string): Promise<OpenedArchive>;
  /** Removes expired selections. */
  endExpired(): Promise<void>;
}

interface Parts {
  db: Db;
  blobs: BlobStore;
  vault: Vault;
  descriptions: Descriptions;
  clock: Clock;
}

/** ZIPs of selected photos. They are independent of the event's ZIP. */
export function createSelections({ db, blobs, vault, descriptions, clock }: Parts): Selections {
  const store = createSelectionStore(db);
  const archives = createArchiveStore({ db, vault });
  const semaphore = createFairSemaphore(MAX_CONCURRENT);

  /** The photos, oldest first. */
  async function photosOf(eventId: string, ids: readonly string[]): Promise<ListedPhoto[]> {
    const photos: ListedPhoto[] = [];
    for (let from = 0; from < ids.length; from += PAGE_ROWS)
      photos.push(...(await archives.photosOf(eventId, ids.slice(from, from + PAGE_ROWS))));
    if (photos.length < ids.length) throw new Refusal('photo_not_found');
    return photos.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
  }

  async function proveStored(eventId: string, entries: readonly ManifestEntry[]): Promise<void> {
    const prove = async ({ photoId, size }: ManifestEntry): Promise<void> => {
      const stored = await blobs.size(photoBlob(eventId, photoId, 'original'));
      if (stored === null) throw new Refusal('photo_not_found');
      if (stored !== vault.sealedSize(size)) throw new Error(`photo ${photoId}: ${stored} bytes are stored`);
    };
    for (let from = 0; from < entries.length; from += SIZE_QUERIES) await Promise.all(entries.slice(from, from + SIZE_QUERIES).map(prove));
  }

  async function make(host: HostVisitor, photoIds: readonly string[]): Promise<{ id: string; expiresAt: number }> {
    const { eventId, sessionId } = host;
    const event = await archives.event(eventId);
    if (!event) throw new Refusal('event_not_found');
    const yieldOften = yieldEvery(WORK_MS);
    const photos = await photosOf(eventId, [...new Set(photoIds)]);
    const eventKey = host.openEventKey();
    const entryOf = createEntries({ vault, descriptions }, { eventId, title: event.title, eventKey });
    const entries: ManifestEntry[] = [];
    for (const photo of photos) {
      await yieldOften();
      entries.push(entryOf(photo));
    }
    await proveStored(eventId, entries);
    const manifest = packManifest(entries);
    const etag = etagOf(manifest, eventKey, vault);
    const now = clock.now();
    const [id, expiresAt] = [uuidv7(now), now + SELECTION_LIFETIME];
    const sealed = vault.seal(event.public_key, manifest, infoOf(eventId, id));
    await store.add(
      { id, event_id: eventId, session_id: sessionId, etag, manifest: sealed, created_at: now, expires_at: expiresAt },
      PER_SESSION,
    );
    return { id, expiresAt };
  }

  return {
    make: (host, photoIds) => semaphore.run([], () => make(host, photoIds)),

    async open(host, id) {
      const { eventId } = host;
      const [event, row] = await Promise.all([archives.event(eventId), isUuid(id) ? store.find(id) : undefined]);
      if (!event) throw new Refusal('event_not_found');
      if (row?.event_id !== eventId || row.session_id !== host.sessionId || row.expires_at <= clock.now())
        throw new Refusal('selection_expired');
      const eventKey = host.openEventKey();
      const entries = unpackManifest(vault.open(eventKey, row.manifest, infoOf(eventId, id)));
      // Checked before the first byte is sent, so that no ZIP lacks a selected photo.
      for (let from = 0; from < entries.length; from += PAGE_ROWS) {
        const ids = entries.slice(from, from + PAGE_ROWS).map(({ photoId }) => photoId);
        if ((await archives.sealedKeys(ids)).size < ids.length) throw new Refusal('photo_not_found');
      }
      const layout = layoutZip(entries);
      return {
        size: layout.size,
        etag: row.etag,
        filename: `${folderName(event.title)} – Auswahl.zip`,
        read: (range) => streamZip({ store: archives, blobs, vault }, { eventId, entries, layout, eventKey }, range),
      };
    },

    endExpired: () => store.endExpired(clock.now()),
  };
}

function infoOf(eventId: string, id: string): string {
  return `selection/${eventId}/${id}`;
}
