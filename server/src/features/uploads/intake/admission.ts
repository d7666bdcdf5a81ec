import type { EventRow } from '../../../database/rows.ts';
import type { DeviceVisitor, Visitor } from '../../../http/visitor.ts';
import { addressNetwork } from '../../../lib/address.ts';
import { Refusal } from '../../../lib/errors.ts';
import { deviceHash } from '../../devices/devices.ts';
import type { UploadContext } from '../context.ts';
import type { UploadStore } from '../storing/placing.ts';
import { refuseSwitchedOff, type Admitted } from '../storing/room.ts';
import type { Sender } from './sender.ts';
import type { UploadSlots } from './slots.ts';

/** Least and greatest number of bytes of a file. */
export interface Size {
  least: number;
  most: number;
  /** Whether they come in pieces. */
  inPieces: boolean;
  /** Whether the sender cannot be told by its device: any photo of the event may be its earlier one. */
  isForgotten?: boolean;
}

/**
 * Checks before any byte is read: code, password, size, room of the event. decoding.ts refuses files, uploads.ts refuses if the disk is
 * full.
 */
export function createAdmission(
  { events: { guests }, vault, maxBytes, maxVideoBytes }: UploadContext,
  store: Pick<UploadStore, 'hasPhotoOfSize' | 'isKnown'>,
  slots: UploadSlots,
) {
  /** Throws Refusal storage_full. */
  async function mustHaveRoom(event: EventRow, { least, most, isForgotten }: Omit<Size, 'inPieces'>, deviceId: string): Promise<void> {
    if (event.storage_limit === null) return;
    const freeBytes = event.storage_limit - event.used_bytes;
    if (freeBytes > 0 && least <= freeBytes) return;
    // A repeat of a stored photo needs no room.
    const device = isForgotten ? null : deviceHash(vault, deviceId, event.id);
    if (!(await store.hasPhotoOfSize(event.id, device, least, most))) throw new Refusal('storage_full');
  }

  return {
    mustHaveRoom,

    /**
     * Admits an upload; returns its event, and whether the Fotobox uploads, which gets a link to the photo. `size`: null if unknown. Throws
     * Refusal.
     */
    async admit(
      code: string,
      { visitor, password }: { visitor: DeviceVisitor; password: string | null },
      size: Size | null,
    ): Promise<{ event: EventRow } & Required<Admitted>> {
      const event = await guests.find(code, visitor.address);
      guests.mustTakePhotos(event);
      const { who, verifier } = await guests.checkPassword(event, password ?? undefined, visitor);
      if (who === 'guest' && event.with_user_upload === 0) throw new Refusal('upload_disabled');
      if (size) {
        const limit = size.inPieces && event.with_videos === 1 ? Math.max(maxBytes, maxVideoBytes) : maxBytes;
        if (size.least > limit) throw new Refusal('too_large');
        await mustHaveRoom(event, size, visitor.deviceId);
      }
      return { event, fotobox: who === 'fotobox', verifier };
    },

    /** Waits for a slot, held until the answer. It may be taken from a slow `sender`; null: it may not. */
    async slot(event: EventRow, { deviceId, address }: DeviceVisitor, sender: Sender | null, gone: AbortSignal): Promise<Disposable> {
      // Devices that have uploaded before are not cut off for being slow: everybody may be at a crowded place.
      const mayBeCut = sender && !(await store.isKnown(event.id, deviceHash(vault, deviceId, event.id)));
      return slots.upload(event, { network: addressNetwork(address), deviceId, sender: mayBeCut ? sender : null }, gone);
    },

    /** Admits the next request of an upload: its password need not be given again. Throws Refusal. */
    async readmit(eventId: string, { address }: Visitor, fotobox: boolean): Promise<EventRow> {
      const event = await guests.find(eventId, address);
      guests.mustTakePhotos(event);
      refuseSwitchedOff(event, fotobox);
      return event;
    },
  };
}

export type Admission = ReturnType<typeof createAdmission>;
