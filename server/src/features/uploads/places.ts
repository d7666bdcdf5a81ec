import type { EventRow } from '../../database/schema.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { createSemaphore } from '../../lib/concurrency/semaphore.ts';
import { takeTurn, type Turn } from './turn.ts';

/**
 * Uploads of all events that are in work at once, from their form's first byte to their answer: one that waits for its
 * sender holds some 300 KB, one that waits for a decoder its file on the disk. Further ones wait with their senders paused.
 */
const UPLOADS = 384;
/** Of these, such whose bytes come fast; each holds up to half a megabyte. */
const STREAMS = 48;
/** For whoever tries the demo; its code is public. */
const DEMO_UPLOADS = 16;
/** A page sends 6 at once, and again where a line broke unnoticed. */
const DEVICE_UPLOADS = 16;
/** Forms that have not yet said which event they are for. */
const STRANGERS = 32;
/** A sender who is awaited for so long does not hold up faster ones, ms. */
const SLOW = 500;

/** Who may be at work when: each event has its share, so that its senders, however slow or many, hold up nobody else's. */
export interface Places {
  /** A place for a form whose event is unknown; leave it before the event's is asked for. */
  stranger(): Promise<() => void>;
  /** A place for an upload. */
  upload(event: EventRow, deviceId: string): Promise<() => void>;
  /** A turn to receive a file. */
  stream(event: EventRow): Promise<Turn>;
  /** How many wait. */
  waiting(): number;
}

export function createPlaces(): Places {
  const strangers = createSemaphore(STRANGERS);
  const devices = createFairSemaphore(Infinity);
  const uploads = createFairSemaphore(UPLOADS);
  const streams = createFairSemaphore(STREAMS);
  return {
    stranger: () => strangers.acquire(),
    async upload(event, deviceId) {
      const leaveDevice = await devices.acquire(`${event.id} ${deviceId}`, DEVICE_UPLOADS);
      const leave = await uploads.acquire(event.id, event.demo === 1 ? DEMO_UPLOADS : undefined);
      return () => {
        leave();
        leaveDevice();
      };
    },
    stream: (event) => takeTurn(() => streams.acquire(event.id), { patience: SLOW }),
    waiting: () => [strangers, devices, uploads, streams].reduce((sum, semaphore) => sum + semaphore.waiting(), 0),
  };
}
