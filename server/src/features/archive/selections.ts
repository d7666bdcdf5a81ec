import { MINUTE, SELECTION_LIFETIME, SELECTION_LONGEST } from '@feierbild/contract/constants.ts';
import { PHOTO_STATES } from '@feierbild/contract/photo-states.ts';
import { isReferenceViolation } from '../../database/errors.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { CLOCK_SKEW_MS } from '../../lib/clock.ts';
import { inGroups } from '../../lib/concurrency/in-groups.ts';
import { yieldEvery } from '../../lib/concurrency/yield-every.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid, uuidv7 } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import type { Photos } from '../photos/photos.ts';
import { damagedOf } from '../zip-members/zip-members.ts';
import { noteDamaged } from './archive.ts';
import { createArchiveStore, type ListedPhoto } from './archive.store.ts';
import { folderName } from './zip-names.ts';
import type { ManifestEntry } from './zip-list.ts';
import { blobOf, createZips, EntryDamaged, hasPhotos, isPreview, SIZE_QUERIES, type OpenedZip } from './zips.ts';

/** Most selections per session; a further one replaces the one that was neither made nor read for longest. */
const PER_SESSION = 10;
/** Interval at which a selection that is being read is kept for longer. */
const KEEP_MS = 1 * MINUTE;
/** Most selections that this process makes at the same time, one of them of an event: each opens thousands of keys. */
const MAX_CONCURRENT = 2;
/** Photos per query. */
const PAGE_ROWS = 500;
/** Longest work before the event loop may do other work. */
const WORK_MS = 5;

export type Selections = ReturnType<typeof createSelections>;

type Deps = Pick<Context, 'db' | 'blobs' | 'vault' | 'sealedMetadata' | 'clock'> & Pick<Photos, 'verifyReceived'>;

