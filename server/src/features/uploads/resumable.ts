import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import type { Db } from '../../database/open.ts';
import type { UploadRow } from '../../database/schema.ts';
import type { Visitor } from '../../http/visitor.ts';
import { addressNetwork } from '../../lib/address.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Clock } from '../../lib/clock.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { Refusal } from '../../lib/errors.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { BlobMissing, partBlob, type BlobStore } from '../../storage/blob-store.ts';
import type { Staging } from '../../storage/staging.ts';
import { OutcomeUnknown } from '../../database/errors.ts';
import { Tampered, type Vault } from '../../vault/vault.ts';
import { deviceHash } from '../devices/devices.ts';
import { removeBlobs, type Photos } from '../photos/photos.ts';
import type { Admission, Admitted, Applicant } from './admission.ts';
import type { Originals } from './original.ts';
import { inRuns, isBreak, LEAST_KEPT_BYTES, type Runs } from './parts.ts';
import { createPieces } from './pieces.ts';
import { createResumableStore } from './resumable.store.ts';
import { createRunning, type Run } from './running.ts';
import { createSender, type Sender } from './sender.ts';
import type { Storing } from './storing.ts';
import type { Connection, StagedOriginal, StoredUpload } from './upload.ts';
import type { UploadSlots } from './upload-slots.ts';
import type { Note, UploadStore } from './uploads.store.ts';

type Device = Visitor & { deviceId: string };

/** What a client may know of its upload. */
export interface UploadState {
  /** Bytes that are kept, of `length`. */
  offset: number;
  length: number;
  /** Ms since 1970. */
  expiresAt: number;
}

/** After an append: where the upload stands, and its photo if that was the last byte. */
export interface Appended {
  state: UploadState;
  stored: StoredUpload | null;
}

/** Bytes of a file from `offset` on. */
export interface Arriving {
  offset: number;
  /** Of this request, where the client announces them. */
  contentLength: number | null;
  bytes: AsyncIterable<Bytes>;
  connection: Connection;
}

export interface NewUpload extends Applicant {
  key: string;
  eventCode: string;
  deviceName: string;
  filename: string;
  length: number;
}

/** A `POST /upload` of which something arrived. */
type Kept = Omit<NewUpload, 'password' | 'eventCode'>;

/** Of an upload with the one part that arrived by `POST /upload`. */
const KEPT_VERSION = 1;

interface Parts {
  db: Pick<Db, 'kysely' | 'transaction'>;
  blobs: BlobStore;
  staging: Staging;
  vault: Vault;
  photos: Pick<Photos, 'previews'>;
  uploads: Pick<UploadStore, 'isKnown'>;
  admission: Admission;
  originals: Originals;
  storing: Storing;
  slots: UploadSlots;
  clock: Clock;
  log: Log;
  stallMs: number;
}

/**
 * Uploads that go on after a break, on any node (docs/architecture.md, „The way of an upload that breaks off“). What arrived lies in
 * the photo store in parts, sealed under a key that only the device can open.
 */
