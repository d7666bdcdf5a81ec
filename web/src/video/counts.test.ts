import { expect, it } from 'vitest';
import { photosAndVideos } from './counts.ts';

it.each([
  [0, 0, '0 Fotos'],
  [1, 0, '1 Foto'],
  [1200, 1, '1.200 Fotos und 1 Video'],
  [0, 2, '2 Videos'],
])('%i photos and %i videos are called %s', (photos, videos, text) => {
  expect(photosAndVideos({ photos, videos })).toBe(text);
});