/** Creates ZIPs of selected photos. They are independent of the event's ZIP. */
export function createSelections({ db, blobs, vault, sealedMetadata, verifyReceived, clock }: Deps) {
  const archives = createArchiveStore({ db, vault });
  const zips = createZips({ store: archives, blobs, vault, sealedMetadata });
  const places = createFairSemaphore(({ length }) => (length === 0 ? MAX_CONCURRENT : 1));

  /** Reads the photos, oldest first. Throws Refusal `photo_not_found` if one is missing. */
  async function photosOf(eventId: string, ids: readonly string[]): Promise<ListedPhoto[]> {
    const photos: ListedPhoto[] = [];
    for (let from = 0; from < ids.length; from += PAGE_ROWS) {
      const asked = ids.slice(from, from + PAGE_ROWS);
      const found = await archives.photosOf(eventId, asked);
      if (found.length < asked.length) throw new Refusal('photo_not_found');
      photos.push(...found);
    }
    return photos.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
  }

  /** Adds the photos whose blobs are missing or cut to `lost`. */
  async function checkStored(eventId: string, entries: readonly ManifestEntry[], lost: Set<string>, gone: AbortSignal): Promise<void> {
    const sizes = inGroups(entries, SIZE_QUERIES, (entry) => blobs.size(blobOf(eventId, entry)));
    for await (const [{ photoId, size }, stored] of sizes) {
      gone.throwIfAborted();
      if (stored !== vault.sealedSize(size)) lost.add(photoId);
    }
  }

  async function make(host: HostVisitor, ids: string[], gone: AbortSignal): Promise<{ id: string; expiresAt: number }> {
    const { eventId, sessionId } = host;
    const event = await archives.event(eventId);
    if (!event) throw new Refusal('event_not_found');
    const yieldOften = yieldEvery(WORK_MS);
    const goOn = async (): Promise<void> => {
      gone.throwIfAborted();
      await yieldOften();
    };
    const eventKey = host.openEventKey();
    const lost = new Set<string>();
    await verifyReceived(eventId, eventKey, { ids, lost, signal: gone });
    const photos = await photosOf(eventId, ids);
    const known = await damagedOf(db.kysely, eventId);
    const zip = zips.entries({ eventId, title: event.title, eventKey });
    const listed: ManifestEntry[] = [];
    for await (const [photo, entry] of zip.entriesOf(photos)) {
      await goOn();
      if (entry) listed.push(entry);
      const reads = known.has(photo.id) && entry && !isPreview(entry);
      if (!entry || (reads && !(await zip.opens(photo, entry, goOn)))) lost.add(photo.id);
    }
    await checkStored(eventId, listed, lost, gone);
    // A photo that was deleted meanwhile is none that is damaged.
    const entries = await zip.without(listed, await photosOf(eventId, [...lost]), goOn);
    if (!hasPhotos(entries)) throw new Refusal('photo_not_found');
    const now = clock.now();
    const [id, expiresAt] = [uuidv7(now), now + SELECTION_LIFETIME];
    const sealed = await zips.seal(entries, { publicKey: event.public_key, eventKey, info: infoOf(eventId, id) });
    gone.throwIfAborted();
    const written = db.transaction(async (trx) => {
      const row = { id, event_id: eventId, session_id: sessionId, ...sealed, created_at: now, expires_at: expiresAt };
      await trx.insertInto('selections').values(row).execute();
      // Those of a clock that was ahead would count as the newest.
      await trx
        .deleteFrom('selections')
        .where('session_id', '=', sessionId)
        .where('created_at', '>', now + CLOCK_SKEW_MS)
        .execute();
      const older = trx.selectFrom('selections').select('id').where('session_id', '=', sessionId).orderBy('expires_at', 'desc');
      const beyond = older.orderBy('id', 'desc').offset(PER_SESSION).limit(1000);
      await trx.deleteFrom('selections').where('id', 'in', beyond).execute();
    });
    await written.catch((error: unknown) => {
      // The session has ended since the request began, by a new password or with the event.
      throw isReferenceViolation(error) ? new Refusal('login_required', { cause: error }) : error;
    });
    return { id, expiresAt };
  }

  /** Puts off the end of a selection that is read. */
  async function keep({ id, created_at }: { id: string; created_at: number }): Promise<void> {
    const expires_at = Math.min(clock.now() + SELECTION_LIFETIME, created_at + SELECTION_LONGEST);
    await db.kysely.updateTable('selections').set({ expires_at }).where('id', '=', id).where('expires_at', '<', expires_at).execute();
  }

  return {
    /**
     * Lists selected photos of the host's event and checks that each is stored; damaged ones are there as in the event's ZIP. Throws Refusal
     * `event_not_found`, `login_required` if the session ends meanwhile, or `photo_not_found` if a photo was deleted or does not belong to
     * the event, or nothing is left of them, and the reason of `gone`: nobody waits for the list any more.
     */
    async make(host: HostVisitor, photoIds: readonly string[], gone: AbortSignal): Promise<{ id: string; expiresAt: number }> {
      const { eventId } = host;
      const ids = [...new Set(photoIds)];
      // The demo's login is free, so a list that cannot be right costs one statement, and does not wait.
      if (ids.length > (await archives.photoCount(eventId, PHOTO_STATES)))
        throw new Refusal((await archives.event(eventId)) ? 'photo_not_found' : 'event_not_found');
      return places.run([eventId], () => make(host, ids, gone), gone);
    },

    /**
     * Opens a selection for the session that made it, and keeps it for longer. Throws Refusal `selection_expired`, `event_not_found`, or
     * `photo_not_found` if a photo was deleted since.
     */
    async open(host: HostVisitor, id: string): Promise<OpenedZip> {
      const { eventId } = host;
      const kept = db.kysely.selectFrom('selections').selectAll().where('id', '=', id);
      const [event, row] = await Promise.all([archives.event(eventId), isUuid(id) ? kept.executeTakeFirst() : undefined]);
      if (!event) throw new Refusal('event_not_found');
      if (row?.event_id !== eventId || row.session_id !== host.sessionId || row.expires_at <= clock.now())
        throw new Refusal('selection_expired');
      const filename = `${folderName(event.title)} – Auswahl.zip`;
      const zip = zips.open({ eventId, manifest: row.manifest, info: infoOf(eventId, id), etag: row.etag, filename }, host.openEventKey());
      // Checks before the first byte is sent, so that no ZIP lacks a selected photo.
      for (let from = 0; from < zip.entries.length; from += PAGE_ROWS) {
        const page = zip.entries.slice(from, from + PAGE_ROWS);
        const ids = page.flatMap(({ photoId, text }) => (text === undefined ? [photoId] : []));
        if ((await archives.sealedKeys(ids)).size < ids.length) throw new Refusal('photo_not_found');
      }
      await keep(row);
      return {
        ...zip,
        async *read(range) {
          let keptAt = clock.now();
          // A download that breaks off after hours goes on by Range. The database's trouble does not end it.
          const keepOn = () => keep(row).catch(() => undefined);
          try {
            for await (const piece of zip.read(range)) {
              yield piece;
              if (clock.now() - keptAt < KEEP_MS) continue;
              keptAt = clock.now();
              void keepOn();
            }
          } catch (error) {
            // The next selection is made without this original.
            if (error instanceof EntryDamaged && !error.isPreview) await noteDamaged(archives, eventId, error.photoId);
            throw error;
          } finally {
            await keepOn();
          }
        },
      };
    },

    /** Removes expired selections. */
    async endExpired(): Promise<void> {
      await db.kysely.deleteFrom('selections').where('expires_at', '<=', clock.now()).execute();
    },
  };
}

function infoOf(eventId: string, id: string): string {
  return `selection/${eventId}/${id}`;
}
