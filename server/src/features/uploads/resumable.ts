import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import type { Db } from '../../database/open.ts';
import type { EventRow, UploadRow } from '../../database/schema.ts';
import { addressNetwork } from '../../lib/address.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import type { BlobLife } from '../integrity/blob-life.ts';
import type { Photos } from '../photos/photos.ts';
import { createActiveSenders } from './active-senders.ts';
import type { Admission } from './admission.ts';
import { createCompleteUpload } from './complete-upload.ts';
import { createKeyedForm } from './keyed-form.ts';
import type { Originals } from './original.ts';
import { createPartStore } from './part-store.ts';
import { createPartStream } from './part-stream.ts';
import { createResumableStore } from './resumable.store.ts';
import { createSender } from './sender.ts';
import type { Storing } from './storing.ts';
import type { Connection, StoredUpload } from './upload.ts';
import { createUploadRecords, type Device, type KeyedUpload } from './upload-records.ts';
import type { UploadSlots } from './upload-slots.ts';
import type { UploadStore } from './uploads.store.ts';

/** What a client may know of its upload. */
export interface UploadState {
  /** Bytes that are kept, of `length`; all of them only once the photo is stored. */
  offset: number;
  length: number;
  /** Ms since 1970. */
  expiresAt: number;
}

/** After an append: the upload's state, and its photo if that was the last byte. */
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

export interface NewUpload extends KeyedUpload {
  eventCode: string;
  password: string | null;
}

interface Parts {
  db: Pick<Db, 'kysely' | 'transaction'>;
  blobs: BlobStore;
  staging: Staging;
  vault: Vault;
  photos: Pick<Photos, 'previews'>;
  uploads: Pick<UploadStore, 'isKnown'>;
  admission: Admission;
  originals: Originals;
  life: BlobLife;
  storing: Storing;
  slots: UploadSlots;
  clock: Clock;
  log: Log;
  stallMs: number;
}

/**
 * Uploads that can be resumed after a break, on any node (docs/architecture.md, „The way of an upload that breaks off“). What arrived is in
 * the photo store in parts, sealed under a key that only the device can open.
 */
export function createResumable(parts: Parts) {
  const { db, blobs, staging, vault, photos, uploads, admission, originals, life, storing, slots, clock, log, stallMs } = parts;
  const store = createResumableStore(db);
  const records = createUploadRecords({ store, blobs, vault, clock });
  const partStore = createPartStore({ store, blobs, staging, vault, life, clock });
  const senders = createActiveSenders();
  const complete = createCompleteUpload({ store, partStore, originals, storing, vault, clock, log });

  /** Clients of tus take the whole length for a stored file: until it is one, the last byte is asked for again. */
  function stateOf({ received, length, photo_id, expires_at }: UploadRow): UploadState {
    return { offset: photo_id === null ? Math.min(received, length - 1) : length, length, expiresAt: expires_at };
  }

  /** Begins an upload, or finds the one that the device began with the same key. Throws Refusal. */
  async function begin(upload: NewUpload): Promise<{ created: boolean; state: UploadState }> {
    const { length } = upload;
    if (length === 0) throw new Refusal('not_a_photo');
    const admitted = await admission.admit(upload.eventCode, upload, { least: length, most: length, inPieces: true });
    const { row, key, wrapped } = records.createWithKey(upload, admitted);
    key.fill(0);
    for (;;) {
      const before = await store.byKey(row.key_hash);
      if (before && !(await records.isOver(before))) {
        if (before.length !== length) throw new Refusal('upload_key_taken');
        return { created: false, state: stateOf(before) };
      }
      if (before) await partStore.remove(before);
      if (await store.add(row, wrapped, [])) return { created: true, state: stateOf(row) };
    }
  }

  async function completed(row: UploadRow, visitor: Device): Promise<Appended> {
    const stored = await complete(row, visitor);
    return { state: { offset: row.length, length: row.length, expiresAt: clock.now() + UPLOAD_KEPT }, stored };
  }

  /** The event, which still takes photos; null where the upload has become one meanwhile. Throws Refusal. */
  async function readmit(row: UploadRow, visitor: Device): Promise<EventRow | null> {
    return admission.readmit(row.event_id, visitor, row.fotobox === 1).catch(async (error: unknown) => {
      if ((await store.byKey(row.key_hash))?.photo_id) return null;
      throw error;
    });
  }

  /** Receives bytes of an upload; with the last one the photo is stored. Throws Refusal. */
  async function append(key: string, visitor: Device, arriving: Arriving): Promise<Appended> {
    const { connection } = arriving;
    const { deviceId, address } = visitor;
    const name = records.nameOf(key, visitor);
    await senders.refuseRepeat(name, arriving.offset, connection);
    await using owned = new AsyncDisposableStack();
    owned.defer(photos.previews.hold());
    const row = await records.find(key, visitor);
    if (arriving.offset + (arriving.contentLength ?? 0) > row.length) throw new Refusal('too_large');
    const isWhole = row.received === row.length;
    const isAgain = isWhole && arriving.offset === row.length - 1;
    if (row.received !== arriving.offset && !isAgain) throw new Refusal('upload_offset');
    const event = row.photo_id === null ? await readmit(row, visitor) : null;
    if (!event) return await completed(row, visitor);

    const sender = createSender({ stallMs, hangUp: connection.hangUp });
    const mayBeCut = isWhole || (await uploads.isKnown(event.id, row.device_hash)) ? null : sender;
    owned.use(await slots.upload(event, { network: addressNetwork(address), deviceId, sender: mayBeCut, gone: connection.gone }));
    if (isWhole) return await completed(row, visitor);
    {
      using slot = await slots.receiving(event);
      sender.useSlot(slot);
      const version = await store.claim(row.id, arriving.offset);
      if (version === undefined) throw new Refusal('upload_offset');
      using active = senders.start(name, { from: arriving.offset, version }, sender, connection);
      const stream = createPartStream(sender.pieces(arriving.bytes, row.length - row.received));
      await partStore.append(row, version, stream, { deviceId, isSuperseded: active.isSuperseded });
    }
    sender.end();

    const after = await records.find(key, visitor);
    return after.received === after.length ? await completed(after, visitor) : { state: stateOf(after), stored: null };
  }

  return {
    begin,
    append,

    /** Where an upload stands. A connection that still sends is ended first, and what it has sent is kept. */
    async state(key: string, visitor: Device): Promise<UploadState> {
      await senders.settle(records.nameOf(key, visitor));
      return stateOf(await records.find(key, visitor));
    },

    /** Ends an upload: nothing of it stays. A photo that it became does. */
    async remove(key: string, visitor: Device): Promise<void> {
      await senders.settle(records.nameOf(key, visitor));
      await partStore.remove(await records.find(key, visitor));
    },

    /** For `POST /upload` with a key. */
    form: createKeyedForm({ store, records, partStore, senders, complete, originals, life }),

    /** How many uploads are not complete, and what they hold. */
    open: store.open,

    /** Removes what has expired. */
    async endExpired(): Promise<void> {
      await store.forgetFinished(clock.now());
      for (;;) {
        const now = clock.now();
        const rows = await store.expired(now);
        // A sender that began before may have gone on since.
        for (const row of rows) await partStore.remove(row, now);
        if (rows.length === 0) return;
      }
    },

    /** Ends what is being sent: it goes on at another node, or after the restart. */
    settleAll: senders.settleAll,
  };
}

export type Resumable = ReturnType<typeof createResumable>;
