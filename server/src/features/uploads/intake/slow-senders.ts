import type { Sender } from './sender.ts';

/** A sender below 8 KB/s may lose its slot to a waiting device. */
const SLOW_BYTES_PER_MS = 8;

/** An upload that has a slot, or waits for one. */
export interface Claim {
  event: string;
  network: string;
  deviceId: string;
  /** May be cut off where it is slow and other devices wait. Null: it may not. */
  sender: Pick<Sender, 'speed' | 'hangUp'> | null;
}

const networkOf = ({ event, network }: Claim): string => `${event} ${network}`;
const deviceOf = ({ event, deviceId }: Claim): string => `${event} ${deviceId}`;

/**
 * Whose slots are to go to others: of each event as many slow senders as devices wait in it that have no slot at all, the slowest of the
 * network with the most slots first. Who was awaited for less than `graceMs` stays.
 */
export function chooseSlow(holding: ReadonlySet<Claim>, waiting: ReadonlySet<Claim>, graceMs: number): Claim[] {
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
