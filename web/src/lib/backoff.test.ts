import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

describe('the pauses between attempts', () => {
  it('double from the first up to the longest', () => {
    expect([0, 1, 2, 3, 4, 5].map((attempts) => backoffMs(attempts, 3000, 60_000))).toEqual([3000, 6000, 12_000, 24_000, 48_000, 60_000]);
  });

  it('stay the longest however many attempts have failed', () => {
    expect(backoffMs(100_000, 3000, 60_000)).toBe(60_000);
  });
});
