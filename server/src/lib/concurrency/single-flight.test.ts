import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSingleFlight } from './single-flight.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let runs: number;
beforeEach(() => void (runs = 0));
const count = () => Promise.resolve(++runs);

describe('a single flight', () => {
  it('serves all who ask for a key while it runs, and the next by a new run', async () => {
    const flight = createSingleFlight<number>();
    expect(await Promise.all([flight.run('a', count), flight.run('a', count), flight.run('b', count)])).toEqual([1, 1, 2]);
    expect(await flight.run('a', count)).toBe(3);
  });

  it('keeps successes and failures for the given time', async () => {
    const flight = createSingleFlight<number>({ successMs: 1000, failureMs: 100 });
    const fail = () => Promise.reject(new Error(`broken ${++runs}`));
    await expect(flight.run('a', fail)).rejects.toThrow('broken 1');
    await expect(flight.run('a', fail)).rejects.toThrow('broken 1');
    await vi.advanceTimersByTimeAsync(100);
    expect(await flight.run('a', count)).toBe(2);
    await vi.advanceTimersByTimeAsync(999);
    expect(await flight.run('a', count)).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await flight.run('a', count)).toBe(3);
  });

  it('forgets a run on request, and not the one that came after it', async () => {
    const flight = createSingleFlight<number>();
    const slow = Promise.withResolvers<number>();
    const first = flight.run('a', () => slow.promise);
    flight.forget('a');
    const late = Promise.withResolvers<number>();
    const second = flight.run('a', () => late.promise);
    slow.resolve(1);
    expect(await first).toBe(1);
    expect(flight.run('a', count)).toBe(second);
    late.resolve(2);
    await flight.settled();
    expect(await flight.run('a', count)).toBe(1);
  });
});
