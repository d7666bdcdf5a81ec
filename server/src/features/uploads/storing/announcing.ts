import { PREVIEW_EDGE_MAX } from '@feierbild/contract/constants.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import type { PhotoRow, UploadRow } from '../../../database/schema.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import { NotAPhoto, type Redrawn } from '../../../images/decoder.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import { collect, createDigest, single } from '../../../lib/stages.ts';
import { photoBlob, type Derived } from '../../../storage/blob-store.ts';
import { newAttempt } from '../../photos/photos.ts';
import type { UploadGround } from '../ground.ts';
import { createNewPhotos, photoRow, type From, type StoredUpload } from './new-photo.ts';
import type { Originals, StagedOriginal } from './original.ts';
import { refuseWithoutRoom, type Note, type UploadStore, type UploadTarget } from './photos-in.store.ts';

/** A preview that a phone has drawn. */
export interface NewPreview {
  drawn: Redrawn;
  /** Of the upload that it begins, which will be the photo's. */
  upload: Pick<UploadRow, 'id' | 'event_id' | 'device_hash' | 'length'>;
  /** In place of the original's. */
  fingerprint: Bytes;
  deviceName: string;
  filename: string;
  visitor: DeviceVisitor;
  /** In the transaction that adds it. */
  note: Note;
}

/** By how much the sides of a preview may differ from the original's: phones round. */
const SAME_SHAPE = 0.02;

/** Of an original whose header says nothing. */
const UNKNOWN_TYPE = 'application/octet-stream';

/** What both ways of storing answer with. */
interface Answers {
  answer(row: PhotoRow, from: Pick<From, 'visitor' | 'fotobox'>, stored: Pick<StoredUpload, 'status' | 'sha256'>): Promise<StoredUpload>;
  answerRepeat(row: PhotoRow, original: StagedOriginal, from: From): Promise<StoredUpload>;
}

/** Photos whose previews come before their originals: how they are shown, and how their originals are taken in. */
export function createAnnouncing(ground: UploadGround, store: UploadStore, originals: Originals, { answer, answerRepeat }: Answers) {
  const { blobs, vault, decoder, photos, life, clock } = ground;
  const { describe, keysOf } = createNewPhotos(ground);

  /** An announced photo's original: durable now, and decoded when the house is quiet. What its header says is believed until then. */
  async function receive(announced: PhotoRow, original: StagedOriginal, from: From, target: UploadTarget): Promise<StoredUpload> {
    const { digest, fingerprint, key, path, photoId, eventId } = original;
    const facts = await headerOf(original);
    const isOther = facts !== null && Math.abs((facts.width * announced.height) / (facts.height * announced.width) - 1) > SAME_SHAPE;
    const photo: PhotoRow = {
      ...announced,
      ...(facts ? { type: facts.type, width: facts.width, height: facts.height } : { type: UNKNOWN_TYPE }),
      state: 'received',
      original_attempt: newAttempt(),
      drawn_by: isOther ? 'replaced' : announced.drawn_by,
      size: digest.size,
      description: describe(original, from, facts ?? { type: UNKNOWN_TYPE, takenAt: null }, original.filename),
      fingerprint,
    };
    const blob = photoBlob(eventId, photoId, 'original', photo.original_attempt);
    const dropped = from.note?.dropped ?? [];
    const received = await life.change({
      placed: { [blob]: (name) => blobs.adopt(name, path) },
      dropped,
      commit: () => store.receiveOrFind({ photo, facts: vault.sealFacts(key, digest, original), note: from.note }, target),
      unnamed: ({ id, original_attempt }) => (id === photoId && original_attempt === photo.original_attempt ? dropped : [blob]),
      look: async () => {
        const row = await store.byId(photoId);
        return row && STATE_RULES[row.state].original ? row : undefined;
      },
    });
    if (received.original_attempt !== photo.original_attempt) return answerRepeat(received, original, from);
    photos.previews.later(photo, key);
    return answer(photo, from, { status: 201, sha256: digest.sha256 });
  }

  /** What an original's header says; null where it says nothing. */
  async function headerOf(original: StagedOriginal) {
    using _plain = original.plain;
    return await decoder
      .facts(() => originals.open(original), original.digest.size, { owner: original.eventId })
      .catch((error: unknown) => {
        if (error instanceof NotAPhoto) return null;
        throw error;
      });
  }

  /** Thumbnail and preview, drawn anew of what a phone has drawn. Throws Refusal preview_refused. */
  async function redraw(picture: Bytes, owner: string): Promise<Redrawn> {
    const drawn = await decoder
      .redraw(() => single(picture), picture.length, { owner })
      .catch((error: unknown) => {
        throw error instanceof NotAPhoto ? new Refusal('preview_refused', { cause: error }) : error;
      });
    if (drawn.type !== 'image/jpeg' || Math.max(drawn.width, drawn.height) > PREVIEW_EDGE_MAX) throw new Refusal('preview_refused');
    return drawn;
  }

  /** Shows a photo by the preview that its phone has drawn. Throws Refusal. */
  async function announce({ drawn, upload, fingerprint, note, ...from }: NewPreview): Promise<StoredUpload> {
    const { id: photoId, event_id: eventId, device_hash } = upload;
    const { deviceId } = from.visitor;
    const target = await store.target({ event_id: eventId, device_hash, fingerprint });
    if (!target) throw new Refusal('event_not_found');
    if (target.duplicate) return answer(target.duplicate, { ...from, fotobox: false }, { status: 200, sha256: null });
    refuseWithoutRoom(upload.length, target);
    const context = { eventId, photoId };
    // Two nodes may do the same at once, each with a key of its own.
    const attempt = newAttempt();
    using key = vault.createPhotoKey();
    const measure = createDigest();
    const seal = (variant: Derived, bytes: AsyncIterable<Bytes>) => collect(vault.sealBlob(key, { ...context, variant }, bytes));
    const sealed = {
      thumbnail: await seal('thumbnail', single(drawn.thumbnail.bytes)),
      preview: await seal('preview', measure.through(single(drawn.preview.bytes))),
    };
    const photo: PhotoRow = {
      ...photoRow(
        { photoId, eventId, digest: { size: upload.length }, fingerprint },
        { ...drawn, video: null },
        { device_hash, description: describe(context, from, drawn, from.filename), created_at: clock.now() },
      ),
      state: 'announced',
      drawn_by: 'phone',
      thumbnail_attempt: attempt,
      preview_type: drawn.preview.type,
      preview_size: drawn.preview.bytes.length,
      preview_attempt: attempt,
    };
    const placed = (['thumbnail', 'preview'] as const).map((variant) => photoBlob(eventId, photoId, variant, attempt));
    const [thumb, preview] = placed as [string, string];
    const shown = await life.change({
      placed: { [thumb]: (name) => blobs.put(name, sealed.thumbnail), [preview]: (name) => blobs.put(name, sealed.preview) },
      commit: () => store.addOrFind({ photo, note, ...keysOf(photo, key, measure.result(), deviceId, target) }, target),
      unnamed: ({ preview_attempt }) => (preview_attempt === attempt ? [] : placed),
      look: () => store.byId(photoId),
    });
    return answer(shown, { ...from, fotobox: false }, { status: shown.preview_attempt === attempt ? 201 : 200, sha256: null });
  }

  return { receive, redraw, announce };
}
