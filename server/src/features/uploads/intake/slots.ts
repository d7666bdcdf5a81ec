import type { EventRow } from '../../../database/rows.ts';
import { createFairSemaphore } from '../../../lib/concurrency/fair-semaphore.ts';
import type { ReceivingSlot, Sender } from './sender.ts';

/** Uploads that receive bytes at the same time; each holds up to half a megabyte. */
const RECEIVING = 48;
/** Uploads of the demo at the same time; few, because its code is public. */
const DEMO_UPLOADS = 16;
const DEMO = 'demo';
/** Uploads of a device at the same time: a page sends 6, and 6 more if its connection broke and the server has not noticed yet. */
const DEVICE_UPLOADS = 16;
/** Forms at the same time that have not named their event yet. */
const UNNAMED = 32;
/** Resumable uploads that begin at the same time: short work that must not delay other work in a crowd. */
const BEGINNING = 4;
/**
 * Previews that arrive at the same time, each in memory as a whole. They have slots of their own, so that they never wait for originals.
 */
const PREVIEWS = 32;
/** A sender below 8 KB/s may lose its slot to a waiting device. */
const SLOW_BYTES_PER_MS = 8;
/** How often slow senders are searched for while uploads wait. */
const CHECK_MS = 500;

/** An upload that has a slot, or waits for one. */
interface Claim {
  event: string;
  network: string;
  deviceId: string;
  /** The sender, cut off if it is slow and other devices wait; null: it may not be cut off. */
  sender: Pick<Sender, 'speed' | 'hangUp'> | null;
}

/** Decides who may upload when. Each event has a share of all slots: slow or many senders do not stop other events. */
export type UploadSlots = ReturnType<typeof createUploadSlots>;

/**
 * `atOnce`: uploads of all events at the same time, from their form's first byte to their answer. An upload that waits for its sender holds
 * some 300 KB of memory, one that waits for a decoder a file on disk. Further uploads wait with their senders paused. `graceMs`: a sender
 * that was awaited for less is not cut off for being slow.
 */
export function createUploadSlots({ atOnce, graceMs }: { atOnce: number; graceMs: number }) {
  const unnamed = createFairSemaphore(UNNAMED);
  const beginning = createFairSemaphore(BEGINNING);
  const receiving = createFairSemaphore(RECEIVING);
  const previews = createFairSemaphore(PREVIEWS);
  const uploads = createFairSemaphore(([event, , device]) => {
    if (event === undefined) return atOnce;
    if (device !== undefined) return DEVICE_UPLOADS;
    return event === DEMO ? DEMO_UPLOADS : Infinity;
  });
  const [holding, waiting] = [new Set<Claim>(), new Set<Claim>()];
  let checks: NodeJS.Timeout | undefined;

  function check(): void {
    for (const { sender } of chooseSlow(holding, waiting, graceMs)) sender?.hangUp();
    if (waiting.size > 0) return;
    clearInterval(checks);
    checks = undefined;
  }

  return {
    /**
     * Waits for a slot for a form that has not named its event yet, shared by network. An aborted `gone` (the client left) is thrown by all
     * these.
     */
    unnamed: (network: string, gone?: AbortSignal): Promise<Disposable> => unnamed.acquire([network], gone),

    /** Waits for a slot to begin a resumable upload, shared by event and network. */
    beginning: ({ id }: EventRow, network: string, gone?: AbortSignal): Promise<Disposable> =>
      beginning.acquire([`${id} ${network}`], gone),

    /** Waits for a slot for a photo's preview, shared by event, network and device. */
    preview: ({ id }: EventRow, network: string, deviceId: string, gone?: AbortSignal): Promise<Disposable> =>
      previews.acquire([id, network, deviceId], gone),

    /** Waits for an upload's slot, held until its answer. */
    async upload({ id, demo }: EventRow, uploader: Omit<Claim, 'event'>, gone?: AbortSignal): Promise<Disposable> {
      const claim = { event: demo === 1 ? DEMO : id, ...uploader };
      waiting.add(claim);
      checks ??= setInterval(check, CHECK_MS).unref();
      try {
        const place = await uploads.acquire([claim.event, claim.network, claim.deviceId], gone);
        holding.add(claim);
        return {
          [Symbol.dispose]() {
            holding.delete(claim);
            place[Symbol.dispose]();
          },
        };
      } finally {
        waiting.delete(claim);
      }
    },

    /** Waits for a slot to receive bytes. */
    async receiving({ id }: EventRow, gone?: AbortSignal): Promise<ReceivingSlot> {
      let place: Disposable | null = await receiving.acquire([id], gone);
      const release = (): void => {
        place?.[Symbol.dispose]();
        place = null;
      };
      return {
        release,
        async reacquire() {
          // No `gone` here: even if the sender has left, its received bytes are kept.
          place ??= await receiving.acquire([id]);
        },
        [Symbol.dispose]: release,
      };
    },

    /** Counts the uploads that wait for any slot. */
    waiting: (): number => [unnamed, beginning, uploads, receiving, previews].reduce((sum, semaphore) => sum + semaphore.waiting(), 0),
  };
}

const networkOf = ({ event, network }: Claim): string => `${event} ${network}`;
const deviceOf = ({ event, deviceId }: Claim): string => `${event} ${deviceId}`;

/**
 * Chooses slow senders that give up their slots: in each event as many as there are waiting devices without a slot. The slowest sender of
 * the network with the most slots comes first. A sender that was awaited for less than `graceMs` keeps its slot.
 */
function chooseSlow(holding: ReadonlySet<Claim>, waiting: ReadonlySet<Claim>, graceMs: number): Claim[] {
  const served = new Set([...holding].map(deviceOf));
  const slots = new Map([...Map.groupBy(holding, networkOf)].map(([network, claims]) => [network, claims.length]));
  const slow = [...holding]
    .map((claim) => ({ claim, ...(claim.sender?.speed() ?? { awaitedMs: 0, bytesPerMs: 0 }) }))
    .filter(({ awaitedMs, bytesPerMs }) => awaitedMs >= graceMs && bytesPerMs < SLOW_BYTES_PER_MS)
    .toSorted((a, b) => a.bytesPerMs - b.bytesPerMs)
    .map(({ claim }) => {
      const network = networkOf(claim);
      const slotsLeft = slots.get(network) ?? 0;
      slots.set(network, slotsLeft - 1);
      return { claim, slotsLeft };
    })
    .toSorted((a, b) => b.slotsLeft - a.slotsLeft)
    .map(({ claim }) => claim);
  return [...Map.groupBy(waiting, ({ event }) => event)].flatMap(([event, claims]) => {
    const devices = new Set(claims.map(deviceOf).filter((device) => !served.has(device)));
    return slow.filter((claim) => claim.event === event).slice(0, devices.size);
  });
}
