import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createLeader } from './leader.ts';

/** Makes a page whose `story` lists its events in order. */
function page(name: string, slowly?: Promise<void>) {
  const story: string[] = [];
  let reign: AbortSignal | null = null;
  const leader = createLeader(name, {
    async gained(signal) {
      reign = signal;
      story.push('gained');
      await slowly;
      story.push(signal.aborted ? 'too late' : 'leads');
    },
    async lost() {
      story.push('lost');
    },
    heard: () => undefined,
  });
  return { leader, story, reigns: () => reign !== null && !reign.aborted };
}

describe('the page that leads', () => {
  beforeAll(() => {
    // Node has locks and channels, but neither a window nor a document.
    vi.stubGlobal('window', globalThis);
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
    return () => vi.unstubAllGlobals();
  });

  it('is one, also where its lock is stolen while it still finds out what was kept', async () => {
    let found = (): void => undefined;
    const first = page('slow', new Promise((resolve) => (found = resolve)));
    await expect.poll(() => first.story).toEqual(['gained']);
    const second = page('slow');
    // A frozen page does not answer.
    await second.leader.take();
    expect([first.reigns(), second.reigns()]).toEqual([false, true]);
    found();
    await expect.poll(() => first.story).toEqual(['gained', 'lost', 'too late']);
    expect([first.reigns(), second.reigns()]).toEqual([false, true]);
    // The first one has waited for its turn again since.
    second.leader.close();
    await expect.poll(() => first.story).toEqual(['gained', 'lost', 'too late', 'gained', 'leads']);
    expect(first.reigns()).toBe(true);
    first.leader.close();
  });

  it('is none that was left before it had the lock', async () => {
    const first = page('left');
    await expect.poll(() => first.story).toEqual(['gained', 'leads']);
    const gone = page('left');
    gone.leader.close();
    const next = page('left');
    first.leader.close();
    await expect.poll(() => next.story).toEqual(['gained', 'leads']);
    expect(gone.story).toEqual([]);
    next.leader.close();
  });
});
