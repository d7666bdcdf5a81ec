import type { PhotoRow, UploadRow } from '../../../database/schema.ts';
import { Refusal } from '../../../lib/errors.ts';
import { collect, single } from '../../../lib/stages.ts';
import { photoBlob } from '../../../storage/blob-store.ts';
import { deviceHash } from '../../devices/devices.ts';
import { hasOriginal } from '../../photos/photos.ts';
import type { UploadGround } from '../ground.ts';
import { createAnnouncing } from './announcing.ts';
import { createNewPhotos, photoRow, type Answered, type From, type StoredUpload } from './new-photo.ts';
import type { Announced, Originals, StagedOriginal } from './original.ts';
import { createProver } from './prove.ts';
import { refuseWithoutRoom, type UploadStore, type UploadTarget } from './photos-in.store.ts';

export type { From, StoredUpload } from './new-photo.ts';
export type { UploadStore } from './photos-in.store.ts';

/** The second half of an upload's way: what has arrived whole is proved, placed and committed. */
export function createStoring(ground: UploadGround, store: UploadStore, originals: Originals) {
  const { db, blobs, staging, vault, photos, links, life, clock, log } = ground;
  const prove = createProver(ground, originals);
  const { describe, add, answer, isOwn } = createNewPhotos(ground, store);
  const { receive, redraw, announce } = createAnnouncing(ground, store, originals);

  /** Stores an original, or finds the same one of the same device. Throws Refusal; then nothing of it stays. */
  async function storeOriginal(staged: StagedOriginal, given: From): Promise<StoredUpload> {
    const { deviceId } = given.visitor;
    const { eventId, fingerprint, announced } = staged;
    const { filename, token } = await links.booths.named(eventId, staged.filename, given.linkToken);
    const [original, from] = [
      { ...staged, filename },
      { ...given, linkToken: given.fotobox ? token : null },
    ];
    const device_hash = deviceHash(vault, deviceId, eventId);
    const target = await store.target({ event_id: eventId, device_hash, fingerprint });
    if (!target) throw new Refusal('event_not_found');
    if (target.duplicate) {
      await restoreOriginal(target.duplicate, original, deviceId);
      const repeat = await answerRepeat(target.duplicate, original, from);
      // The file had come before, by another way.
      if (announced && announced.id !== target.duplicate.id) await photos.remove({ row: announced });
      return repeat;
    }

    refuseWithoutRoom(original.digest.size, target);
    const { row, isNew } = await (announced ? receive(announced, original, from, target) : addOriginal(original, from, target));
    if (!isNew) return answerRepeat(row, original, from);
    photos.previews.later(row, original.key);
    return answer(row, from, { status: 201, sha256: original.digest.sha256 });
  }

  /** Proves an original, and stores it as a photo, if it is not one already. Throws Refusal. */
  async function addOriginal(original: StagedOriginal, from: From, target: UploadTarget) {
    const { eventId, photoId, key, path } = original;
    const proof = await prove(original, target, from.gone);
    const description = describe(original, from, proof, original.filename);
    const device_hash = deviceHash(vault, from.visitor.deviceId, eventId);
    const photo = photoRow(original, proof, { device_hash, description, created_at: clock.now() });
    const thumbnail = await collect(vault.sealBlob(key, { eventId, photoId, variant: 'thumbnail' }, single(proof.thumbnail.bytes)));
    const row = await add(photo, original, from, target, {
      [photoBlob(eventId, photoId, 'original')]: (name) => blobs.adopt(name, path),
      [photoBlob(eventId, photoId, 'thumbnail')]: (name) => blobs.put(name, thumbnail),
    });
    return { row, isNew: row.id === photoId };
  }

  async function answerRepeat(row: PhotoRow, original: StagedOriginal, from: From): Promise<StoredUpload> {
    const { note } = from;
    if (note) {
      const { dropped } = note;
      const isNoted = (rows: unknown[][]): boolean => rows.at(-1)?.length === 1;
      const commit = () => db.batch(note.statements(row.id));
      const rows = await life.change({ dropped, commit, unnamed: (written) => (isNoted(written) ? dropped : []) });
      // The photo was deleted meanwhile.
      if (!isNoted(rows)) throw new Refusal('unavailable', { retryAfter: 1 });
    }
    return answer(row, from, { status: 200, sha256: original.digest.sha256 });
  }

  /** Puts a stored photo's original back where the photo store has lost it: the same bytes have just come again. */
  async function restoreOriginal(row: PhotoRow, original: StagedOriginal, deviceId: string): Promise<void> {
    if (await hasOriginal({ blobs, vault }, row)) return;
    if (!isOwn(row, deviceId)) throw new Refusal('unavailable');
    const blob = photoBlob(row.event_id, row.id, 'original', row.original_attempt);
    const context = { eventId: row.event_id, photoId: row.id };
    await using owned = new AsyncDisposableStack();
    const keys = await store.keys(row.id);
    // It was deleted meanwhile.
    if (!keys) throw new Refusal('unavailable', { retryAfter: 1 });
    using key = vault.openForDevice(keys.wrapped_for_device, deviceId, context);
    const path = owned.adopt(staging.path(), staging.discard);
    await staging.write(path, vault.sealBlob(key, { ...context, variant: 'original' }, originals.open(original)));
    await blobs.adopt(blob, path);
    log.warn({ photo: row.id }, 'a lost original was stored again');
  }

  return {
    store: storeOriginal,
    redraw,
    announce,

    /** The photo of which an upload's preview was shown, with the key that its original gets; undefined where it has none. */
    async announced(id: string, deviceId: string): Promise<Announced | undefined> {
      const row = await store.byId(id);
      if (row?.state !== 'announced') return undefined;
      const keys = await store.keys(id);
      // It was deleted meanwhile.
      if (!keys) throw new Refusal('unavailable', { retryAfter: 1 });
      return { row, key: vault.openForDevice(keys.wrapped_for_device, deviceId, { eventId: row.event_id, photoId: id }) };
    },

    /** The photo that an upload of this key has announced, which was ended before its original came. */
    announcedAs: async ({ key_hash, ...upload }: Pick<UploadRow, 'key_hash' | 'event_id' | 'device_hash'>): Promise<string | undefined> =>
      (await store.target({ ...upload, fingerprint: key_hash }))?.duplicate?.id,

    /** Whether the photo is there with its original. */
    async isStored(photoId: string): Promise<boolean> {
      const row = await store.byId(photoId);
      return row !== undefined && (await hasOriginal({ blobs, vault }, row));
    },

    /** The answer for a photo that the device stored before; null where it or its original is gone. */
    async again(photoId: string, given: Answered): Promise<StoredUpload | null> {
      const row = await store.byId(photoId);
      const keys = row && (await store.keys(row.id));
      if (!row || !keys || !(await hasOriginal({ blobs, vault }, row))) return null;
      const context = { eventId: row.event_id, photoId: row.id };
      using key = vault.openForDevice(keys.wrapped_for_device, given.visitor.deviceId, context);
      const { sha256 } = vault.openFacts(key, keys.facts, context);
      const { token } = await links.booths.named(row.event_id, '', given.linkToken);
      return answer(row, { ...given, linkToken: token }, { status: 200, sha256 });
    },
  };
}

export type Storing = ReturnType<typeof createStoring>;
