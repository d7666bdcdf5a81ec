import { PREVIEW_EDGE_MAX, PREVIEW_TYPE } from '@feierbild/contract/constants.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import type { PhotoRow, UploadRow } from '../../../database/rows.ts';
import { NotAPhoto } from '../../../images/decoder.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import { photoBlob } from '../../../storage/blob-store.ts';
import { deviceHash } from '../../devices/devices.ts';
import { sealGuestName } from '../../photo-keys/photo-keys.ts';
import { hasOriginal, type Redrawn } from '../../photos/photos.ts';
import { damagedOf } from '../../zip-members/zip-members.ts';
import type { UploadContext } from '../context.ts';
import { askerOf } from './asker.ts';
import { createAnswering, type StoredUpload } from './answering.ts';
import type { Originals, StagedOriginal } from './original.ts';
import { isTheSame } from './blob-version.ts';
import type { UploadStore } from './photos-in.store.ts';
import { createPreparing, shownName, type From, type NewPreview, type Placed, type Sent } from './preparing.ts';
import { refuseEnded, refuseWithoutRoom } from './room.ts';
import type { UploadTarget } from './upload-target.store.ts';

export type { UploadStore } from './photos-in.store.ts';
export type Placing = ReturnType<typeof createPlacing>;

/**
 * The second half of an upload's way: a file that has arrived whole is verified, placed and committed. A preview makes a photo `announced`;
 * an original makes that photo `received`, or, without a preview before it, `stored`. A photo has its upload's id, so that an upload makes
 * one.
 */
