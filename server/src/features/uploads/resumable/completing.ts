import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { errors } from '@feierbild/contract/errors.ts';
import type { UploadRow } from '../../../database/rows.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { createSingleFlight } from '../../../lib/concurrency/single-flight.ts';
import { Refusal } from '../../../lib/errors.ts';
import { BlobMissing, partBlob } from '../../../storage/blob-store.ts';
import { Tampered } from '../../../vault/vault.ts';
import type { UploadContext } from '../context.ts';
import type { StoredUpload } from '../storing/answering.ts';
import type { Originals, StagedOriginal } from '../storing/original.ts';
import { Overtaken, type Placing } from '../storing/placing.ts';
import type { From } from '../storing/preparing.ts';
import type { OpenUploadStore, Part } from './open-uploads.store.ts';
import { cutIntoParts, PART_BYTES, type UploadParts } from './parts.ts';
import type { ActiveSender } from './senders.ts';

/** The sender of an upload, and the token of a link that the Fotobox has printed already. */
export type Sent = Pick<From, 'visitor' | 'linkToken'>;

interface Deps {
  originals: Originals;
  placing: Placing;
  store: OpenUploadStore;
  parts: UploadParts;
}

/** Receives the bytes of an upload, and makes its photo once all of them are there. */
export function createCompleting({ vault, clock, log }: UploadContext, { originals, placing, store, parts }: Deps) {
  const completing = createSingleFlight<StoredUpload>();

  /** Removes an upload whose parts are lost: it can never become a photo. Throws Refusal. */
  async function unlessLost<T>(row: UploadRow, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof BlobMissing || error instanceof Tampered)) throw error;
      // The sender has ended the upload or begun it anew meanwhile, which removed these parts. A new upload has a new description.
      const now = (await store.byKey(row.key_hash))?.description;
      if (!now || !row.description || !Buffer.from(now).equals(row.description)) throw new Refusal('upload_offset', { cause: error });
      log.error({ err: error, upload: row.id }, 'parts of an upload are lost');
      await parts.remove([row]);
      throw new Refusal('upload_expired', { cause: error });
    }
  }

  /** Stages the original of an upload from its plain bytes, with its guest's name. */
  async function stage(row: UploadRow, bytes: AsyncIterable<Bytes>, { deviceId }: DeviceVisitor) {
    const { id, event_id: eventId, description, length: mostBytes } = row;
    if (description === null) throw new Refusal('upload_not_found');
    using guestKey = vault.guestKey(deviceId, eventId);
    const { filename, deviceName } = vault.openDescription(guestKey, description, { eventId, photoId: id });
    const announcedKey = row.announced === 1 ? await placing.announcedKey(row, deviceId) : undefined;
    // The announced photo may have been deleted a moment ago.
    if (row.announced === 1 && !announcedKey) mustBeWanted((await store.byKey(row.key_hash)) ?? row);
    const original = await originals.stage(bytes, { eventId, deviceId, filename, mostBytes, upload: { id, announcedKey } });
    return { original, deviceName };
  }

  /** Stores the photo even if the client that sent the last byte has left. */
  function storeOriginal(row: UploadRow, { original, deviceName }: Awaited<ReturnType<typeof stage>>, from: Sent, parts: Part[]) {
    const completion = {
      statements: (photoId: string) => store.finish(row.id, photoId, clock.now() + UPLOAD_KEPT),
      dropped: parts.map(({ n }) => partBlob(row.event_id, row.id, n)),
    };
    return placing.original(original, { ...from, deviceName, fotobox: row.fotobox === 1, gone: undefined, completion });
  }

  async function storeParts(row: UploadRow, from: Sent): Promise<StoredUpload> {
    const { deviceId } = from.visitor;
    const arrived = await store.parts(row.id);
    await using owned = new AsyncDisposableStack();
    using key = await parts.openKey(row, deviceId);
    const staged = await stage(row, parts.open(row, key, arrived), from.visitor);
    owned.use(staged.original);
    return await storeOriginal(row, staged, from, arrived);
  }

  /** Receives a sender's bytes; returns the photo if they came in one piece and it was stored at once. */
  async function receive(row: UploadRow, from: Sent, sender: ActiveSender, pieces: AsyncIterable<Bytes>): Promise<StoredUpload | null> {
    await using owned = new AsyncDisposableStack();
    const stream = cutIntoParts(pieces);
    owned.defer(stream.close);
    let whole: StagedOriginal | null = null;
    // An original that follows its preview is answered before it is decoded. If it comes in one piece, it needs no part in the store.
    if (row.announced === 1 && row.received === 0 && row.length <= PART_BYTES && (await stream.more())) {
      const staged = await stage(row, stream.next(), from.visitor);
      whole = owned.use(staged.original);
      if (whole.digest.size === row.length && stream.last().error === undefined) {
        sender.line.rest();
        const stored = await completing
          .run(row.id, () => storeOriginal(row, staged, from, []))
          .catch((error: unknown) => log.info({ err: error, upload: row.id }, 'an original was not stored at once'));
        if (stored) return stored;
      }
    }
    await parts.append(row, from.visitor.deviceId, sender, stream, whole && originals.open(whole));
    return null;
  }

  /**
   * Makes the photo of an upload whose bytes have all arrived. Errors that may pass keep the upload; final ones (not_a_photo, …) remove it.
   */
  async function complete(row: UploadRow, from: Sent): Promise<StoredUpload> {
    /** Finds the photo if the upload was completed a moment ago, or by another node. */
    async function storedBefore(): Promise<StoredUpload | null> {
      const photoId = (await store.byKey(row.key_hash))?.photo_id;
      // A node that found the same file by another way may have ended before it removed the photo of this upload's preview.
      if (photoId && photoId !== row.id && row.announced === 1) await placing.removeAnnounced(row, from.visitor);
      return photoId ? placing.again(photoId, { ...from, fotobox: row.fotobox === 1 }) : null;
    }
    return completing.run(row.id, async () => {
      const before = await storedBefore();
      if (before) return before;
      const storing = storeParts(row, from).catch(async (error: unknown) => {
        if (!(error instanceof Overtaken)) throw error;
        return storeParts((await store.byKey(row.key_hash)) ?? row, from);
      });
      return storing.catch(async (error: unknown) => {
        const other = await storedBefore();
        if (other) return other;
        if (isFinal(error)) await parts.remove([row]);
        // The upload was ended meanwhile: its sender has to ask for its state.
        else if (error instanceof Refusal && !(await store.byKey(row.key_hash))) throw new Refusal('upload_offset', { cause: error });
        throw error;
      });
    });
  }

  return {
    receive: (...args: Parameters<typeof receive>): Promise<StoredUpload | null> => unlessLost(args[0], receive(...args)),
    complete: (row: UploadRow, from: Sent): Promise<StoredUpload> => unlessLost(row, complete(row, from)),
  };
}

/** Throws Refusal photo_removed if the photo was announced and then deleted: its original must not come any more. */
export function mustBeWanted({ photo_id, description }: UploadRow): void {
  if (photo_id === null && description === null) throw new Refusal('photo_removed');
}

/** Tells whether the file itself was refused, or its key belongs to another file: a repeat of the same bytes would be refused again. */
function isFinal(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'upload_key_taken' || [413, 415].includes(errors[error.code].status));
}
