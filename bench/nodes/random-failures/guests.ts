import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import { createDelivery, type Guest, type Way } from './deliver.ts';
import type { ClientContext } from './clients.ts';

const WAYS: readonly Way[] = ['form', 'form', 'tus', 'plain', 'preview', 'preview'];
const DUPLICATES = 0.12;
const TOGETHER = 0.08;
const PAUSE_MOST_MS = 1200;

/** Makes a unique photo: decoders pass over the bytes behind the picture. Most are small, some go in parts. */
export function drawBytes(base: Buffer, random: Random): Buffer {
  const share = random.between(1, 100);
  const tail =
    share <= 70 ? random.between(100, 100_000) : share <= 98 ? random.between(200_000, 1_200_000) : random.between(8_500_000, 10_500_000);
  return Buffer.concat([base, randomBytes(tail)]);
}

/** Sends photos until the end, some of them twice, one after the other or at once. */
export async function runGuest(context: ClientContext, guest: Guest, random: Random): Promise<void> {
  const { ledger, findings, working, base } = context;
  const { deliver, remove } = createDelivery({ ...context, random });
  const own: ReturnType<typeof ledger.offer>[] = [];
  while (working()) {
    const bytes = drawBytes(base, random);
    const sent = ledger.offer(guest.party.id, bytes);
    const times = random.chance(TOGETHER) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: times }, () => deliver(guest, sent, bytes, random.pick(WAYS), times)));
    if (answers.includes('full')) {
      // The guest deletes some own photos to make room.
      for (const old of own.splice(0, 3)) if (old.deletion === 'none') await remove(guest, old);
    }
    if (sent.id !== null) {
      if (random.chance(DUPLICATES)) {
        const again = await deliver(guest, sent, bytes, random.pick(WAYS));
        if (again !== sent.id && again !== 'full') findings.add(`a repeat of ${sent.id} was answered ${again}`);
      }
      own.push(sent);
      sent.settled = true;
    }
    await pause(random.between(0, PAUSE_MOST_MS));
  }
}
