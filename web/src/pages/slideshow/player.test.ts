import type { Photo } from '@feierbild/contract/entities.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPlayer } from './player.ts';

/** An image that loads at once, except `slow`. */
class QuickImage {
  onload: (() => void) | null = null;
  set src(url: string) {
    if (url !== `/${slow}`) queueMicrotask(() => this.onload?.());
  }
  removeAttribute = (): void => undefined;
}
/** Id of the photo whose picture does not come. */
let slow = '';
beforeEach(() => {
  slow = '';
  vi.useFakeTimers();
  vi.stubGlobal('Image', QuickImage);
  const listening = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('window', { ...listening, innerWidth: 1920, innerHeight: 1080, devicePixelRatio: 1, setTimeout });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const photo = (id: string): Photo =>
  ({ id, created_at: '2026-05-17T20:00:00Z', width: 4, height: 3, preview_url: `/${id}`, device: { name: '' } }) as unknown as Photo;
const there = ['a', 'b', 'c', 'd', 'e', 'f'].map(photo);
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
  slow = 'b';
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
