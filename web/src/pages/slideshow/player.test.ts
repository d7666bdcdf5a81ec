import type { Photo } from '@feierbild/contract/entities.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPlayer } from './player.ts';

/** A picture that is loaded at once. */
class QuickImage {
  onload: (() => void) | null = null;
  set src(_url: string) {
    queueMicrotask(() => this.onload?.());
  }
}
beforeEach(() => {
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
/** Older than all: it is not shown as a new one. */
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
