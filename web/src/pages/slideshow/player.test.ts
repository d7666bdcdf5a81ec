import type { Photo } from '@feierbild/contract/entities.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPlayer, type Player } from './player.ts';

/** An image that loads or fails at once, except `slow`. */
class QuickImage {
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  set src(url: string) {
    const id = url.slice(1);
    asked.push(id);
    if (slow.has(id)) return;
    const comes = isOnline ? !broken.has(id) : kept.has(id);
    if (comes) kept.add(id);
    queueMicrotask(() => (comes ? this.onload : this.onerror)?.());
  }
  removeAttribute = (): void => undefined;
}
/** Ids of photos whose pictures neither come nor fail. */
const slow = new Set<string>();
/** Whether there is a line, and the ids of photos whose pictures the browser has without one. */
let isOnline = true;
const kept = new Set<string>();
/** Ids of photos whose pictures fail, and of those that were asked for, in order. */
const broken = new Set<string>();
const asked: string[] = [];
beforeEach(() => {
  isOnline = true;
  for (const each of [slow, kept, broken]) each.clear();
  asked.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('Image', QuickImage);
  const listening = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('window', { ...listening, innerWidth: 1920, innerHeight: 1080, devicePixelRatio: 1, setTimeout });
  vi.stubGlobal('document', listening);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const photo = (id: string): Photo =>
  ({ id, created_at: '2026-05-17T20:00:00Z', width: 4, height: 3, preview_url: `/${id}`, device: { name: '' } }) as unknown as Photo;
const there = ['a', 'b', 'c', 'd', 'e', 'f'].map(photo);
const numbered = (count: number): Photo[] => Array.from({ length: count }, (_, n) => photo(`${n}`));
/** Makes photos that were received after all others. */
const fresh = (...ids: string[]): Photo[] => ids.map((id) => ({ ...photo(id), created_at: '2026-05-17T21:00:00Z' }));
const shownBy = (player: Player): string[] => player.current().slide?.pictures.map(({ photo: { id } }) => id) ?? [];
/** A photo older than all others, so that it does not count as new. */
const wished = { ...photo('wish'), created_at: '2026-05-17T19:00:00Z' };

it.each([
  [59_000, true],
  [61_000, false],
])('a chosen photo that the list has after %s ms is shown at once: %s', async (ms, isShown) => {
  const player = createPlayer(there);
  await vi.advanceTimersByTimeAsync(0);
  player.present('wish');
  await vi.advanceTimersByTimeAsync(ms);
  player.refresh([...there, wished]);
  await vi.advanceTimersByTimeAsync(0);
  expect(player.current().slide?.pictures.some(({ photo: { id } }) => id === 'wish')).toBe(isShown);
  player.end();
});

it('a photo that is deleted while it stands on the wall stays until the next one is there, and no slide is empty', async () => {
  const player = createPlayer(there);
  await vi.advanceTimersByTimeAsync(0);
  const drawn: (string | undefined)[] = [];
  player.subscribe(() => drawn.push(player.current().slide?.pictures[0]?.photo.id));
  player.refresh(there.slice(1));
  await vi.advanceTimersByTimeAsync(0);
  expect(new Set(drawn)).toEqual(new Set(['a', 'b']));
  expect(drawn.at(-1)).toBe('b');
  player.end();
});

it('a deleted photo leaves the wall also where the picture of the next one does not come soon', async () => {
  slow.add('b');
  const player = createPlayer(there);
  await vi.advanceTimersByTimeAsync(0);
  player.refresh(there.slice(1));
  await vi.advanceTimersByTimeAsync(900);
  expect(player.current().slide?.pictures[0]?.photo.id).toBe('a');
  // Further news do not prolong its stay.
  player.refresh(there.slice(1, -1));
  await vi.advanceTimersByTimeAsync(200);
  expect(player.current().slide).toBeNull();
  player.end();
});

describe('a new photo whose picture fails', () => {
  it('keeps its turn while the line is gone, also where the browser still has the others’ pictures', async () => {
    const player = createPlayer(there);
    await vi.advanceTimersByTimeAsync(0);
    isOnline = false;
    player.refresh([...there, ...fresh('x')]);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(shownBy(player)).not.toContain('x');
    isOnline = true;
    const drawn: string[][] = [];
    player.subscribe(() => player.current().slide?.fresh && drawn.push(shownBy(player)));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(drawn).toEqual([['x']]);
    player.end();
  });

  it('loses it where others’ pictures come meanwhile', async () => {
    const many = numbered(60);
    broken.add('x');
    const player = createPlayer(many);
    await vi.advanceTimersByTimeAsync(0);
    player.refresh([...many, ...fresh('x')]);
    await vi.advanceTimersByTimeAsync(100_000);
    const tries = asked.filter((id) => id === 'x').length;
    expect(tries).toBeGreaterThanOrEqual(3);
    await vi.advanceTimersByTimeAsync(200_000);
    expect(asked.filter((id) => id === 'x')).toHaveLength(tries);
    player.end();
  });

  it('holds up no other one, however many fail', async () => {
    const player = createPlayer(there);
    await vi.advanceTimersByTimeAsync(0);
    const failing = Array.from({ length: 30 }, (_, n) => `x${n}`);
    for (const id of failing) broken.add(id);
    player.refresh([...there, ...fresh(...failing)]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(new Set(failing.map((id) => asked.includes(id)))).toEqual(new Set([true]));
    player.refresh([...there, ...fresh(...failing, 'y')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(shownBy(player)).toEqual(['y']);
    player.end();
  });
});

it('a new photo’s picture that comes slowly is not given up for those of collages', async () => {
  const many = numbered(100);
  const late = Array.from({ length: 10 }, (_, n) => `x${n}`);
  for (const id of late) slow.add(id);
  const player = createPlayer(many, { layout: 'collage', seed: 'x' });
  await vi.advanceTimersByTimeAsync(0);
  player.refresh([...many, ...fresh(...late)]);
  await vi.advanceTimersByTimeAsync(25_000);
  expect(shownBy(player).length).toBeGreaterThan(2);
  expect(asked.filter((id) => late.includes(id))).toEqual(late);
  player.end();
});

it('a photo that a round of favourites has left out is not new after it', async () => {
  const player = createPlayer(there.slice(0, 2), {}, there);
  await vi.advanceTimersByTimeAsync(0);
  const drawn: unknown[] = [];
  player.subscribe(() => player.current().slide?.fresh && drawn.push(shownBy(player)));
  player.refresh(there);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(drawn).toEqual([]);
  player.end();
});

describe('a wall without a line', () => {
  const HOUR_MS = 3_600_000;
  /** Plays 600 photos, and after 200 s for an hour without a line; returns what was drawn before, meanwhile and afterwards. */
  async function evening(cutOff: () => void): Promise<{ drawn: Record<'before' | 'meanwhile' | 'after', string[]>; player: Player }> {
    const player = createPlayer(numbered(600));
    const drawn = { before: [] as string[], meanwhile: [] as string[], after: [] as string[] };
    let now: keyof typeof drawn = 'before';
    let slide: unknown = null;
    const note = (): void => {
      const { id } = player.current().slide ?? {};
      if (id !== slide) drawn[now].push(...shownBy(player));
      slide = id;
    };
    player.subscribe(note);
    await vi.advanceTimersByTimeAsync(200_000);
    now = 'meanwhile';
    cutOff();
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    now = 'after';
    isOnline = true;
    slow.clear();
    await vi.advanceTimersByTimeAsync(400_000);
    player.end();
    return { drawn, player };
  }
  const refused = (): void => {
    isOnline = false;
    // Only what is in memory is there.
    kept.clear();
  };
  const unanswered = (): void => {
    for (let n = 0; n < 600; n++) slow.add(`${n}`);
  };

  it.each([
    ['where nothing can be asked', refused, 300],
    ['where nothing is answered', unanswered, 150],
  ])('shows again what it has, %s; then the order goes on where it was', async (_, cutOff, least) => {
    const { drawn } = await evening(cutOff);
    expect(drawn.meanwhile.length).toBeGreaterThan(least);
    expect(new Set(drawn.meanwhile).size).toBeGreaterThan(10);
    drawn.meanwhile.forEach((id, n) => expect(id).not.toBe(drawn.meanwhile[n - 1]));
    const firsts = [...new Set([...drawn.before, ...drawn.meanwhile, ...drawn.after])];
    expect(firsts).toEqual(firsts.map((_, n) => `${n}`));
    expect(firsts.length).toBeGreaterThan(40);
    // What is in the order comes once.
    expect(new Set(drawn.after.slice(1)).size).toBe(drawn.after.length - 1);
  });

  it('gets past more broken pictures than it takes for the lack of a line', async () => {
    for (let n = 30; n < 180; n++) broken.add(`${n}`);
    const player = createPlayer(numbered(600));
    const drawn = new Set<string>();
    player.subscribe(() => shownBy(player).forEach((id) => drawn.add(id)));
    await vi.advanceTimersByTimeAsync(4 * HOUR_MS);
    expect(drawn.has('180')).toBe(true);
    expect(drawn.has('181')).toBe(true);
    player.end();
  });

  it('shows the photo that the host chooses as the line comes back', async () => {
    const player = createPlayer(numbered(600));
    await vi.advanceTimersByTimeAsync(0);
    refused();
    await vi.advanceTimersByTimeAsync(100_000);
    isOnline = true;
    player.present('500');
    await vi.advanceTimersByTimeAsync(0);
    expect(shownBy(player)).toEqual(['500']);
    player.end();
  });

  it('goes on as soon as it reads another list, also where none of the photos shown before is left', async () => {
    const player = createPlayer(numbered(600));
    await vi.advanceTimersByTimeAsync(0);
    refused();
    await vi.advanceTimersByTimeAsync(100_000);
    player.refresh([wished]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shownBy(player)).toEqual([]);
    isOnline = true;
    player.refresh([wished, { ...wished, id: 'other' }]);
    await vi.advanceTimersByTimeAsync(0);
    expect(shownBy(player)).toHaveLength(1);
    player.end();
  });

  it('asks after ever longer pauses, and once where nothing was shown before', async () => {
    isOnline = false;
    const player = createPlayer(numbered(600));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(asked).toHaveLength(100);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(101);
    isOnline = true;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(shownBy(player)).toEqual(['0']);
    player.end();
  });
});
