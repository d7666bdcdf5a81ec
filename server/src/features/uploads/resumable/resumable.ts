import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { errors } from '@feierbild/contract/errors.ts';
import { createInstallationKey } from '../../../database/settings.ts';
import type { EventRow, UploadRow } from '../../../database/schema.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import { addressNetwork } from '../../../lib/address.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { createSingleFlight } from '../../../lib/concurrency/single-flight.ts';
import { Refusal } from '../../../lib/errors.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { BlobMissing, partBlob } from '../../../storage/blob-store.ts';
import { Tampered } from '../../../vault/vault.ts';
import { deviceHash } from '../../devices/devices.ts';
import type { UploadGround } from '../ground.ts';
import type { Incoming, Originals, StagedOriginal } from '../storing/original.ts';
import type { From, StoredUpload, Storing } from '../storing/storing.ts';
import { createBudget } from './budget.ts';
import { createOpenUploadStore, type Part } from './open-uploads.store.ts';
import { createParts, PART_BYTES, type AtOnce } from './parts.ts';
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

/** Whose upload it is, and the link of a Fotobox that has printed it already. */
type Sent = Pick<From, 'visitor' | 'linkToken'>;

export type Resumable = ReturnType<typeof createResumable>;

/**
 * Uploads that can be resumed after a break, on any node (docs/architecture.md, „The way of an upload that is resumed“). What arrived is in
 * the photo store in parts, sealed under a key that only the device can open.
 */
