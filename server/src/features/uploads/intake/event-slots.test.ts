import { expect, it } from 'vitest';
import { createEventSlots } from './event-slots.ts';

it('gives a free slot to the network that has the fewest, then to the device that has the fewest', async () => {
  const slots = createEventSlots(6, { perDevice: 2, graceMs: 1000 });
  const admitted: string[] = [];
  const acquire = async (network: string, device: string): Promise<Disposable> => {
    const slot = await slots.acquire({ eventId: 'e', most: Infinity, network, device, sender: null });
    admitted.push(`${network} ${device}`);
    return slot;
  };
  const held = [acquire('a', '1'), acquire('a', '1'), acquire('a', '2'), acquire('a', '3')];
  await Promise.all(held);
  const waiting = [acquire('a', '2'), acquire('a', '4'), acquire('b', '5'), acquire('a', '1')];
  expect(slots.waiting()).toBe(4);
  for (const slot of held) (await slot)[Symbol.dispose]();
  await Promise.all(waiting);
  expect(admitted.slice(4)).toEqual(['b 5', 'a 4', 'a 2', 'a 1']);
});

it('forgets waiters whose client has left', async () => {
  const slots = createEventSlots(2, { perDevice: 1, graceMs: 1000 });
  const gone = new AbortController();
  const acquire = (device: string) => slots.acquire({ eventId: 'e', most: 1, network: 'a', device, sender: null, gone: gone.signal });
  const held = await acquire('1');
  const waiting = acquire('2');
  expect(slots.waiting()).toBe(1);
  gone.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  expect(slots.waiting()).toBe(0);
  held[Symbol.dispose]();
});
