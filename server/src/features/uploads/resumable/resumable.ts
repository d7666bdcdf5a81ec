import { randomInt } from 'node:crypto';
import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { createDerivedProof } from '../../proofs/proofs.ts';
import type { EventRow, UploadRow } from '../../../database/schema.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import { addressNetwork } from '../../../lib/address.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import { uuidOf } from '../../../lib/ids.ts';
import type { Vault } from '../../../vault/vault.ts';
import { deviceHash } from '../../devices/devices.ts';
import type { UploadContext } from '../context.ts';
import type { StoredUpload } from '../storing/answering.ts';
import type { Originals } from '../storing/original.ts';
import type { Placing } from '../storing/placing.ts';
import type { Admitted } from '../storing/room.ts';
import { createBudget } from './budget.ts';
import { createCompleting, mustBeWanted, type Sent } from './completing.ts';
import { createOpenUploadStore } from './open-uploads.store.ts';
import { createParts } from './parts.ts';
import { createSenders, type Line } from './senders.ts';

/** What a client may know of its upload. */
export interface UploadState {
  /** Bytes that are kept, of `length`; all of them only once the photo is stored. */
  offset: number;
  length: number;
  /** Ms since 1970. */
  expiresAt: number;
}

/** A file that a device uploads under a key. */
export interface NewUpload {
  visitor: DeviceVisitor;
  key: string;
  deviceName: string;
  filename: string;
  length: number;
}

type UploadedTo = Pick<EventRow, 'id' | 'storage_limit'>;

/** The first version of an upload is one of so many. */
const FIRST_VERSIONS = 2 ** 30;

export type Resumable = ReturnType<typeof createResumable>;

/** By which an upload is found: its key is worth nothing to another device. */
export const uploadHash = (vault: Pick<Vault, 'keyedHash'>, key: string, deviceId: string): Bytes =>
  vault.keyedHash(deviceId, 'upload', Buffer.from(key));

/**
 * Uploads that can be resumed after a break, on any node (docs/architecture.md, „The way of an upload that is resumed“). What arrived is in
 * the photo store in parts, sealed under a key that only the device can open.
 */
