import type { Photo } from '@feierbild/contract/entities.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLargePictures } from './large.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', { innerWidth: 3840, innerHeight: 2160, devicePixelRatio: 1 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('shows a large picture of which the browser never says that it is decoded, and goes on to the next one', async () => {
  const photos = ['a', 'b'].map((id) => ({ id, width: 4032, height: 3024, state: 'stored' }) as unknown as Photo);
  const image = { decode: () => new Promise<void>(() => undefined) } as unknown as HTMLImageElement;
  const large = createLargePictures({ load: async () => image, drop: () => undefined }, () => undefined);
  large.want(photos);
  large.turn(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(photos.map((photo) => large.of(photo))).toEqual(['/api/photos/a/large', '/api/photos/b/large']);
});