export function createResumable(parts: Parts) {
  const { db, blobs, staging, vault, photos, uploads, admission, originals, storing, slots, clock, log, stallMs } = parts;
  const store = createResumableStore(db);
  const pieces = createPieces({ store, blobs, staging, vault, clock, log });
  const running = createRunning();
  const finishing = createSingleFlight<StoredUpload>();

  const hashOf = (key: string, { deviceId }: Device): Bytes => vault.keyedHash(deviceId, 'upload', Buffer.from(key));
  const nameOf = (keyHash: Bytes): string => Buffer.from(keyHash).toString('base64');
  const isOver = ({ expires_at }: UploadRow): boolean => expires_at <= clock.now();
  const stateOf = ({ received, length, expires_at }: UploadRow): UploadState => ({ offset: received, length, expiresAt: expires_at });

  /** The device's upload of a key. Throws Refusal upload_not_found, upload_expired. */
  async function find(key: string, visitor: Device): Promise<UploadRow> {
    const row = await store.byKey(hashOf(key, visitor));
    if (!row) throw new Refusal('upload_not_found');
    if (isOver(row)) throw new Refusal('upload_expired');
    return row;
  }

  /**
   * Hangs up on a browser that repeats by itself what broke off: its page then asks where to go on, which costs less than the repeat. (An
   * answer would not end it: browsers send the whole body first.)
   */
  async function refuseRepeat(key: string, visitor: Device, { hangUp }: Connection): Promise<void> {
    if (!(await running.isRepeat(nameOf(hashOf(key, visitor))))) return;
    hangUp();
    throw new Refusal('upload_incomplete');
  }

  /** The row of a new upload and its key. */
  function draw(upload: Kept, { event, fotobox }: Admitted) {
    const { visitor, length, deviceName, filename } = upload;
    const id = uuidv7(clock.now());
    const context = { eventId: event.id, photoId: id };
    const key = vault.createPhotoKey();
    const row: UploadRow = {
      id,
      key_hash: hashOf(upload.key, visitor),
      event_id: event.id,
      device_hash: deviceHash(vault, visitor.deviceId, event.id),
      length,
      received: 0,
      version: 0,
      fotobox: fotobox ? 1 : 0,
      description: vault.sealDescription(vault.guestKey(visitor.deviceId, event.id), { deviceName, filename, takenAt: null }, context),
      photo_id: null,
      expires_at: clock.now() + UPLOAD_KEPT,
    };
    return { row, key, wrapped: vault.wrapForDevice(key, visitor.deviceId, context) };
  }

  /** Begins an upload, or finds the one that the device began with the same key. Throws Refusal. */
  async function begin(upload: NewUpload): Promise<{ created: boolean; state: UploadState }> {
    const { length } = upload;
    const admitted = await admission.admit(upload.eventCode, upload, { least: length, most: length, inPieces: true });
    const { row, key, wrapped } = draw(upload, admitted);
    key.fill(0);
    for (;;) {
      const before = await store.byKey(row.key_hash);
      if (before && !isOver(before)) {
        if (before.length !== length) throw new Refusal('upload_key_taken');
        return { created: false, state: stateOf(before) };
      }
      if (before) await pieces.remove(before);
      if (await store.add(row, wrapped, [])) return { created: true, state: stateOf(row) };
    }
  }

  /** Takes bytes of an upload in; with the last one the photo is stored. Throws Refusal. */
  async function append(key: string, visitor: Device, arriving: Arriving): Promise<Appended> {
    await refuseRepeat(key, visitor, arriving.connection);
    await using owned = new AsyncDisposableStack();
    owned.defer(photos.previews.hold());
    const row = await find(key, visitor);
    if (arriving.offset + (arriving.contentLength ?? 0) > row.length) throw new Refusal('too_large');
    if (row.received === row.length && arriving.offset === row.length) return await complete(row, visitor);
    if (row.photo_id !== null || row.received !== arriving.offset) throw new Refusal('upload_offset');

    const event = await admission.readmit(row.event_id, visitor, row.fotobox === 1);
    const { connection } = arriving;
    const sender = createSender({ stallMs, hangUp: connection.hangUp });
    const mayBeCut = (await uploads.isKnown(event.id, row.device_hash)) ? null : sender;
    const { deviceId, address } = visitor;
    owned.use(await slots.upload(event, { network: addressNetwork(address), deviceId, sender: mayBeCut, gone: connection.gone }));
    {
      using slot = await slots.receiving(event);
      sender.lend(slot);
      const version = await store.claim(row.id, arriving.offset);
      if (version === undefined) throw new Refusal('upload_offset');
      using run = running.begin(nameOf(row.key_hash), sender, connection.gone);
      await takeParts(row, version, inRuns(sender.pieces(arriving.bytes, row.length - row.received)), { visitor, run });
    }
    sender.end();

    const after = await find(key, visitor);
    return after.received === after.length ? await complete(after, visitor) : { state: stateOf(after), stored: null };
  }

  /** Makes parts of a stream until its end. A break ends the last part; it is thrown once that is kept. */
  async function takeParts(row: UploadRow, claimed: number, runs: Runs, { visitor, run }: { visitor: Device; run: Run }) {
    await using owned = new AsyncDisposableStack();
    owned.defer(runs.close);
    const key = owned.adopt(await pieces.openKey(row, visitor.deviceId), (bytes) => void bytes.fill(0));
    let version = claimed;
    let left = row.length - row.received;
    while (await runs.more()) {
      const path = owned.adopt(staging.path(), staging.discard);
      const size = await pieces.seal(row, { key, n: version, path }, runs.run());
      left -= size;
      if (left < 0) throw new Refusal('too_large');
      if (runs.broken() !== undefined && (run.superseded() || size < LEAST_KEPT_BYTES || !isBreak(runs.broken()))) break;
      version = await pieces.place(row, { n: version, size }, path);
    }
    if (runs.broken() !== undefined) throw runs.broken();
  }

  /** The photo of an upload whose bytes are all here. Throws Refusal; after not_a_photo and the like nothing of it stays. */
  async function complete(row: UploadRow, visitor: Device): Promise<Appended> {
    const from = { visitor, fotobox: row.fotobox === 1 };
    /** Where it was finished before: a moment ago, or by another node. */
    async function again(): Promise<StoredUpload | null> {
      const photoId = (await store.byKey(row.key_hash))?.photo_id;
      return photoId ? storing.again(photoId, from) : null;
    }
    const stored = await finishing.run(row.id, async () => {
      const before = await again();
      return before ?? finish(row, from).catch(async (error: unknown) => (await again()) ?? giveUp(row, error));
    });
    return { state: { offset: row.length, length: row.length, expiresAt: clock.now() + UPLOAD_KEPT }, stored };
  }

  /** Removes what can never become a photo, and throws why. What may succeed later stays. */
  async function giveUp(row: UploadRow, error: unknown): Promise<never> {
    const lost = error instanceof BlobMissing || error instanceof Tampered;
    if (lost) log.error({ err: error, upload: row.id }, 'parts of an upload are lost');
    if (lost || isForGood(error)) await pieces.remove(row);
    throw lost ? new Refusal('upload_expired', { cause: error }) : error;
  }

  async function finish(row: UploadRow, from: { visitor: Device; fotobox: boolean }): Promise<StoredUpload> {
    const { deviceId } = from.visitor;
    if (row.description === null) throw new Refusal('upload_not_found');
    const guestKey = vault.guestKey(deviceId, row.event_id);
    const { filename, deviceName } = vault.openDescription(guestKey, row.description, { eventId: row.event_id, photoId: row.id });
    const found = await store.parts(row.id);
    await using owned = new AsyncDisposableStack();
    const key = owned.adopt(await pieces.openKey(row, deviceId), (bytes) => void bytes.fill(0));
    const incoming = { eventId: row.event_id, deviceId, filename, mostBytes: row.length };
    const original = owned.use(await originals.stage(pieces.open(row, key, found), incoming));
    const note: Note = { statements: (photoId) => store.finish(row.id, photoId, clock.now() + UPLOAD_KEPT) };
    // Whoever sent the last byte may have left: the photo is stored all the same.
    const stored = await storing.store(original, { ...from, deviceName, gone: undefined, note });
    const names = found.map(({ n }) => partBlob(row.event_id, row.id, n));
    await removeBlobs(blobs, names, log);
    return stored;
  }

  /** Keeps what arrived of a `POST /upload`: its key goes on at /uploads. False: it is not worth it, or the key is taken. */
  async function keep(upload: Kept, admitted: Admitted, arrived: StagedOriginal): Promise<boolean> {
    const { size } = arrived.digest;
    if (size > upload.length || (size < LEAST_KEPT_BYTES && size < upload.length)) return false;
    const { row, key, wrapped } = draw(upload, admitted);
    await using owned = new AsyncDisposableStack();
    owned.defer(() => void key.fill(0));
    const path = owned.adopt(staging.path(), staging.discard);
    await pieces.seal(row, { key, n: 0, path }, originals.open(arrived));
    const blob = partBlob(row.event_id, row.id, 0);
    await blobs.adopt(blob, path);
    try {
      if (await store.add({ ...row, received: size, version: KEPT_VERSION }, wrapped, [{ n: 0, size }])) return true;
    } catch (error) {
      if (error instanceof OutcomeUnknown) return false;
      await removeBlobs(blobs, [blob], log);
      throw error;
    }
    await removeBlobs(blobs, [blob], log);
    return false;
  }

  return {
    begin,
    append,

    /** Where an upload stands. A connection that still sends is ended first, and what it has sent is kept. */
    async state(key: string, visitor: Device): Promise<UploadState> {
      await running.settle(nameOf(hashOf(key, visitor)));
      return stateOf(await find(key, visitor));
    },

    /** Ends an upload: nothing of it stays. A photo that it became does. */
    async remove(key: string, visitor: Device): Promise<void> {
      await running.settle(nameOf(hashOf(key, visitor)));
      await pieces.remove(await find(key, visitor));
    },

    /** A `POST /upload` that may break off: its older senders are hung up on. */
    run: (key: string, visitor: Device, sender: Sender, { gone }: Connection): Run =>
      running.begin(nameOf(hashOf(key, visitor)), sender, gone),

    refuseRepeat,

    keep,

    /**
     * Keeps what arrived of such an upload while more is coming, and takes the rest in parts: a killed node costs no more than one of them.
     * Throws Refusal.
     */
    async keepAndTake(upload: Kept, admitted: Admitted, arrived: StagedOriginal, runs: Runs, run: Run): Promise<void> {
      const { key, visitor } = upload;
      const before = await store.byKey(hashOf(key, visitor));
      // The same file from its beginning: the newer sender wins.
      if (before) await pieces.remove(before);
      if (!(await keep(upload, admitted, arrived))) throw new Refusal('upload_incomplete');
      await orIncomplete(find(key, visitor).then((row) => takeParts(row, KEPT_VERSION, runs, { visitor, run })));
    },

    /** Its photo, once its last byte has come. Throws Refusal. */
    async finish(key: string, visitor: Device): Promise<StoredUpload> {
      const row = await orIncomplete(find(key, visitor));
      const { stored } = row.received === row.length ? await orIncomplete(complete(row, visitor)) : { stored: null };
      if (!stored) throw new Refusal('upload_incomplete');
      return stored;
    },

    /** Stores an upload that did not break off, and notes for a day what became of it, for a client that loses the answer. */
    async noting(
      { key, length }: { key: string; length: number },
      visitor: Device,
      { event, fotobox }: Admitted,
      work: (note: Note) => Promise<StoredUpload>,
    ): Promise<StoredUpload> {
      const row = {
        id: uuidv7(clock.now()),
        key_hash: hashOf(key, visitor),
        event_id: event.id,
        device_hash: deviceHash(vault, visitor.deviceId, event.id),
        length,
        received: length,
        version: 0,
        fotobox: fotobox ? 1 : 0,
        description: null,
        expires_at: clock.now() + UPLOAD_KEPT,
      };
      let replaced: string[] = [];
      const stored = await work({
        statements: (photoId) => store.note({ ...row, photo_id: photoId }),
        done: (rows) => (replaced = store.replacedBy(row.event_id, rows)),
      });
      await removeBlobs(blobs, replaced, log);
      return stored;
    },

    /** How many uploads are not complete, and what they hold. */
    open: store.open,

    /** Removes what has expired. */
    async endExpired(): Promise<void> {
      await store.forgetFinished(clock.now());
      for (;;) {
        const rows = await store.expired(clock.now());
        for (const row of rows) await pieces.remove(row);
        if (rows.length === 0) return;
      }
    },

    /** Ends what is being sent: it goes on at another node, or after the restart. */
    settleAll: running.settleAll,
  };
}

export type Resumable = ReturnType<typeof createResumable>;

/** A `POST /upload` begins again, whatever became of its parts. */
async function orIncomplete<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isGone = error instanceof Refusal && ['upload_not_found', 'upload_offset', 'upload_expired'].includes(error.code);
    throw isGone ? new Refusal('upload_incomplete', { cause: error }) : error;
  }
}

/** Refused for what the file is: the same bytes are never taken. */
function isForGood(error: unknown): boolean {
  return (
    error instanceof Refusal && ['not_a_photo', 'too_many_pixels', 'too_large', 'video_refused', 'video_unreadable'].includes(error.code)
  );
}
