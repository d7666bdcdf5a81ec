import { ANONYMOUS, DEVICE_NAME_LENGTH } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import type { PhotoRow } from '../../../database/schema.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { cleanText, cutText } from '../../../lib/clean-text.ts';
import { Refusal } from '../../../lib/errors.ts';
import { collect, single } from '../../../lib/stages.ts';
import { photoBlob } from '../../../storage/blob-store.ts';
import { deviceHash } from '../../devices/devices.ts';
import { cleanFileName, hasOriginal, photoAnswer } from '../../photos/photos.ts';
import type { UploadGround } from '../ground.ts';
import type { Originals, StagedOriginal } from './original.ts';
import { createProver } from './prove.ts';
import { refuseWithoutRoom, type Note, type UploadStore, type UploadTarget } from './photos-in.store.ts';

export type { UploadStore } from './photos-in.store.ts';

export interface StoredUpload {
  /** 201 for a new photo, 200 for one that was stored before. */
  status: 200 | 201;
  photo: Photo;
  /** Of the bytes that are stored. */
  sha256: Bytes;
  /** For the Fotobox: where its guest gets the photo. A repeat makes a fresh one. */
  link?: { download_url: string; expires_at: string };
}

/** Whose original is stored. */
export interface From {
  visitor: DeviceVisitor;
  deviceName: string;
  fotobox: boolean;
  /** Aborted when the client has left: decoding that has not begun is then skipped. */
  gone: AbortSignal | undefined;
  /** Notes, together with the photo or once it is found, that the upload became it. */
  note: Note | null;
}

/** The second half of an upload's way: what has arrived whole is proved, placed and committed. */
export function createStoring(ground: UploadGround, store: UploadStore, originals: Originals) {
  const { db, blobs, staging, vault, photos, links, descriptions, life, clock, log } = ground;
  const prove = createProver(ground, originals);

  /** Stores an original, or finds the same one of the same device. Throws Refusal; then nothing of it stays. */
  async function storeOriginal(original: StagedOriginal, from: From): Promise<StoredUpload> {
    const { deviceId } = from.visitor;
    const { eventId, fingerprint } = original;
    const device_hash = deviceHash(vault, deviceId, eventId);
    const target = await store.target({ event_id: eventId, device_hash, fingerprint });
    if (!target) throw new Refusal('event_not_found');
    if (target.duplicate) {
      await restoreOriginal(target.duplicate, original, deviceId);
      return answerRepeat(target.duplicate, original, from);
    }

    refuseWithoutRoom(original.digest.size, target);
    const { type, width, height, takenAt, video, thumbnail } = await prove(original, target, from.gone);
    using guestKey = vault.guestKey(deviceId, eventId);
    const description = {
      deviceName: cutText(cleanText(from.deviceName), DEVICE_NAME_LENGTH).trim() || ANONYMOUS,
      filename: cleanFileName(original.filename, type),
      takenAt,
    };
    const photo: PhotoRow = {
      id: original.photoId,
      event_id: eventId,
      device_hash,
      description: vault.sealDescription(guestKey, description, original),
      created_at: clock.now(),
      type,
      size: original.digest.size,
      width,
      height,
      duration_ms: video?.durationMs ?? null,
      codecs: video?.codecs ?? null,
      thumbnail_type: thumbnail.type,
      thumbnail_size: thumbnail.bytes.length,
      thumbnail_attempt: null,
      preview_type: null,
      preview_size: null,
      preview_attempt: null,
      slideshow: 1,
      sample: 0,
      fingerprint,
    };
    const stored = await placeAndCommit(photo, original, thumbnail.bytes, from, target);
    if (stored.id !== photo.id) return answerRepeat(stored, original, from);

    photos.previews.later(photo, original.key);
    return answer(stored, from, { status: 201, sha256: original.digest.sha256 });
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
    const blob = photoBlob(row.event_id, row.id, 'original');
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

  /** Stores the photo's blobs and row. Returns the row, or the same photo of an earlier upload; then the blobs go. */
  async function placeAndCommit(
    photo: PhotoRow,
    { key, digest, path }: StagedOriginal,
    thumbnail: Bytes,
    { visitor: { deviceId }, note }: From,
    target: UploadTarget,
  ): Promise<PhotoRow> {
    const context = { eventId: photo.event_id, photoId: photo.id };
    const [original, thumb] = (['original', 'thumbnail'] as const).map((variant) => photoBlob(photo.event_id, photo.id, variant));
    const sealed = await collect(vault.sealBlob(key, { ...context, variant: 'thumbnail' }, single(thumbnail)));
    const { public_key: publicKey } = target;
    const keys = {
      sealed_for_event: vault.sealPhotoKey(publicKey, key, context),
      wrapped_for_device: vault.wrapForDevice(key, deviceId, context),
      facts: vault.sealFacts(key, digest, context),
    };
    const guest = { eventId: photo.event_id, deviceHash: photo.device_hash };
    const sealGuestKey = (): Bytes => {
      using guestKey = vault.guestKey(deviceId, photo.event_id);
      return vault.sealGuestKey(publicKey, guestKey, guest);
    };
    const dropped = note?.dropped ?? [];
    return life.change({
      placed: { [original!]: (name) => blobs.adopt(name, path), [thumb!]: (name) => blobs.put(name, sealed) },
      dropped,
      commit: () => store.addOrFind({ photo, keys, sealGuestKey, note }, target),
      unnamed: ({ id }) => (id === photo.id ? dropped : [original!, thumb!]),
      look: () => store.byId(photo.id),
    });
  }

  async function answer(
    row: PhotoRow,
    { visitor, fotobox }: Pick<From, 'visitor' | 'fotobox'>,
    { status, sha256 }: Pick<StoredUpload, 'status' | 'sha256'>,
  ): Promise<StoredUpload> {
    const stored = { status, sha256, photo: photoAnswer(row, descriptions.byDevice(visitor.deviceId, row.event_id)(row)) };
    return fotobox ? { ...stored, link: await links.make(await photos.find({ ...visitor, host: null }, row.id)) } : stored;
  }

  return {
    store: storeOriginal,

    /** The answer for a photo that the device stored before; null where it or its original is gone. */
    async again(photoId: string, from: Pick<From, 'visitor' | 'fotobox'>): Promise<StoredUpload | null> {
      const row = await store.byId(photoId);
      const keys = row && (await store.keys(row.id));
      if (!row || !keys || !(await hasOriginal({ blobs, vault }, row))) return null;
      const context = { eventId: row.event_id, photoId: row.id };
      using key = vault.openForDevice(keys.wrapped_for_device, from.visitor.deviceId, context);
      const { sha256 } = vault.openFacts(key, keys.facts, context);
      return answer(row, from, { status: 200, sha256 });
    },
  };
}

export type Storing = ReturnType<typeof createStoring>;
