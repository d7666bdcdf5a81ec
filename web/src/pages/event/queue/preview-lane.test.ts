import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPreviewLane } from './preview-lane.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PICTURE = new Blob(['drawn']);
const { signal } = new AbortController();
const newRun = () => ({ tried: new Set<string>(), idleMs: 0, heldMs: 0 });

/** Makes a lane that takes 100 ms for each preview, and the list of the sent ones. */
function play(outcome: (id: string) => boolean = () => true) {
  const sent: string[] = [];
  let inFlight = 0;
  const seen = { most: 0, left: 0 };
  const lane = createPreviewLane(
    async (id) => {
      seen.most = Math.max(seen.most, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 100));
      inFlight--;
      sent.push(id);
      return outcome(id);
    },
    () => seen.left++,
  );
  return { lane, sent, seen };
}

describe('the lane of previews', () => {
  it('sends what is drawn in its order, two at a time, and each once', async () => {
    const { lane, sent, seen } = play();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) lane.expect(id);
    for (const id of [...ids].reverse()) lane.drawn(id, PICTURE);
    const run = newRun();
    const done = Promise.all([lane.clear(() => ids, run, signal), lane.clear(() => ids, run, signal)]);
    await vi.advanceTimersByTimeAsync(300);
    await done;
    expect(sent).toEqual(ids);
    expect(seen.most).toBe(2);
  });

  it('waits for a drawing, and for all of a run five seconds at most', async () => {
    const { lane, sent } = play();
    for (const id of ['slow', 'never']) lane.expect(id);
    const run = newRun();
    let isOver = false;
    const done = lane.clear(() => ['slow', 'never'], run, signal).then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(2000);
    expect(isOver).toBe(false);
    lane.drawn('slow', PICTURE);
    await vi.advanceTimersByTimeAsync(3100);
    expect([sent, isOver]).toEqual([['slow'], true]);
    await done;
    // Later photos go without a preview.
    lane.drawn('never', null);
    lane.expect('later');
    await lane.clear(() => ['later'], run, signal);
    expect(sent).toEqual(['slow']);
  });

  it('waits no more for what is not to be drawn', async () => {
    const { lane, sent } = play();
    lane.expect('bad');
    const done = lane.clear(() => ['bad', 'unknown'], newRun(), signal);
    lane.drawn('bad', null);
    await done;
    expect(sent).toEqual([]);
  });

  it('tries none twice in a run, and again in the next where that is of use', async () => {
    const { lane, sent } = play((id) => id === 'refused');
    for (const id of ['refused', 'unreached']) {
      lane.expect(id);
      lane.drawn(id, PICTURE);
    }
    const clear = async (run: ReturnType<typeof newRun>) => {
      const done = lane.clear(() => ['refused', 'unreached'], run, signal);
      await vi.advanceTimersByTimeAsync(200);
      await done;
    };
    const run = newRun();
    await clear(run);
    await clear(run);
    expect(sent).toEqual(['refused', 'unreached']);
    await clear(newRun());
    expect(sent).toEqual(['refused', 'unreached', 'unreached']);
  });

  it('has twelve drawn ahead of the line, tells when there is one less, and keeps none of other items', async () => {
    const { lane, sent, seen } = play();
    const ids = Array.from({ length: 13 }, (_, n) => String(n));
    for (const id of ids) lane.expect(id);
    for (const id of ids.slice(0, 11)) lane.drawn(id, PICTURE);
    expect(lane.isFull()).toBe(false);
    lane.drawn('11', PICTURE);
    expect(lane.isFull()).toBe(true);
    lane.keep(new Set(['7', '12']));
    expect(seen.left).toBe(11);
    expect(lane.isFull()).toBe(false);
    lane.drawn('12', null);
    expect(seen.left).toBe(12);
    const done = lane.clear(() => ids, newRun(), signal);
    await vi.advanceTimersByTimeAsync(200);
    await done;
    expect(sent).toEqual(['7']);
    expect(seen.left).toBe(13);
  });

  it('ends with its run', async () => {
    const { lane } = play();
    lane.expect('slow');
    const ending = new AbortController();
    const done = lane.clear(() => ['slow'], newRun(), ending.signal);
    ending.abort();
    await done;
  });
});
