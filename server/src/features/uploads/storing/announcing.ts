import { PREVIEW_EDGE_MAX, PREVIEW_TYPE } from '@feierbild/contract/constants.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import type { PhotoRow, UploadRow } from '../../../database/schema.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import { NotAPhoto, type Facts } from '../../../images/decoder.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import { collect, createDigest, first, single } from '../../../lib/stages.ts';
import { photoBlob } from '../../../storage/blob-store.ts';
import { isSameShape, newAttempt, type Redrawn } from '../../photos/photos.ts';
import type { UploadGround } from '../ground.ts';
import { createNewPhotos, isTheSame, photoRow, type From, type StoredUpload } from './new-photo.ts';
import type { Originals, StagedOriginal } from './original.ts';
import { refuseWithoutRoom, type UploadStore, type UploadTarget } from './photos-in.store.ts';

/** A preview that a phone has drawn. */
export interface NewPreview {
  drawn: Redrawn;
  /** Of the upload that it begins, which will be the photo's. */
  upload: Pick<UploadRow, 'id' | 'key_hash' | 'event_id' | 'device_hash' | 'length'>;
  deviceName: string;
  filename: string;
  visitor: DeviceVisitor;
}

/** The header of a JPEG, with the time of capture, is in its first bytes. */
const JPEG_HEADER_BYTES = 512 * 1024;
/** Of an original whose header says nothing. */
const UNKNOWN_TYPE = 'application/octet-stream';

/** Photos whose previews come before their originals: how they are shown, and how their originals are taken in. */
export function createAnnouncing(ground: UploadGround, store: UploadStore, originals: Originals) {
  const { blobs, vault, decoder, photos, links, life, clock } = ground;
  const { describe, add, answer, linksOf } = createNewPhotos(ground, store);

  /** An announced photo's original: durable now, and decoded when the house is quiet. What its header says is believed until then. */
  async function receive(announced: PhotoRow, original: StagedOriginal, from: From, target: UploadTarget) {
    const { digest, fingerprint, key, path, photoId, eventId } = original;
    const { type, width, height, takenAt } = await headerOf(announced, original);
    const photo: PhotoRow = {
      ...announced,
      type,
      width,
      height,
      fingerprint,
      state: 'received',
      original_attempt: newAttempt(),
      drawn_by: isSameShape(announced, { width, height }) ? announced.drawn_by : 'replaced',
      size: digest.size,
      description: describe(original, from, { type, takenAt }, original.filename),
    };
    const blob = photoBlob(eventId, photoId, 'original', photo.original_attempt);
    const also = linksOf(photo, key, from.linkToken);
    const dropped = from.note?.dropped ?? [];
    const row = await life.change({
      placed: { [blob]: (name) => blobs.adopt(name, path) },
      dropped,
      commit: () => store.receiveOrFind({ photo, facts: vault.sealFacts(key, digest, original), also, note: from.note }, target),
      unnamed: ({ id, original_attempt }) => (id === photoId && original_attempt === photo.original_attempt ? dropped : [blob]),
      look: async () => {
        const now = await store.byId(photoId);
        return now && STATE_RULES[now.state].original ? now : undefined;
      },
    });
    return { row, isNew: row.original_attempt === photo.original_attempt };
  }

  /** What an original's header says; where that is nothing, what its preview did. */
  async function headerOf({ width, height }: PhotoRow, original: StagedOriginal): Promise<Facts> {
    using _plain = original.plain;
    const { size } = original.digest;
    const factsOf = (bytes: number): Promise<Facts | null> =>
      decoder
        .facts(() => first(originals.open(original), bytes), bytes, { owner: original.eventId })
        .catch((error: unknown) => {
          if (error instanceof NotAPhoto) return null;
          throw error;
        });
    const header = await factsOf(Math.min(size, JPEG_HEADER_BYTES));
    const facts = header?.type === 'image/jpeg' || size <= JPEG_HEADER_BYTES ? header : await factsOf(size);
    return facts ?? { type: UNKNOWN_TYPE, width, height, takenAt: null };
  }

  /** Thumbnail and preview, drawn anew of what a phone has drawn. Throws Refusal preview_refused. */
  async function redraw(picture: Bytes, owner: string): Promise<Redrawn> {
    const drawn = await photos.previews.redraw(picture, owner, PREVIEW_EDGE_MAX ** 2).catch((error: unknown) => {
      throw error instanceof NotAPhoto ? new Refusal('preview_refused', { cause: error }) : error;
    });
    if (drawn.type !== PREVIEW_TYPE || Math.max(drawn.width, drawn.height) > PREVIEW_EDGE_MAX) throw new Refusal('preview_refused');
    return drawn;
  }

  /** Shows a photo by the preview that its phone has drawn. Throws Refusal. */
  async function announce({ drawn, upload, visitor, deviceName, filename: given }: NewPreview): Promise<StoredUpload> {
    // Its link comes with the original.
    const from = { visitor, deviceName, fotobox: false, linkToken: null, note: null };
    const { id: photoId, key_hash: fingerprint, event_id: eventId, device_hash } = upload;
    const target = await store.target({ event_id: eventId, device_hash, fingerprint });
    if (!target) throw new Refusal('event_not_found');
    if (target.duplicate) return answer(target.duplicate, from, { status: 200, sha256: null });
    refuseWithoutRoom(upload.length, target);
    const { filename } = await links.booths.named(eventId, given, null);
    const context = { eventId, photoId };
    const attempt = newAttempt();
    using key = vault.createPhotoKey();
    const measure = createDigest();
    const { thumbnail, preview } = drawn;
    const pictures = { thumbnail: single(thumbnail.bytes), preview: measure.through(single(preview.bytes)) };
    const placed: Record<string, (name: string) => Promise<void>> = {};
    for (const variant of ['thumbnail', 'preview'] as const) {
      const sealed = await collect(vault.sealBlob(key, { ...context, variant }, pictures[variant]));
      placed[photoBlob(eventId, photoId, variant, attempt)] = (name) => blobs.put(name, sealed);
    }
    const photo: PhotoRow = {
      ...photoRow(
        { photoId, eventId, digest: { size: upload.length }, fingerprint },
        { ...drawn, video: null },
        { device_hash, description: describe(context, from, drawn, filename), created_at: clock.now() },
      ),
      state: 'announced',
      drawn_by: 'phone',
      thumbnail_attempt: attempt,
      preview_type: preview.type,
      preview_size: preview.bytes.length,
      preview_attempt: attempt,
    };
    const shown = await add(photo, { key, digest: measure.result() }, from, target, placed);
    return answer(shown, from, { status: isTheSame(shown, photo) ? 201 : 200, sha256: null });
  }

  return { receive, redraw, announce };
}
