import type { Sender } from './sender.ts';

/** An event may have fewer slots than this many times the free ones, so that there is always room for another event. */
const SHARE_OF_FREE = 2;
/** A sender below 8 KB/s may lose its slot to a waiting device. */
const SLOW_BYTES_PER_MS = 8;
/** How often slow senders are searched for while uploads wait. */
const CHECK_MS = 500;

/** Who asks for a slot. */
export interface Claim {
  eventId: string;
  /** At most so many slots for its event. */
  most: number;
  network: string;
  device: string;
  /** Null: it never loses its slot. */
  sender: Pick<Sender, 'speed' | 'hangUp'> | null;
  /** Aborted when the client has left: a waiter then leaves the queue. */
  gone?: AbortSignal | undefined;
}

export interface EventSlots {
  /** Waits for a slot; disposal gives it back. Throws the reason of `gone`. */
  acquire(claim: Claim): Promise<Disposable>;
  /** How many wait. */
  waiting(): number;
}

interface Waiter {
  claim: Claim;
  admit(slot: Disposable): void;
}

/**
 * Slots that events share, in an event its networks, in a network its devices: the free slot goes to the waiter whose network has
 * the fewest, then whose device has the fewest, then to the first. Where devices wait that have no slot at all, as many of their
 * event's slow senders are cut off, the slowest of the network with the most slots first; who was awaited for less than
 * `graceMs` stays.
 */
export function createEventSlots(slots: number, { perDevice, graceMs }: { perDevice: number; graceMs: number }): EventSlots {
  const holders = new Set<Claim>();
  const counts = new Map<string, number>();
  /** By event; the event to be served next comes first. */
  const queues = new Map<string, Waiter[]>();
  let checks: NodeJS.Timeout | undefined;

  const networkOf = ({ eventId, network }: Claim): string => `${eventId} network ${network}`;
  const deviceOf = ({ eventId, device }: Claim): string => `${eventId} device ${device}`;
  const count = (key: string): number => counts.get(key) ?? 0;

  function add(claim: Claim, change: 1 | -1): void {
    for (const key of [claim.eventId, networkOf(claim), deviceOf(claim)]) {
      const now = count(key) + change;
      if (now === 0) counts.delete(key);
      else counts.set(key, now);
    }
  }

  function hold(claim: Claim): Disposable {
    holders.add(claim);
    add(claim, 1);
    return {
      [Symbol.dispose]() {
        if (!holders.delete(claim)) return;
        add(claim, -1);
        while (admitNext());
      },
    };
  }

  function admitNext(): boolean {
    const free = slots - holders.size;
    for (const [eventId, queue] of queues) {
      const ready = queue.filter(({ claim }) => {
        return count(eventId) < Math.min(claim.most, SHARE_OF_FREE * free) && count(deviceOf(claim)) < perDevice;
      });
      const [first, ...others] = ready;
      if (!first) continue;
      const rank = ({ claim }: Waiter): [number, number] => [count(networkOf(claim)), count(deviceOf(claim))];
      const next = others.reduce((best, waiter) => (isLess(rank(waiter), rank(best)) ? waiter : best), first);
      queue.splice(queue.indexOf(next), 1);
      // Deleted and set again: the event moves to the end.
      queues.delete(eventId);
      if (queue.length > 0) queues.set(eventId, queue);
      next.admit(hold(next.claim));
      return true;
    }
    return false;
  }

  /** Cuts off slow senders of events in which devices wait that have no slot. */
  function cutSlowSenders(): void {
    for (const [eventId, queue] of queues) {
      const devices = new Set(queue.map(({ claim }) => deviceOf(claim)).filter((device) => count(device) === 0));
      const slow = [...holders]
        .filter((claim) => claim.eventId === eventId)
        .flatMap((claim) => {
          const { awaitedMs, bytesPerMs } = claim.sender?.speed() ?? { awaitedMs: 0, bytesPerMs: 0 };
          return awaitedMs < graceMs || bytesPerMs >= SLOW_BYTES_PER_MS ? [] : [{ claim, network: networkOf(claim), bytesPerMs }];
        })
        .toSorted((a, b) => a.bytesPerMs - b.bytesPerMs);
      const left = new Map(slow.map(({ network }) => [network, count(network)]));
      for (let n = 0; n < devices.size && slow.length > 0; n++) {
        const most = Math.max(...slow.map(({ network }) => left.get(network) ?? 0));
        const [slowest] = slow.splice(
          slow.findIndex(({ network }) => left.get(network) === most),
          1,
        );
        if (!slowest) break;
        left.set(slowest.network, most - 1);
        slowest.claim.sender?.hangUp();
      }
    }
  }

  function leave(waiter: Waiter): void {
    const queue = queues.get(waiter.claim.eventId) ?? [];
    const left = queue.filter((other) => other !== waiter);
    if (left.length > 0) queues.set(waiter.claim.eventId, left);
    else queues.delete(waiter.claim.eventId);
  }

  const waiting = (): number => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0);

  function check(): void {
    if (waiting() > 0) return cutSlowSenders();
    clearInterval(checks);
    checks = undefined;
  }

  return {
    waiting,
    async acquire(claim) {
      claim.gone?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
      const queue = queues.get(claim.eventId) ?? [];
      const waiter = { claim, admit: resolve };
      queue.push(waiter);
      queues.set(claim.eventId, queue);
      claim.gone?.addEventListener('abort', () => {
        leave(waiter);
        reject(claim.gone?.reason);
      });
      if (!admitNext()) checks ??= setInterval(check, CHECK_MS).unref();
      return promise;
    },
  };
}

function isLess([a1, a2]: [number, number], [b1, b2]: [number, number]): boolean {
  return a1 < b1 || (a1 === b1 && a2 < b2);
}