export function createResumable(ground: UploadGround, originals: Originals, storing: Storing) {
  const { db, vault, photos, clock, log } = ground;
  const store = createOpenUploadStore(db);
  const parts = createParts(ground, store, originals);
  const senders = createSenders();
  const completing = createSingleFlight<StoredUpload>();
  const budget = createBudget(ground, parts.remove);
  const installationKey = createInstallationKey(db);
  let endedForRoom = 0;

  const hashOf = (key: string, deviceId: string): Bytes => vault.keyedHash(deviceId, 'upload', Buffer.from(key));

  async function networkOf({ address }: DeviceVisitor, eventId: string): Promise<Bytes> {
    const secret = Buffer.from(await installationKey()).toString('base64url');
    return vault.keyedHash(secret, `upload-network:${eventId}`, Buffer.from(addressNetwork(address)));
  }

  /** Whether an upload is to begin anew: it has expired, or the store has lost the photo that it became. */
  async function isOver({ expires_at, photo_id }: UploadRow): Promise<boolean> {
    if (expires_at <= clock.now()) return true;
    return photo_id !== null && !(await storing.isStored(photo_id));
  }

  /** The device's upload of a key. Throws Refusal upload_not_found, upload_expired, photo_removed. */
  async function find(key: string, { deviceId }: DeviceVisitor): Promise<UploadRow> {
    const row = await store.byKey(hashOf(key, deviceId));
    if (!row) throw new Refusal('upload_not_found');
    mustBeWanted(row);
    if (await isOver(row)) throw new Refusal('upload_expired');
    return row;
  }

  /** A row, and the key of its parts, wrapped for the device. */
  async function create({ key, length, deviceName, filename, visitor }: NewUpload, eventId: string, fotobox: boolean, announces: boolean) {
    const { deviceId } = visitor;
    const of = { key_hash: hashOf(key, deviceId), event_id: eventId, device_hash: deviceHash(vault, deviceId, eventId) };
    const announcedAs = await storing.announcedAs(of);
    const context = { eventId, photoId: announcedAs ?? uuidv7(clock.now()) };
    const description = { deviceName, filename, takenAt: null };
    using partsKey = vault.createPhotoKey();
    using guestKey = vault.guestKey(deviceId, eventId);
    const row: UploadRow = {
      id: context.photoId,
      ...of,
      network: await networkOf(visitor, eventId),
      length,
      received: 0,
      version: 0,
      fotobox: fotobox ? 1 : 0,
      announced: announces || announcedAs ? 1 : 0,
      description: vault.sealDescription(guestKey, description, context),
      photo_id: null,
      expires_at: clock.now() + UPLOAD_KEPT,
    };
    return { row, wrapped: vault.wrapForDevice(partsKey, deviceId, context) };
  }

  /** Removes what can never become a photo because its parts are lost. Throws Refusal. */
  async function unlessLost<T>(row: UploadRow, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof BlobMissing || error instanceof Tampered)) throw error;
      // Its sender has ended it meanwhile, or begins anew, and its parts were removed for that.
      if ((await store.byKey(row.key_hash))?.id !== row.id) throw new Refusal('upload_offset', { cause: error });
      log.error({ err: error, upload: row.id }, 'parts of an upload are lost');
      await parts.remove(row);
      throw new Refusal('upload_expired', { cause: error });
    }
  }

  /** What is known of an upload's file, and its guest's name. */
  async function expected(row: UploadRow, deviceId: string): Promise<Incoming & Pick<From, 'deviceName'>> {
    const { id: photoId, event_id: eventId, description } = row;
    if (description === null) throw new Refusal('upload_not_found');
    using guestKey = vault.guestKey(deviceId, eventId);
    const { filename, deviceName } = vault.openDescription(guestKey, description, { eventId, photoId });
    const announced = row.announced === 1 ? await storing.announced(photoId, deviceId) : undefined;
    // It may have been deleted a moment ago.
    if (row.announced === 1 && !announced) mustBeWanted((await store.byKey(row.key_hash)) ?? row);
    return { eventId, deviceId, filename, deviceName, mostBytes: row.length, announced };
  }

  /** The client that sent the last byte may have left: the photo is stored all the same. */
  function storeOriginal(row: UploadRow, original: StagedOriginal, from: Sent & Pick<From, 'deviceName'>, parts: Part[]) {
    const note = {
      statements: (photoId: string) => store.finish(row.id, photoId, clock.now() + UPLOAD_KEPT),
      dropped: parts.map(({ n }) => partBlob(row.event_id, row.id, n)),
    };
    return storing.store(original, { ...from, fotobox: row.fotobox === 1, gone: undefined, note });
  }

  async function storePhoto(row: UploadRow, from: Sent): Promise<StoredUpload> {
    const { deviceId } = from.visitor;
    const arrived = await store.parts(row.id);
    await using owned = new AsyncDisposableStack();
    using key = await parts.openKey(row, deviceId);
    const { deviceName, ...incoming } = await expected(row, deviceId);
    const original = owned.use(await originals.stage(parts.open(row, key, arrived), incoming));
    return await storeOriginal(row, original, { ...from, deviceName }, arrived);
  }

  /** An original that follows its preview is not decoded before it is answered: one that comes whole is not kept in parts before. */
  function atOnce(row: UploadRow, from: Sent): AtOnce | null {
    if (row.announced === 0 || row.length > PART_BYTES) return null;
    let deviceName = '';
    return {
      async stage(part) {
        const incoming = await expected(row, from.visitor.deviceId);
        ({ deviceName } = incoming);
        return originals.stage(part, incoming);
      },
      store: (original) =>
        completing
          .run(row.id, () => storeOriginal(row, original, { ...from, deviceName }, []))
          .catch((error: unknown) => {
            log.info({ err: error, upload: row.id }, 'an original was not stored at once');
            return null;
          }),
    };
  }

  /** The photo of an upload whose bytes have all arrived. What may succeed later stays; after not_a_photo and the like nothing does. */
  async function complete(row: UploadRow, from: Sent): Promise<StoredUpload> {
    /** Where it was completed before: a moment ago, or by another node. */
    async function storedBefore(): Promise<StoredUpload | null> {
      const photoId = (await store.byKey(row.key_hash))?.photo_id;
      return photoId ? storing.again(photoId, { ...from, fotobox: row.fotobox === 1 }) : null;
    }
    return completing.run(row.id, async () => {
      const before = await storedBefore();
      if (before) return before;
      return storePhoto(row, from).catch(async (error: unknown) => {
        const other = await storedBefore();
        if (other) return other;
        if (isFinal(error)) await parts.remove(row);
        throw error;
      });
    });
  }

  /** Ends others that are in the way of this one. */
  async function makeRoom(row: UploadRow, event: Pick<EventRow, 'storage_limit'>): Promise<void> {
    const ended = await budget.makeRoom(row, event);
    endedForRoom += ended;
    if (ended > 0) log.warn({ event: row.event_id, ended }, 'open uploads were ended to make room for a new one');
  }

  /**
   * Begins an upload, or finds the one that the device began with the same key for the same event; a key that it has used for another
   * event becomes another one. Where an earlier upload of the key has shown its preview, it goes on for that photo. Throws Refusal
   * upload_key_taken, event_inactive, photo_removed.
   */
  async function begin(
    upload: NewUpload,
    event: Pick<EventRow, 'id' | 'storage_limit'>,
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
        if (announces && before.announced === 0) await store.markAnnounced(before.id);
        return { created: false, key, row: before };
      }
      if (before) await parts.remove(before);
      const { row, wrapped } = await create({ ...upload, key }, event.id, fotobox, announces);
      if (row.announced === 0) await makeRoom(row, event);
      if (await store.add(row, wrapped)) return { created: true, key, row };
      if (!(await store.byKey(row.key_hash))) throw new Refusal('event_inactive');
    }
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

    /** The same, and shows its photo by a preview. Throws Refusal. */
    async announce(upload: NewUpload, event: Pick<EventRow, 'id' | 'storage_limit'>, fotobox: boolean, picture: Bytes) {
      const drawn = await storing.redraw(picture, event.id);
      const { created, key, row } = await begin(upload, event, fotobox, true);
      const before =
        row.photo_id === null ? null : await storing.again(row.photo_id, { visitor: upload.visitor, fotobox, linkToken: null });
      if (before) return { key, row, stored: before };
      try {
        return { key, row, stored: await storing.announce({ ...upload, drawn, upload: row }) };
      } catch (error) {
        if (created) await parts.remove(row);
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
      return await unlessLost(row, parts.append(row, from.visitor.deviceId, sender, pieces, atOnce(row, from)));
    },

    /** The photo of an upload that has arrived whole. Throws Refusal. */
    complete: (row: UploadRow, from: Sent): Promise<StoredUpload> => unlessLost(row, complete(row, from)),

    /** Where an upload stands. A connection that still sends is ended first, and what it has sent is kept. */
    async settled(key: string, visitor: DeviceVisitor): Promise<UploadRow> {
      await senders.settle((await find(key, visitor)).id);
      return find(key, visitor);
    },

    /** Removes an upload: nothing of it stays. A photo that it became does. */
    remove: (row: Pick<UploadRow, 'id'>): Promise<void> => parts.remove(row),

    /** The same at its sender's wish: what its preview has shown goes, too. */
    async withdraw(row: UploadRow): Promise<void> {
      const photo = row.announced === 1 ? await photos.byId(row.id) : undefined;
      if (photo?.state === 'announced') await photos.remove({ row: photo });
      await parts.remove(row);
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
        for (const row of rows) {
          signal?.throwIfAborted();
          await parts.remove(row, now);
        }
        if (rows.length === 0) return;
      }
    },

    /** Ends what is being sent: it goes on at another node, or after the restart. */
    settleAll: (): Promise<void> => senders.settle(),
  };
}

/** Throws Refusal photo_removed where the photo was announced, and deleted: its original must not come any more. */
function mustBeWanted({ photo_id, description }: UploadRow): void {
  if (photo_id === null && description === null) throw new Refusal('photo_removed');
}

/** Refused for what the file is: the same bytes are never taken. */
function isFinal(error: unknown): boolean {
  return error instanceof Refusal && [413, 415].includes(errors[error.code].status);
}
