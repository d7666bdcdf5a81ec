import { OutcomeUnknown } from '../../database/errors.ts';
import type { Db } from '../../database/open.ts';
import type { EventRow, PhotoRow } from '../../database/schema.ts';
import { NotAPhoto, TooManyPixels, type Decoded, type Decoder } from '../../images/decoder.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { addressNetwork } from '../../lib/address.ts';
import type { Clock } from '../../lib/clock.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Refusal } from '../../lib/errors.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { collect, createDigest, single } from '../../lib/stages.ts';
import { blobsOf, photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import { readStaged } from '../../storage/staged-file.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Descriptions } from '../descriptions/descriptions.ts';
import { deviceHash } from '../devices/devices.ts';
import type { Events } from '../events/events.ts';
import type { Links } from '../links/links.ts';
import { photoAnswer, removeBlobs, type Photos } from '../photos/photos.ts';
import { FORM_OVERHEAD_BYTES, type FilePart, type FormPart } from './form.ts';
import { createPlainMemory, type PlainMemory } from './plain-memory.ts';
import { createSender, type Sender } from './sender.ts';
import { isVideo } from './is-video.ts';
import { newPhotoRow, type IncomingUpload, type StagedOriginal, type StoredUpload } from './upload.ts';
import { createUploadSlots } from './upload-slots.ts';
import { createUploadStore } from './uploads.store.ts';

/** For plain bytes that wait for a decoder, in all: some twenty photos of phones. */
const PLAIN_MEMORY_BYTES = 80 * 1024 * 1024;
/** A larger upload is decoded from its sealed file. */
const PLAIN_COPY_MAX_BYTES = 16 * 1024 * 1024;
/** A sender who sends nothing for so long loses the connection. */
const STALL_MS = 20_000;

export interface Uploads {
  /** Of a single file. */
  maxBytes: number;
  /** Uploads that wait for their turn. */
  waiting(): number;
  /** Stores one photo durably. Throws Refusal as the contract lists them; then nothing of it stays. */
  receive(upload: IncomingUpload): Promise<StoredUpload>;
}

/** A form that is being read. */
interface Form {
  parts: AsyncIterator<FormPart>;
  sender: Sender;
  fields: Map<string, string>;
}

interface Parts {
  db: Db;
  blobs: BlobStore;
  staging: Staging;
  vault: Vault;
  decoder: Decoder;
  events: Pick<Events, 'guests'>;
  photos: Pick<Photos, 'previews' | 'find'>;
  links: Pick<Links, 'make'>;
  descriptions: Pick<Descriptions, 'byDevice'>;
  /** Called when a photo of the event was stored. */
  onStored(eventId: string): void;
  clock: Clock;
  log: Log;
  /** Of a single file. */
  maxBytes: number;
  /** Others, for tests. */
  stallMs?: number;
  memory?: PlainMemory;
}

/** Takes photos in (docs/architecture.md, „A photo's way in“): after the answer a photo is stored whole, or nothing of it is. */
export function createUploads({
  db,
  blobs,
  staging,
  vault,
  decoder,
  events,
  photos,
  links,
  descriptions,
  onStored,
  clock,
  log,
  maxBytes,
  stallMs = STALL_MS,
  memory = createPlainMemory(PLAIN_MEMORY_BYTES),
}: Parts): Uploads {
  const store = createUploadStore(db);
  const slots = createUploadSlots({ graceMs: stallMs / 10 });

  /** The whole way of an upload; `owned` gives everything back, in reverse order, after the answer or the error. */
  async function receive(upload: IncomingUpload): Promise<StoredUpload> {
    await using owned = new AsyncDisposableStack();
    owned.defer(photos.previews.hold());
    const form = beginForm(upload);
    owned.defer(async () => void (await form.parts.return?.()));

    const { deviceId, address } = upload.visitor;
    const network = addressNetwork(address);
    const eventCode = upload.eventCode ?? (await readEventCode(form, network));
    const { event, fotobox } = await admit(eventCode, upload);
    // Devices that have uploaded before are not cut off for being slow: everybody may be at a crowded place.
    const device = deviceHash(vault, deviceId, event.id);
    const sender = (await store.isKnown(event.id, device)) ? null : form.sender;
    owned.use(await slots.upload(event, { network, deviceId, sender, gone: upload.connection?.gone }));

    const original = owned.use(await receiveOriginal(form, event, upload));
    const repeated = await store.byFingerprint(event.id, original.fingerprint);
    if (repeated) {
      await restoreOriginal(repeated, original, deviceId);
      return answer(upload, repeated, { status: 200, fotobox });
    }

    const proof = await prove(original, upload.connection?.gone);
    await placeBlobs(original, proof);
    const deviceName = form.fields.get('deviceName') ?? upload.deviceName;
    const photo = newPhotoRow(original, proof, {
      deviceHash: device,
      deviceName,
      receivedAt: clock.now(),
      seal: (description) => vault.sealDescription(vault.guestKey(deviceId, event.id), description, original),
    });
    const stored = await commit(photo, original, deviceId);
    if (stored.id !== photo.id) return answer(upload, stored, { status: 200, fotobox });

    photos.previews.later({ id: photo.id, eventId: event.id, size: photo.size, attempt: null }, Buffer.from(original.key));
    onStored(event.id);
    return answer(upload, stored, { status: 201, fotobox });
  }

  function beginForm({ form, connection }: IncomingUpload): Form {
    const sender = createSender({ stallMs, hangUp: () => connection?.hangUp() });
    return { parts: form[Symbol.asyncIterator](), sender, fields: new Map() };
  }

  /** Reads fields until the file; undefined where the form, or the field `until`, ends before. */
  async function nextFile({ parts, sender, fields }: Form, until?: string): Promise<FilePart | undefined> {
    for (;;) {
      const part = await sender.nextPart(parts);
      if (part?.kind !== 'field') return part;
      fields.set(part.name, part.value);
      if (part.name === until) return undefined;
    }
  }

  /** The code of a form whose header has none; its sender has a quarter of `stallMs` (5 s). */
  async function readEventCode(form: Form, network: string): Promise<string> {
    using _slot = await slots.unnamed(network);
    const timer = setTimeout(form.sender.hangUp, stallMs / 4);
    await nextFile(form, 'eventCode').finally(() => clearTimeout(timer));
    const code = form.fields.get('eventCode');
    if (code === undefined) throw new Refusal('event_code_missing');
    return code;
  }

  /** The event that takes the upload, as far as this can be told before the file is read. */
  async function admit(code: string, upload: IncomingUpload): Promise<{ event: EventRow; fotobox: boolean }> {
    const event = await events.guests.find(code, upload.visitor.address);
    events.guests.mustTakePhotos(event);
    const who = await events.guests.checkPassword(event, upload.password ?? undefined, upload.visitor);
    if (who === 'guest' && event.with_user_upload === 0) throw new Refusal('upload_disabled');
    if (upload.contentLength !== null) await refuseWhatCannotFit(event, upload.contentLength, upload.visitor.deviceId);
    return { event, fotobox: who === 'fotobox' };
  }

  async function refuseWhatCannotFit(event: EventRow, contentLength: number, deviceId: string): Promise<void> {
    const leastBytes = contentLength - FORM_OVERHEAD_BYTES;
    if (leastBytes > maxBytes) throw new Refusal('too_large');
    if (event.storage_limit === null) return;
    const freeBytes = event.storage_limit - event.used_bytes;
    if (freeBytes > 0 && leastBytes <= freeBytes) return;
    // A repeat of a stored photo needs no room.
    const device = deviceHash(vault, deviceId, event.id);
    if (!(await store.hasPhotoOfSize(event.id, device, Math.max(0, leastBytes), contentLength))) throw new Refusal('storage_full');
  }

  /** Reads the form to its end: the file goes sealed to the local disk, and plain into memory where there is room. */
  async function receiveOriginal(form: Form, { id: eventId, ...event }: EventRow, upload: IncomingUpload): Promise<StagedOriginal> {
    await using owned = new AsyncDisposableStack();
    // Already the form's first byte takes memory, not only the file.
    using slot = await slots.receiving({ id: eventId, ...event });
    form.sender.lend(slot);
    const file = await nextFile(form);
    if (!file) throw new Refusal('file_missing');

    const photoId = uuidv7(clock.now());
    const blob = { eventId, photoId, variant: 'original' };
    const key = owned.adopt(vault.createPhotoKey(), (bytes) => void bytes.fill(0));
    const path = owned.adopt(staging.path(), staging.discard);
    const { contentLength } = upload;
    const plain = owned.use(contentLength !== null && contentLength <= PLAIN_COPY_MAX_BYTES ? memory.reserve(contentLength) : null);
    const digest = createDigest();

    const arriving = form.sender.pieces(file.bytes, maxBytes);
    const measured = digest.through(plain ? plain.through(arriving) : arriving);
    await staging.write(path, vault.sealBlob(key, blob, measured));
    // Fields may follow the file.
    await nextFile(form);

    const result = digest.result();
    const fingerprint = vault.keyedHash(upload.visitor.deviceId, `fingerprint:${eventId}`, result.sha256);
    const kept = owned.move();
    const disposal = { [Symbol.asyncDispose]: () => kept.disposeAsync() };
    return { eventId, photoId, key, path, filename: file.filename, digest: result, fingerprint, plain, ...disposal };
  }

  /** Its plain bytes, from memory or from the sealed file; may be called several times. */
  function openOriginal({ eventId, photoId, key, path, digest: { size }, plain }: StagedOriginal): AsyncIterable<Bytes> {
    return plain?.read() ?? vault.openBlob(key, { eventId, photoId, variant: 'original' }, size, (range) => readStaged(path, range));
  }

  /** Puts a stored photo's original back where the photo store has lost it: the same bytes have just come again. */
  async function restoreOriginal(row: PhotoRow, original: StagedOriginal, deviceId: string): Promise<void> {
    const blob = photoBlob(row.event_id, row.id, 'original');
    if ((await blobs.size(blob)) === vault.sealedSize(row.size)) return;
    const context = { eventId: row.event_id, photoId: row.id };
    await using owned = new AsyncDisposableStack();
    const key = owned.adopt(vault.openForDevice(await store.deviceKey(row.id), deviceId, context), (bytes) => void bytes.fill(0));
    const path = owned.adopt(staging.path(), staging.discard);
    await staging.write(path, vault.sealBlob(key, { ...context, variant: 'original' }, openOriginal(original)));
    await blobs.adopt(blob, path);
    log.warn({ photo: row.id }, 'a lost original was stored again');
  }

  /** Proves that the original is a photo, by decoding it. Throws Refusal not_a_photo, too_many_pixels, video_refused. */
  async function prove(original: StagedOriginal, gone: AbortSignal | undefined): Promise<Decoded> {
    // Not needed afterwards: other uploads may have the memory while this one goes to the store.
    using _plain = original.plain;
    const { eventId } = original;
    const { size } = original.digest;
    if (size === 0) throw new Refusal('not_a_photo');
    const open = () => openOriginal(original);
    try {
      return await decoder.decode(open, size, { owner: eventId, signal: gone });
    } catch (error) {
      if (!(error instanceof NotAPhoto)) throw error;
      if (error instanceof TooManyPixels) throw new Refusal('too_many_pixels', { cause: error });
      throw new Refusal((await isVideo(open())) ? 'video_refused' : 'not_a_photo', { cause: error });
    }
  }

  /** Puts original and thumbnail into the photo store; both or none. */
  async function placeBlobs({ eventId, photoId, key, path }: StagedOriginal, { thumbnail }: Decoded): Promise<void> {
    const sealed = await collect(vault.sealBlob(key, { eventId, photoId, variant: 'thumbnail' }, single(thumbnail.bytes)));
    const [original, thumb] = [photoBlob(eventId, photoId, 'original'), photoBlob(eventId, photoId, 'thumbnail')];
    const results = await Promise.allSettled([blobs.adopt(original, path), blobs.put(thumb, sealed)]);
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) return;
    await removeBlobs(blobs, [original, thumb], log);
    throw failed.reason;
  }

  /** Commits the row of a photo whose blobs are in place. Returns it, or the same photo of an earlier upload; then the blobs go. */
  async function commit(photo: PhotoRow, { key, digest }: StagedOriginal, deviceId: string): Promise<PhotoRow> {
    const context = { eventId: photo.event_id, photoId: photo.id };
    const placed = blobsOf(photo).map((blob) => blob.key);
    try {
      const publicKey = await store.publicKey(photo.event_id);
      if (!publicKey) throw new Refusal('event_not_found');
      const keys = {
        sealed_for_event: vault.sealPhotoKey(publicKey, key, context),
        wrapped_for_device: vault.wrapForDevice(key, deviceId, context),
        facts: vault.sealFacts(key, digest, context),
      };
      const guest = { eventId: photo.event_id, deviceHash: photo.device_hash };
      const stored = await store.addOrFind(photo, keys, () =>
        vault.sealGuestKey(publicKey, vault.guestKey(deviceId, photo.event_id), guest),
      );
      if (stored.id !== photo.id) await removeBlobs(blobs, placed, log);
      return stored;
    } catch (error) {
      // The row may be there, or appear in a moment. The janitor removes the blobs where it does not.
      if (error instanceof OutcomeUnknown) {
        const row = await store.byId(photo.id).catch(() => undefined);
        if (row) return row;
        throw error;
      }
      await removeBlobs(blobs, placed, log);
      throw error;
    }
  }

  async function answer(
    { visitor }: IncomingUpload,
    row: PhotoRow,
    { status, fotobox }: { status: 200 | 201; fotobox: boolean },
  ): Promise<StoredUpload> {
    const stored = { status, photo: photoAnswer(row, descriptions.byDevice(visitor.deviceId, row.event_id)(row)) };
    return fotobox ? { ...stored, link: await links.make(await photos.find({ ...visitor, host: null }, row.id)) } : stored;
  }

  return {
    maxBytes,
    waiting: slots.waiting,
    receive: (upload) =>
      receive(upload).catch((error: unknown) => {
        throw isDiskFull(error) ? new Refusal('disk_full', { cause: error }) : error;
      }),
  };
}
