import { PREVIEW_BYTES_MAX, UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { statesSince } from '../../../database/migrate.ts';
import type { EventRow, UploadRow } from '../../../database/rows.ts';
import type { Connection } from '../../../http/body.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import { addressNetwork } from '../../../lib/address.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import { collect } from '../../../lib/stages.ts';
import type { UploadContext } from '../context.ts';
import type { NewUpload, Resumable, UploadState } from '../resumable/resumable.ts';
import type { StoredUpload } from '../storing/answering.ts';
import type { From } from '../storing/preparing.ts';
import type { Admission } from './admission.ts';
import { createSender } from './sender.ts';
import type { UploadSlots } from './slots.ts';

/** Time after the migration in which nodes of the previous release may still run; those cannot handle a photo without its original. */
const UPGRADE_MS = 60 * 60 * 1000;

/** Result of an append: the upload's state, and its photo if that was the last byte. */
export interface Appended {
  state: UploadState;
  stored: StoredUpload | null;
}

/** The body of a request: the file's bytes from `offset` on. */
export interface IncomingBytes {
  offset: number;
  /** Length of this body, bytes; null if the client does not announce it. */
  contentLength: number | null;
  bytes: AsyncIterable<Bytes>;
  connection: Connection;
  /** The token of a link that the Fotobox has printed already. */
  linkToken: string | null;
}

export interface Beginning extends NewUpload {
  eventCode: string;
  password: string | null;
  /** Aborted when the client has left. */
  gone: AbortSignal;
}

interface Rooms {
  resumable: Resumable;
  slots: UploadSlots;
  admission: Admission;
}

/** Takes an upload in any number of requests: decides who may begin and go on, and when. */
export function createTusIntake({ db, clock, stallMs }: UploadContext, { resumable, slots, admission }: Rooms) {
  let isUpgraded = false;

  /** Throws Refusal preview_refused. */
  async function mustBeUpgraded(): Promise<void> {
    const since = isUpgraded ? null : await statesSince(db.kysely);
    if (since !== null && clock.now() - since < UPGRADE_MS) throw new Refusal('preview_refused');
    isUpgraded = true;
  }

  function whole(row: UploadRow, stored: StoredUpload): Appended {
    return { state: { offset: row.length, length: row.length, expiresAt: clock.now() + UPLOAD_KEPT }, stored };
  }

  const completed = async (row: UploadRow, from: Pick<From, 'visitor' | 'linkToken'>): Promise<Appended> =>
    whole(row, await resumable.complete(row, from));

  /** Returns the event if it still takes photos; null if the upload has become a photo meanwhile. Throws Refusal. */
  async function readmit(key: string, row: UploadRow, visitor: DeviceVisitor): Promise<EventRow | null> {
    return admission.readmit(row.event_id, visitor, row.fotobox === 1).catch(async (error: unknown) => {
      if ((await resumable.find(key, visitor)).photo_id) return null;
      throw error;
    });
  }

  return {
    /** Begins an upload, or finds the one that the device began with the same key; returns the key in its address. Throws Refusal. */
    async begin(upload: Beginning): Promise<{ created: boolean; key: string; state: UploadState }> {
      const { length, visitor } = upload;
      if (length === 0) throw new Refusal('not_a_photo');
      const { event, fotobox } = await admission.admit(upload.eventCode, upload, { least: length, most: length, inPieces: true });
      using _slot = await slots.beginning(event, addressNetwork(visitor.address), upload.gone);
      const { created, key, row } = await resumable.begin(upload, event, fotobox);
      return { created, key, state: resumable.stateOf(row) };
    },

    /** Shows a photo by its preview, and begins its upload; returns the key in its address. Throws Refusal. */
    async announce(upload: Beginning, { bytes, connection }: Pick<IncomingBytes, 'bytes' | 'connection'>) {
      const { length, visitor } = upload;
      if (length === 0) throw new Refusal('not_a_photo');
      await mustBeUpgraded();
      const { event, ...admitted } = await admission.admit(upload.eventCode, upload, { least: length, most: length, inPieces: false });
      using _slot = await slots.preview(event, addressNetwork(visitor.address), visitor.deviceId, upload.gone);
      const sender = createSender({ stallMs, hangUp: connection.hangUp });
      const picture = await collect(sender.pieces(bytes, PREVIEW_BYTES_MAX));
      // Only JPEG reaches a decoder.
      if (picture[0] !== 0xff || picture[1] !== 0xd8) throw new Refusal('preview_refused');
      const { key, row, stored } = await resumable.announce(upload, event, admitted, picture);
      return { key, state: resumable.stateOf(row), stored };
    },

    /** Receives bytes of an upload; with the last one the photo is stored. Throws Refusal. */
    async append(
      key: string,
      visitor: DeviceVisitor,
      { offset, contentLength, bytes, connection, linkToken }: IncomingBytes,
    ): Promise<Appended> {
      await using owned = new AsyncDisposableStack();
      const found = await resumable.find(key, visitor);
      // A browser repeats a request from its beginning if the connection broke: the bytes of the first request are kept.
      const row = found.announced === 1 && offset === 0 ? await resumable.stopped(key, visitor) : found;
      if (offset + (contentLength ?? 0) > row.length) throw new Refusal('too_large');
      const isWhole = row.received === row.length;
      const isAgain = isWhole && offset === row.length - 1;
      if (row.received !== offset && !isAgain) throw new Refusal('upload_offset');
      const event = row.photo_id === null ? await readmit(key, row, visitor) : null;
      if (!event) return await completed(row, { visitor, linkToken });
      // Checked before the parts are read and decoded once more.
      if (isWhole) await admission.mustHaveRoom(event, { least: row.length, most: row.length }, visitor.deviceId);

      const sender = createSender({ stallMs, hangUp: connection.hangUp });
      owned.use(await admission.slot(event, visitor, isWhole ? null : sender, connection.gone));
      if (isWhole) return await completed(row, { visitor, linkToken });
      {
        using slot = await slots.receiving(event, connection.gone);
        sender.useSlot(slot);
        // An announced upload enters the budget with its first byte.
        if (row.announced === 1 && row.received === 0) await resumable.makeRoom(row, event);
        const stored = await resumable.append(row, { visitor, linkToken }, sender, sender.pieces(bytes, row.length - row.received));
        if (stored) {
          sender.end();
          return whole(row, stored);
        }
      }
      sender.end();

      const after = await resumable.find(key, visitor);
      return after.received === after.length
        ? await completed(after, { visitor, linkToken })
        : { state: resumable.stateOf(after), stored: null };
    },

    /** Returns the state of an upload. Throws Refusal. */
    state: async (key: string, visitor: DeviceVisitor): Promise<UploadState> => resumable.stateOf(await resumable.stopped(key, visitor)),

    /** Ends an upload at its sender's request. Throws Refusal. */
    remove: async (key: string, visitor: DeviceVisitor): Promise<void> => resumable.withdraw(key, visitor),
  };
}
