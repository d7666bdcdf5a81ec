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
