import type { EventRow } from '../../database/schema.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { createSemaphore } from '../../lib/concurrency/semaphore.ts';

/**
 * Uploads of all events at once, from their form's first byte to their answer. One whose sender is awaited holds some 300 KB of
 * memory, one that waits for a decoder a file on disk. Further uploads wait with their senders paused.
 */
const UPLOADS = 384;
/** Of these, uploads whose bytes are arriving; each holds up to half a megabyte. */
const RECEIVING = 48;
/** The demo's code is public. */
const DEMO_UPLOADS = 16;
/** A page sends 6 at once, and again after a line broke unnoticed. */
const DEVICE_UPLOADS = 16;
/** Forms that have not named their event yet. */
const UNNAMED = 32;

/** A slot that others may have while its owner waits for something. */
export interface LendableSlot extends Disposable {
  lend(): void;
  /** Waits for a slot where this one was lent. */
  takeBack(): Promise<void>;
}

/** Who may upload when. Each event has a share of all slots, so that its senders, however slow or many, do not stop other events. */
export interface UploadSlots {
  /** For a form that has not named its event yet. */
  unnamed(): Promise<Disposable>;
  /** For one upload until its answer. */
  upload(event: EventRow, deviceId: string): Promise<Disposable>;
  /** For receiving bytes. */
  receiving(event: EventRow): Promise<LendableSlot>;
  /** How many wait for any of these. */
  waiting(): number;
}

export function createUploadSlots(): UploadSlots {
  const unnamed = createSemaphore(UNNAMED);
  const devices = createFairSemaphore(Infinity);
  const uploads = createFairSemaphore(UPLOADS);
  const receiving = createFairSemaphore(RECEIVING);
  return {
    unnamed: async () => ({ [Symbol.dispose]: await unnamed.acquire() }),

    async upload(event, deviceId) {
      const releaseDevice = await devices.acquire(`${event.id} ${deviceId}`, DEVICE_UPLOADS);
      const release = await uploads.acquire(event.id, event.demo === 1 ? DEMO_UPLOADS : undefined);
      return {
        [Symbol.dispose]() {
          release();
          releaseDevice();
        },
      };
    },

    async receiving(event) {
      let release = await receiving.acquire(event.id);
      let lent = false;
      return {
        lend() {
          lent = true;
          release();
        },
        async takeBack() {
          if (!lent) return;
          lent = false;
          release = await receiving.acquire(event.id);
        },
        [Symbol.dispose]: () => release(),
      };
    },

    waiting: () => [unnamed, devices, uploads, receiving].reduce((sum, semaphore) => sum + semaphore.waiting(), 0),
  };
}