export function createResumable(context: UploadContext, originals: Originals, placing: Placing) {
  const { db, vault, clock, log } = context;
  const store = createOpenUploadStore(db);
  const parts = createParts(context, store);
  const senders = createSenders();
  const completing = createCompleting(context, { originals, placing, store, parts });
  const budget = createBudget(context, parts.remove);
  const proof = createDerivedProof(db, vault);
  let endedForRoom = 0;

  const hashOf = (key: string, deviceId: string): Bytes => uploadHash(vault, key, deviceId);

  const networkOf = ({ address }: DeviceVisitor, eventId: string): Promise<Bytes> =>
    proof(`upload-network:${eventId}`, addressNetwork(address));

  /** Whether an upload is to begin anew: it has expired, or the store has lost the photo that it became. */
  async function isOver({ expires_at, photo_id }: UploadRow): Promise<boolean> {
    if (expires_at <= clock.now()) return true;
    return photo_id !== null && !(await placing.stored(photo_id));
  }

  /** The device's upload of a key. Throws Refusal upload_not_found, upload_expired, photo_removed. */
  async function find(key: string, { deviceId }: DeviceVisitor): Promise<UploadRow> {
    const row = await store.byKey(hashOf(key, deviceId));
    if (!row) throw new Refusal('upload_not_found');
    mustBeWanted(row);
    if (await isOver(row)) throw new Refusal('upload_expired');
    return row;
  }

  /** Adds an upload with a key for its parts; its row. Undefined: its key is taken, or its event is being purged. */
  async function create(
    { key, length, deviceName, filename, visitor }: NewUpload,
    event: UploadedTo,
    fotobox: boolean,
    announces: boolean,
  ) {
    const { deviceId } = visitor;
    const eventId = event.id;
    // The same for each upload of this key: what it shows or becomes is one photo, also where an earlier one has ended.
    const id = uuidOf(vault.keyedHash(deviceId, `upload-id:${eventId}`, Buffer.from(key)));
    const context = { eventId, photoId: id };
    using partsKey = vault.createPhotoKey();
    using guestKey = vault.guestKey(deviceId, eventId);
    const row: UploadRow = {
      id,
      key_hash: hashOf(key, deviceId),
      event_id: eventId,
      device_hash: deviceHash(vault, deviceId, eventId),
      network: await networkOf(visitor, eventId),
      length,
      received: 0,
      // Names its parts: none may have the name of an earlier upload's, which is about to be removed.
      version: randomInt(FIRST_VERSIONS),
      fotobox: fotobox ? 1 : 0,
      announced: 0,
      description: vault.sealDescription(guestKey, { deviceName, filename, takenAt: null }, context),
      photo_id: null,
      expires_at: clock.now() + UPLOAD_KEPT,
    };
    // Until its first byte what is announced counts for nothing.
    if (!announces) await makeRoom(row, event);
    return store.add(row, vault.wrapForDevice(partsKey, deviceId, context));
  }

  /** Ends others that are in the way of this one. */
  async function makeRoom(row: UploadRow, event: Pick<UploadedTo, 'storage_limit'>): Promise<void> {
    const ended = await budget.makeRoom(row, event);
    endedForRoom += ended;
    if (ended > 0) log.warn({ event: row.event_id, ended }, 'open uploads were ended to make room for a new one');
  }

  /**
   * Begins an upload, or finds the one that the device began with the same key for the same event; a key that it has used for another
   * event becomes another one. Throws Refusal upload_key_taken, event_inactive, photo_removed.
   */
  async function begin(
    upload: NewUpload,
    event: UploadedTo,
    fotobox: boolean,
    announces = false,
  ): Promise<{ created: boolean; key: string; row: UploadRow }> {
    const { deviceId } = upload.visitor;
    for (let key = upload.key; ;) {
      const before = await store.byKey(hashOf(key, deviceId));
      if (before && before.event_id !== event.id) {
        key = Buffer.from(vault.keyedHash(deviceId, `upload:${event.id}`, Buffer.from(key)))
          .toString('base64url')
          .slice(0, 22);
        continue;
      }
      if (before) mustBeWanted(before);
      if (before && !(await isOver(before))) {
        if (before.length !== upload.length) throw new Refusal('upload_key_taken');
        return { created: false, key, row: before };
      }
      if (before) await parts.remove([before]);
      const row = await create({ ...upload, key }, event, fotobox, announces);
      if (row) return { created: true, key, row };
      if (!(await store.byKey(hashOf(key, deviceId)))) throw new Refusal('event_inactive');
    }
  }

  /** Where an upload stands. A connection that still sends is ended first, and what it has sent is kept. */
  async function stopped(key: string, visitor: DeviceVisitor): Promise<UploadRow> {
    await senders.stop((await find(key, visitor)).id);
    return find(key, visitor);
  }

  return {
    find,
    /** Clients of tus take the whole length for a stored file: until it is one, the last byte is asked for again. */
    stateOf: ({ received, length, photo_id, expires_at }: UploadRow): UploadState => ({
      offset: photo_id === null ? Math.min(received, length - 1) : length,
      length,
      expiresAt: expires_at,
    }),

    begin,
    makeRoom,

    /** The same, and shows its photo by a preview, unless its sender has `gone` before that is drawn. Throws Refusal. */
    async announce(
      upload: NewUpload & { gone: AbortSignal },
      event: UploadedTo,
      { fotobox, verifier }: Required<Admitted>,
      picture: Bytes,
    ) {
      const drawn = await placing.redraw(picture, event.id, upload);
      const { created, key, row } = await begin(upload, event, fotobox, true);
      const before =
        row.photo_id === null ? null : await placing.again(row.photo_id, { visitor: upload.visitor, fotobox, linkToken: null });
      if (before) return { key, row, stored: before };
      try {
        return { key, row, stored: await placing.preview({ ...upload, fotobox, verifier, drawn, upload: row }) };
      } catch (error) {
        // It stays for its original, which its sender may have begun meanwhile, and counts like any other.
        if (created) await makeRoom(row, event).catch(() => undefined);
        throw error;
      }
    },

    /**
     * Receives bytes of an upload from where it stands, and keeps what came where they break off. The photo, where it is stored with them.
     * Throws Refusal.
     */
    async append(row: UploadRow, from: Sent, line: Line, pieces: AsyncIterable<Bytes>): Promise<StoredUpload | null> {
      const version = await store.claim(row.id, row.received, clock.now() + UPLOAD_KEPT);
      if (version === undefined) throw new Refusal('upload_offset');
      using sender = senders.start(row.id, version, line);
      return await completing.receive(row, from, sender, pieces);
    },

    /** The photo of an upload that has arrived whole. Throws Refusal. */
    complete: completing.complete,

    stopped,

    /** Removes an upload: nothing of it stays. A photo that it became does. */
    remove: (row: Pick<UploadRow, 'id'>): Promise<void> => parts.remove([row]),

    /** The same at its sender's wish: what its preview has shown goes, too, also where the upload had ended before. Throws Refusal. */
    async withdraw(key: string, visitor: DeviceVisitor): Promise<void> {
      try {
        const row = await stopped(key, visitor);
        if (row.announced === 1) await placing.removeAnnounced(row);
        await parts.remove([row]);
      } catch (error) {
        const shown = error instanceof Refusal ? await store.shownBy(hashOf(key, visitor.deviceId)) : undefined;
        if (!shown) throw error;
        await placing.removeAnnounced(shown);
      }
    },

    /** Those that are not complete, of an event or of all. */
    list: store.list,

    /** How many were ended since the start to make room for others. */
    endedForRoom: (): number => endedForRoom,

    /** Removes what has expired. Stops once the signal is aborted, and goes on with the next call. */
    async endExpired(signal?: AbortSignal): Promise<void> {
      await store.forgetFinished(clock.now());
      for (;;) {
        const now = clock.now();
        const rows = await store.expired(now);
        // A sender that began before may have gone on since.
        if (rows.length === 0) return;
        signal?.throwIfAborted();
        await parts.remove(rows, now);
      }
    },

    /** Ends what is being sent: it goes on at another node, or after the restart. */
    stopAll: (): Promise<void> => senders.stop(),
  };
}
