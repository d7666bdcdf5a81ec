import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepWall } from './photos.ts';

/** Stubs a server; the returned functions answer its requests, in their order. */
function server() {
  const answers: ((version: number) => void)[] = [];
  vi.stubGlobal(
    'fetch',
    () => new Promise<Response>((resolve) => answers.push((version) => resolve(new Response(JSON.stringify({ version, steps: version }))))),
  );
  return answers;
}

describe("the host's choice for a wall", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('is followed after a backup was restored, which counts from an earlier number', async () => {
    vi.useFakeTimers();
    const answers = server();
    const kept = keepWall('abc');
    answers[0]?.(9);
    await vi.waitFor(() => expect(kept.current().wall?.version).toBe(9));
    kept.reload();
    answers[1]?.(4);
    await vi.waitFor(() => expect(kept.current().wall?.version).toBe(4));
  });

  it('is the newer one of two answers that came in another order', async () => {
    vi.useFakeTimers();
    const answers = server();
    const kept = keepWall('abc');
    kept.reload();
    answers[1]?.(5);
    await vi.waitFor(() => expect(kept.current().wall?.version).toBe(5));
    answers[0]?.(4);
    await vi.advanceTimersByTimeAsync(10);
    expect(kept.current().wall?.version).toBe(5);
  });
});
