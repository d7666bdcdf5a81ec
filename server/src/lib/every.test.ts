import { expect, it } from 'vitest';
import { every } from './every.ts';

/** Makes a loop whose runs the test answers one by one. */
function loop(ms: number, first = 0) {
  const lines: string[] = [];
  const ending = new AbortController();
  const runs: PromiseWithResolvers<number | void>[] = [];
  const work = (): Promise<number | void> => {
    const run = Promise.withResolvers<number | void>();
    runs.push(run);
    return run.promise;
  };
  const log = { error: (_: object, line: string) => void lines.push(line) } as never;
  return { lines, ending, runs, loop: every(ms, { log, ending: ending.signal, failed: 'it failed', first }, work) };
}

it('runs after each pause, and says of failures in a row the first', async () => {
  const { runs, lines, ending } = loop(1);
  for (const [n, outcome] of ['fail', 'fail', 'done', 'fail'].entries()) {
    await expect.poll(() => runs.length).toBeGreaterThan(n);
    if (outcome === 'fail') runs[n]?.reject(new Error('away'));
    else runs[n]?.resolve();
  }
  await expect.poll(() => runs.length).toBeGreaterThan(4);
  expect(lines).toEqual(['it failed', 'it failed']);
  ending.abort();
  runs[4]?.reject(new Error('away'));
});

it('runs once more after the run under way where it was asked for meanwhile, however long the pause', async () => {
  const { runs, ending, loop: asked } = loop(3_600_000);
  asked.soon();
  asked.soon(60_000);
  expect(runs).toHaveLength(1);
  runs[0]?.resolve(3_600_000);
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve(1);
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.resolve(Infinity);
  ending.abort();
  await asked.ended();
  asked.soon();
  expect(runs).toHaveLength(3);
});

it('waits for its first run, and ends with the run that is under way', async () => {
  const { runs, ending, loop: later } = loop(1, 1);
  expect(runs).toHaveLength(0);
  await expect.poll(() => runs.length).toBe(1);
  ending.abort();
  const ended = later.ended();
  runs[0]?.resolve();
  await ended;
  expect(runs).toHaveLength(1);
});