export function createPlacing(context: UploadContext, store: UploadStore, originals: Originals) {
  const { db, blobs, staging, vault, photos, links, blobLife, log } = context;
  const prepare = createPreparing(context, originals);
  const answering = createAnswering(context, store);
  const { answer, isOwn } = answering;

  /** Places a photo's blobs and writes its rows. Returns its row, or the row of a photo that exists instead; then the blobs are removed. */
  async function place(
    { photo, key, digest, blobs: placed }: Placed,
    { visitor: { deviceId }, deviceName, fotobox, verifier, completion, linkToken }: Omit<From, 'gone'>,
    target: UploadTarget,
  ): Promise<PhotoRow> {
    const context = { eventId: photo.event_id, photoId: photo.id };
    const { public_key: publicKey } = target;
    const fresh = () => ({
      keys: {
        sealed_for_event: vault.sealPhotoKey(publicKey, key, context),
        wrapped_for_device: vault.wrapForDevice(key, deviceId, context),
      },
      sealGuestKey(): Bytes {
        using guestKey = vault.guestKey(deviceId, photo.event_id);
        return vault.sealGuestKey(publicKey, guestKey, { eventId: photo.event_id, deviceHash: photo.device_hash });
      },
      deviceKey: (): Bytes => vault.deviceKeys(deviceId, photo.event_id).publicKey,
      sealForGallery: (galleryKey: Bytes) => ({
        key: vault.sealForGallery(galleryKey, key, context),
        name: sealGuestName(vault, galleryKey, photo, shownName(deviceName)),
      }),
      fotobox,
      ...(verifier !== undefined && { verifier }),
    });
    const written = {
      photo,
      digest: vault.sealDigest(key, digest, context),
      fresh: photo.state === 'received' ? null : fresh(),
      // The link on the Fotobox's print must hold even if this process ends now.
      also: linkToken === null ? [] : links.rowsOf(linkToken, key, photo),
      completion,
    };
    const dropped = completion?.dropped ?? [];
    return blobLife.changeBlobs({
      placed,
      dropped,
      commit: () => store.place(written, target),
      unnamed: (row) => (isTheSame(row, photo) ? dropped : Object.keys(placed)),
      look: async () => {
        const row = await store.byId(photo.id);
        return row && (photo.state === 'announced' || STATE_RULES[row.state].original) ? row : undefined;
      },
    });
  }

  /** Answers for an original whose photo exists already. If the file came by two ways, the photo `announced` on this one is removed. */
  async function answerRepeat(row: PhotoRow, original: StagedOriginal, from: From, announced: PhotoRow | undefined): Promise<StoredUpload> {
    const { completion } = from;
    if (completion) {
      const { dropped } = completion;
      const isNoted = (rows: unknown[][]): boolean => rows.at(-1)?.length === 1;
      const commit = () => db.batch(completion.statements(row.id));
      const rows = await blobLife.changeBlobs({ dropped, commit, unnamed: (written) => (isNoted(written) ? dropped : []) });
      // The photo was deleted meanwhile.
      if (!isNoted(rows)) throw new Refusal('unavailable', { retryAfter: 1 });
    }
    if (announced && announced.id !== row.id) await answering.removeAnnounced(announced, from.visitor);
    return answer(row, from, { status: 200, sha256: original.digest.sha256 });
  }

  /** Puts a stored photo's original back if the photo store has lost it, or the ZIP found it damaged: the same bytes have just come again. */
  async function restoreOriginal(row: PhotoRow, original: StagedOriginal, deviceId: string): Promise<void> {
    const damaged = await damagedOf(db.kysely, row.event_id);
    if (!damaged.has(row.id) && (await hasOriginal({ blobs, vault }, row))) return;
    if (!isOwn(row, deviceId)) throw new Refusal('unavailable');
    const blob = photoBlob(row.event_id, row.id, 'original', row.original_attempt);
    const context = { eventId: row.event_id, photoId: row.id };
    await using owned = new AsyncDisposableStack();
    const keys = await store.keys(row.id);
    // The photo was deleted meanwhile.
    if (!keys) throw new Refusal('unavailable', { retryAfter: 1 });
    using key = vault.openForDevice(keys.wrapped_for_device, deviceId, context);
    const path = owned.adopt(staging.path(), staging.discard);
    await staging.write(path, vault.sealBlob(key, { ...context, variant: 'original' }, originals.open(original)));
    const isBack = await blobLife.putBack(blob, () => blobs.adopt(blob, path));
    if (!isBack) throw new Refusal('unavailable', { retryAfter: 1 });
    log.warn({ photo: row.id }, 'a lost original was stored again');
  }

  return {
    ...answering,

    /**
     * Stores an original, or finds the same one of the same device. Throws Refusal (upload_key_taken if another file has its id),
     * Overtaken; then nothing is stored.
     */
    async original(staged: StagedOriginal, given: From): Promise<StoredUpload> {
      const { deviceId } = given.visitor;
      const { eventId, photoId, fingerprint } = staged;
      const { filename, token } = await links.booths.named(eventId, staged.filename, given.linkToken);
      const original = { ...staged, filename };
      const from = { ...given, linkToken: given.fotobox ? token : null };
      const device_hash = deviceHash(vault, deviceId, eventId);
      const target = await store.target({ id: photoId, event_id: eventId, device_hash, fingerprint });
      if (!target) throw new Refusal('event_not_found');
      refuseEnded(target, given);
      const { own, twin } = target;
      const announced = own?.state === 'announced' ? own : undefined;
      const before = twin ?? (announced ? undefined : own);
      if (before) {
        mustBeSameFile(before, original);
        await restoreOriginal(before, original, deviceId);
        return answerRepeat(before, original, from, announced);
      }
      if (staged.isAnnounced !== (own !== undefined)) throw new Overtaken();
      refuseWithoutRoom(original.digest.size, target);
      const placed = await (own ? prepare.received(original, from, own) : prepare.stored(original, from, target));
      const row = await place(placed, from, target);
      if (!isTheSame(row, placed.photo)) {
        if (!STATE_RULES[row.state].original) throw new Overtaken();
        mustBeSameFile(row, original);
        return answerRepeat(row, original, from, announced);
      }
      if (placed.preview) photos.previews.keep(row, original.key, placed.preview);
      else photos.previews.later(row, original.key);
      return answer(row, from, { status: 201, sha256: original.digest.sha256 });
    },

    /** Shows a photo by the preview that its phone has drawn. Throws Refusal. */
    async preview({ drawn, upload, visitor, deviceName, filename: given, fotobox, verifier }: NewPreview): Promise<StoredUpload> {
      // The link comes with the original.
      const from = { visitor, deviceName, fotobox: false, linkToken: null, completion: null };
      const { id: photoId, key_hash: fingerprint, event_id: eventId, device_hash } = upload;
      const target = await store.target({ id: photoId, event_id: eventId, device_hash, fingerprint });
      if (!target) throw new Refusal('event_not_found');
      refuseEnded(target, { fotobox, verifier });
      const before = target.own ?? target.twin;
      // Another length means another file; with the same length the original will tell.
      if (before && before.size !== upload.length) throw new Refusal('upload_key_taken');
      if (before) return answer(before, from, { status: 200, sha256: null });
      refuseWithoutRoom(upload.length, target);
      const { filename } = await links.booths.named(eventId, given, null);
      using key = vault.createPhotoKey();
      const placed = await prepare.preview({ drawn, upload, filename }, from, key);
      const row = await place(placed, { ...from, fotobox, verifier }, target);
      return answer(row, from, { status: isTheSame(row, placed.photo) ? 201 : 200, sha256: null });
    },

    /** Redraws thumbnail and preview from a phone's picture; skips it if the phone has `gone` before. Throws Refusal preview_refused. */
    async redraw(picture: Bytes, eventId: string, { visitor, gone }: Pick<Sent, 'visitor'> & { gone: AbortSignal }): Promise<Redrawn> {
      const asker = { ...askerOf(eventId, visitor), signal: gone };
      const drawn = await photos.previews.redraw(picture, asker, PREVIEW_EDGE_MAX ** 2).catch((error: unknown) => {
        throw error instanceof NotAPhoto ? new Refusal('preview_refused', { cause: error }) : error;
      });
      if (drawn.type !== PREVIEW_TYPE || Math.max(drawn.width, drawn.height) > PREVIEW_EDGE_MAX) throw new Refusal('preview_refused');
      // Without a sender no original follows, or it comes by another way already.
      gone.throwIfAborted();
      return drawn;
    },

    /** Opens the key of the photo that an upload's preview shows; undefined if there is none. */
    async announcedKey({ id, event_id }: Pick<UploadRow, 'id' | 'event_id'>, deviceId: string) {
      const keys = (await store.byId(id))?.state === 'announced' ? await store.keys(id) : undefined;
      return keys && vault.openForDevice(keys.wrapped_for_device, deviceId, { eventId: event_id, photoId: id });
    },
  };
}

/** Throws Refusal upload_key_taken if a photo with this id is another file: a key is forgotten after a day and may be used again. */
function mustBeSameFile({ fingerprint }: PhotoRow, original: Pick<StagedOriginal, 'fingerprint'>): void {
  if (!Buffer.from(fingerprint).equals(original.fingerprint)) throw new Refusal('upload_key_taken');
}

/**
 * The photo was announced, or deleted, after its original was sealed: the original has to be sealed again under the photo's present key.
 */
export class Overtaken extends Refusal {
  constructor() {
    super('unavailable', { retryAfter: 1 });
  }
}
