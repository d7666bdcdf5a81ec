import { randomInt } from 'node:crypto';
import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { createDerivedProof } from '../../proofs/proofs.ts';
import type { EventRow, UploadRow } from '../../../database/rows.ts';
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

/** The state of an upload as its client sees it. */
export interface UploadState {
  /** Kept bytes, of `length`; equal to `length` only once the photo is stored. */
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

/** The first version of an upload is a random number below this. */
const FIRST_VERSIONS = 2 ** 30;

export type Resumable = ReturnType<typeof createResumable>;

/** Hashes the key with the device's id: a key is useless to another device. */
export const uploadHash = (vault: Pick<Vault, 'keyedHash'>, key: string, deviceId: string): Bytes =>
  vault.keyedHash(deviceId, 'upload', Buffer.from(key));

/**
 * Uploads that can be resumed after a break, on any node (docs/architecture.md, „The way of an upload that is resumed“). Received bytes are
 * in the photo store in parts, sealed under a key that only the device can open.
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

  /** Tells whether an upload has to begin anew: it has expired, or the store has lost its photo. */
  async function isOver({ expires_at, photo_id }: UploadRow): Promise<boolean> {
    if (expires_at <= clock.now()) return true;
    return photo_id !== null && !(await placing.stored(photo_id));
  }

  /** Finds the device's upload with a key. Throws Refusal upload_not_found, upload_expired, photo_removed. */
  async function find(key: string, { deviceId }: DeviceVisitor): Promise<UploadRow> {
    const row = await store.byKey(hashOf(key, deviceId));
    if (!row) throw new Refusal('upload_not_found');
    mustBeWanted(row);
    if (await isOver(row)) throw new Refusal('upload_expired');
    return row;
  }

  /** Adds an upload with a key for its parts and returns its row; undefined if its key is taken, or its event is being purged. */
  async function create(
    { key, length, deviceName, filename, visitor }: NewUpload,
    event: UploadedTo,
    fotobox: boolean,
    announces: boolean,
  ) {
    const { deviceId } = visitor;
    const eventId = event.id;
    // Each upload with this key gets the same id: all of them show or become one photo, even if an earlier one has ended.
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
      // The version names the parts: none may get the name of an earlier upload's part, which is about to be removed.
      version: randomInt(FIRST_VERSIONS),
      fotobox: fotobox ? 1 : 0,
      announced: 0,
      description: vault.sealDescription(guestKey, { deviceName, filename, takenAt: null }, context),
      photo_id: null,
      expires_at: clock.now() + UPLOAD_KEPT,
    };
    // An announced upload enters the budget with its first byte.
    if (!announces) await makeRoom(row, event);
    return store.add(row, vault.wrapForDevice(partsKey, deviceId, context));
  }

  /** Ends other uploads until this one fits into its budgets. */
  async function makeRoom(row: UploadRow, event: Pick<UploadedTo, 'storage_limit'>): Promise<void> {
    const ended = await budget.makeRoom(row, event);
    endedForRoom += ended;
    if (ended > 0) log.warn({ event: row.event_id, ended }, 'open uploads were ended to make room for a new one');
  }

  /**
   * Begins an upload, or finds the one that the device began with the same key for the same event. A key that the device has used for
   * another event stands for another upload here. Throws Refusal upload_key_taken, event_inactive, photo_removed.
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

  /** Ends a connection that still sends, keeps its bytes, and returns the upload's row. */
  async function stopped(key: string, visitor: DeviceVisitor): Promise<UploadRow> {
    await senders.stop((await find(key, visitor)).id);
    return find(key, visitor);
  }

  return {
    find,
    /** Returns the state; at most `length - 1` until the photo is stored: tus clients take the whole length for a stored file. */
    stateOf: ({ received, length, photo_id, expires_at }: UploadRow): UploadState => ({
      offset: photo_id === null ? Math.min(received, length - 1) : length,
      length,
      expiresAt: expires_at,
    }),

    begin,
    makeRoom,

    /** Begins an upload and shows its photo by a preview, unless its sender has `gone` before that is drawn. Throws Refusal. */
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
        // The upload stays for its original, which its sender may have begun, and counts from now on.
        if (created) await makeRoom(row, event).catch(() => undefined);
        throw error;
      }
    },

    /**
     * Receives bytes of an upload from its offset on, and keeps those that came if they break off. Returns the photo if it was stored with
     * them. Throws Refusal.
     */
    async append(row: UploadRow, from: Sent, line: Line, pieces: AsyncIterable<Bytes>): Promise<StoredUpload | null> {
      const version = await store.claim(row.id, row.received, clock.now() + UPLOAD_KEPT);
      if (version === undefined) throw new Refusal('upload_offset');
      using sender = senders.start(row.id, version, line);
      return await completing.receive(row, from, sender, pieces);
    },

    /** Makes the photo of an upload that has arrived whole. Throws Refusal. */
    complete: completing.complete,

    stopped,

    /** Removes an upload entirely; a photo that it became stays. */
    remove: (row: Pick<UploadRow, 'id'>): Promise<void> => parts.remove([row]),

    /**
     * Removes an upload at its sender's request, and the photo that its preview shows, even if the upload had ended before. Throws Refusal.
     */
    async withdraw(key: string, visitor: DeviceVisitor): Promise<void> {
      try {
        const row = await stopped(key, visitor);
        if (row.announced === 1) await placing.removeAnnounced(row, visitor);
        await parts.remove([row]);
      } catch (error) {
        const shown = error instanceof Refusal ? await store.shownBy(hashOf(key, visitor.deviceId)) : undefined;
        if (!shown) throw error;
        await placing.removeAnnounced(shown, visitor);
      }
    },

    /** Lists incomplete uploads of an event, or of all. */
    list: store.list,

    /** Counts the uploads ended since the start to make room for others. */
    endedForRoom: (): number => endedForRoom,

    /** Removes expired uploads and notes. Stops once the signal is aborted; the next call goes on. */
    async endExpired(signal?: AbortSignal): Promise<void> {
      await store.forgetFinished(clock.now());
      for (;;) {
        const now = clock.now();
        const rows = await store.expired(now);
        // Meanwhile a sender may have gone on with an expired upload: `now` is checked again.
        if (rows.length === 0) return;
        signal?.throwIfAborted();
        await parts.remove(rows, now);
      }
    },

    /** Ends the connections of all senders: they go on at another node, or after the restart. */
    stopAll: (): Promise<void> => senders.stop(),
  };
}
