import { beforeEach, describe, expect, it, vi } from 'vitest';
import { backoffMs, untilAnswered } from './backoff.ts';

describe('the pauses between attempts', () => {
  it('double from the first up to the longest', () => {
    expect([0, 1, 2, 3, 4, 5].map((attempts) => backoffMs(attempts, 3000, 60_000))).toEqual([3000, 6000, 12_000, 24_000, 48_000, 60_000]);
  });

  it('stay the longest however many attempts have failed', () => {
    expect(backoffMs(100_000, 3000, 60_000)).toBe(60_000);
  });
});

describe('a question that has to be answered', () => {
  let told: string[];
  let answers: (string | null)[];
  const ask = async (): Promise<string> => {
    const answer = answers.shift() ?? null;
    if (answer === null) told.push('failed');
    if (answer === null) throw new Error('no signal');
    return answer;
  };
  const begin = (): (() => void) => untilAnswered(ask, (answer) => void told.push(answer));

  beforeEach(() => {
    [told, answers] = [[], []];
    vi.useFakeTimers();
    // Node has neither a window nor a document.
    vi.stubGlobal('window', new EventTarget());
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
    return () => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    };
  });

  it('is asked again after pauses, and no more once it was answered', async () => {
    answers = [null, null, 'a', 'b'];
    begin();
    await vi.advanceTimersByTimeAsync(2000);
    expect(told).toEqual(['failed', 'failed']);
    await vi.advanceTimersByTimeAsync(3999);
    expect(told).toEqual(['failed', 'failed']);
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(told).toEqual(['failed', 'failed', 'a']);
  });

  it('is asked as soon as the network is back, and not at all once nobody waits', async () => {
    answers = [null, 'a', null, 'b'];
    begin();
    await vi.advanceTimersByTimeAsync(0);
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual(['failed', 'a']);
    const end = begin();
    await vi.advanceTimersByTimeAsync(0);
    end();
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(told).toEqual(['failed', 'a', 'failed']);
    answers = ['c'];
    begin()();
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual(['failed', 'a', 'failed']);
  });
});
