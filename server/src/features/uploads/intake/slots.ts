import type { EventRow } from '../../../database/schema.ts';
import { createFairSemaphore } from '../../../lib/concurrency/fair-semaphore.ts';
import { createEventSlots } from './event-slots.ts';
import type { ReceivingSlot, Sender } from './sender.ts';

/** Of all uploads, those whose bytes are arriving; each holds up to half a megabyte. */
const RECEIVING = 48;
/** Uploads of the demo at once; few, because its code is public. */
const DEMO_UPLOADS = 16;
/** Uploads of a device at once: a page sends 6, and 6 more if its connection broke and the server has not noticed yet. */
const DEVICE_UPLOADS = 16;
/** Forms that have not named their event yet. */
const UNNAMED = 32;
/** Beginnings of resumable uploads: short work, of which a crowd must not be in the way of other work. */
const BEGINNING = 4;

/** Whose upload asks for a slot. */
export interface Uploader {
  network: string;
  deviceId: string;
  /** May be cut off where it is slow and other devices wait. Null: it may not. */
  sender: Sender | null;
  /** Aborted when the client has left. */
  gone: AbortSignal | undefined;
}

/** Who may upload when. Each event has a share of all slots, so that its senders, however slow or many, do not stop other events. */
export interface UploadSlots {
  /** For a form that has not named its event yet; shared by network. */
  unnamed(network: string): Promise<Disposable>;
  /** For the beginning of a resumable upload, shared by event and network. */
  beginning(event: EventRow, network: string): Promise<Disposable>;
  /** For one upload until its answer. */
  upload(event: EventRow, uploader: Uploader): Promise<Disposable>;
  /** For receiving bytes. */
  receiving(event: EventRow): Promise<ReceivingSlot>;
  /** How many wait for any of these. */
  waiting(): number;
}

/**
 * `atOnce`: uploads of all events, from their form's first byte to their answer. One whose sender is awaited holds some 300 KB of
 * memory, one that waits for a decoder a file on disk. Further uploads wait with their senders paused. `graceMs`: who was awaited for
 * less is not cut off for being slow.
 */
export function createUploadSlots({ atOnce, graceMs }: { atOnce: number; graceMs: number }): UploadSlots {
  const unnamed = createFairSemaphore(UNNAMED);
  const uploads = createEventSlots(atOnce, { perDevice: DEVICE_UPLOADS, graceMs });
  const receiving = createFairSemaphore(RECEIVING);
  const beginning = createFairSemaphore(BEGINNING);
  return {
    unnamed: async (network) => ({ [Symbol.dispose]: await unnamed.acquire(network) }),

    beginning: async ({ id }, network) => ({ [Symbol.dispose]: await beginning.acquire(`${id} ${network}`) }),

    upload: ({ id: eventId, demo }, { deviceId: device, ...uploader }) =>
      uploads.acquire({ eventId, most: demo === 1 ? DEMO_UPLOADS : Infinity, device, ...uploader }),

    async receiving(event) {
      let releaseSlot = await receiving.acquire(event.id);
      let released = false;
      return {
        release() {
          released = true;
          releaseSlot();
        },
        async reacquire() {
          if (!released) return;
          released = false;
          releaseSlot = await receiving.acquire(event.id);
        },
        [Symbol.dispose]: () => releaseSlot(),
      };
    },

    waiting: () => [unnamed, beginning, uploads, receiving].reduce((sum, semaphore) => sum + semaphore.waiting(), 0),
  };
}
