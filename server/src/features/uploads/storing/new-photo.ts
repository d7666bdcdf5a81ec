import { ANONYMOUS, DEVICE_NAME_LENGTH } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import type { Compilable } from 'kysely';
import type { PhotoRow } from '../../../database/schema.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { cleanText, cutText } from '../../../lib/clean-text.ts';
import type { Digest } from '../../../lib/stages.ts';
import { deviceHash } from '../../devices/devices.ts';
import { sealGuestName } from '../../photo-keys/photo-keys.ts';
import { cleanFileName, photoAnswer } from '../../photos/photos.ts';
import type { UploadGround } from '../ground.ts';
import type { Note, UploadStore, UploadTarget } from './photos-in.store.ts';
import type { Proof } from './prove.ts';

export interface StoredUpload {
  /** 201 for a new photo, 200 for one that was stored before. */
  status: 200 | 201;
  photo: Photo;
  /** Of the original that is stored; null where that follows. */
  sha256: Bytes | null;
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
  /** That was given with the upload; not checked yet. */
  linkToken: string | null;
  /** The device's id is forgotten after its session: a repeat may be another device's, whose keys are not at hand. */
  isForgotten?: boolean;
}

export type Answered = Pick<From, 'visitor' | 'fotobox' | 'linkToken' | 'isForgotten'>;

/** Of a photo that an earlier session sent. */
const UNKNOWN = { deviceName: ANONYMOUS, filename: 'foto.jpg', takenAt: null };

const shownName = (typed: string): string => cutText(cleanText(typed), DEVICE_NAME_LENGTH).trim() || ANONYMOUS;

/** What is written of a new photo. */
export function createNewPhotos({ vault, life, links, photos, descriptions }: UploadGround, store: UploadStore) {
  /** Names of guest and file, sealed for the guest. */
  function describe(
    photo: { eventId: string; photoId: string },
    { visitor, deviceName }: Pick<From, 'visitor' | 'deviceName'>,
    { type, takenAt }: { type: string; takenAt: string | null },
    filename: string,
  ): Bytes {
    using guestKey = vault.guestKey(visitor.deviceId, photo.eventId);
    return vault.sealDescription(guestKey, { deviceName: shownName(deviceName), filename: cleanFileName(filename, type), takenAt }, photo);
  }

  /** Stores a photo's blobs, row and keys, for its event and its device. Returns the row, or the same photo of an earlier upload; then the blobs go. */
  async function add(
    photo: PhotoRow,
    { key, digest }: { key: Bytes; digest: Digest },
    { visitor: { deviceId }, deviceName, fotobox, note, linkToken }: Omit<From, 'gone'>,
    target: UploadTarget,
    placed: Record<string, (name: string) => Promise<void>>,
  ): Promise<PhotoRow> {
    const context = { eventId: photo.event_id, photoId: photo.id };
    const { public_key: publicKey } = target;
    const keys = {
      sealed_for_event: vault.sealPhotoKey(publicKey, key, context),
      wrapped_for_device: vault.wrapForDevice(key, deviceId, context),
      facts: vault.sealFacts(key, digest, context),
    };
    function sealGuestKey(): Bytes {
      using guestKey = vault.guestKey(deviceId, photo.event_id);
      return vault.sealGuestKey(publicKey, guestKey, { eventId: photo.event_id, deviceHash: photo.device_hash });
    }
    const deviceKey = (): Bytes => vault.deviceKeys(deviceId, photo.event_id).publicKey;
    const sealForGallery = (galleryKey: Bytes) => ({
      key: vault.sealForGallery(galleryKey, key, context),
      name: sealGuestName(vault, galleryKey, photo, shownName(deviceName)),
    });
    const also = linksOf(photo, key, linkToken);
    const dropped = note?.dropped ?? [];
    return life.change({
      placed,
      dropped,
      commit: () => store.addOrFind({ photo, keys, sealGuestKey, deviceKey, sealForGallery, fotobox, also, note }, target),
      unnamed: (row) => (isTheSame(row, photo) ? dropped : Object.keys(placed)),
      look: () => store.byId(photo.id),
    });
  }

  /** What a Fotobox has printed, as rows that are written with their photo: so it is right even where this process ends now. */
  const linksOf = (photo: PhotoRow, key: Bytes, linkToken: string | null): Compilable[] =>
    linkToken === null ? [] : links.rowsOf(linkToken, key, photo);

  const isOwn = ({ device_hash, event_id }: PhotoRow, deviceId: string): boolean =>
    Buffer.from(device_hash).equals(deviceHash(vault, deviceId, event_id));

  async function answer(
    row: PhotoRow,
    { visitor, fotobox, linkToken, isForgotten }: Answered,
    { status, sha256 }: Pick<StoredUpload, 'status' | 'sha256'>,
  ): Promise<StoredUpload> {
    const description = isOwn(row, visitor.deviceId) ? descriptions.byDevice(visitor.deviceId, row.event_id)(row) : UNKNOWN;
    const stored = { status, sha256, photo: photoAnswer(row, description) };
    if (!fotobox || isForgotten) return stored;
    return { ...stored, link: await links.make(await photos.find({ ...visitor, host: null }, row.id), linkToken ?? undefined) };
  }

  return { describe, add, answer, linksOf, isOwn };
}

/** Whether a row is the one that was to be added. Two nodes may announce a photo at once, each with a key of its own. */
export function isTheSame(row: PhotoRow, photo: PhotoRow): boolean {
  return row.id === photo.id && (photo.state !== 'announced' || row.preview_attempt === photo.preview_attempt);
}

/** The row of a photo that is proved and about to be committed. */
export function photoRow(
  { photoId, eventId, digest, fingerprint }: { photoId: string; eventId: string; digest: Pick<Digest, 'size'>; fingerprint: Bytes },
  { type, width, height, video, thumbnail }: Proof,
  received: Pick<PhotoRow, 'device_hash' | 'description' | 'created_at'>,
): PhotoRow {
  return {
    id: photoId,
    event_id: eventId,
    ...received,
    state: 'stored',
    drawn_by: 'server',
    type,
    size: digest.size,
    original_attempt: null,
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
    release_state: 0,
    release_at: null,
    sample: 0,
    fingerprint,
  };
}
