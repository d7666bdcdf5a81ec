import { expect, it } from 'vitest';
import { hasGalleryKeys, isGalleryOpen, isGalleryWaiting, isWallWaiting, type GalleryMode } from './gallery.ts';

const NOW = 1000;

it.each<[GalleryMode, number | null, number | null, { open: boolean; waiting: boolean; keys: boolean }]>([
  ['drop', null, null, { open: false, waiting: false, keys: false }],
  ['drop', NOW - 1, NOW - 1, { open: false, waiting: false, keys: false }],
  ['open', null, null, { open: true, waiting: false, keys: true }],
  ['reveal', null, null, { open: false, waiting: true, keys: false }],
  ['reveal', NOW + 1, null, { open: false, waiting: true, keys: true }],
  ['reveal', NOW, null, { open: false, waiting: true, keys: true }],
  ['reveal', NOW, NOW, { open: true, waiting: false, keys: true }],
  ['reveal', NOW + 1, NOW + 1, { open: false, waiting: true, keys: true }],
  ['reveal', NOW + 1, NOW, { open: true, waiting: false, keys: true }],
  ['reveal', null, NOW, { open: true, waiting: false, keys: true }],
])('%s, due at %s, revealed at %s', (gallery_mode, gallery_opens_at, gallery_revealed_at, { open, waiting, keys }) => {
  const times = { gallery_mode, gallery_opens_at, gallery_revealed_at };
  expect([isGalleryOpen(times, NOW), isGalleryWaiting(times, NOW), hasGalleryKeys(times)]).toEqual([open, waiting, keys]);
  // If the host says so, walls wait, too.
  expect([0, 1].map((meanwhile) => isWallWaiting({ ...times, gallery_wall_meanwhile: meanwhile }, NOW))).toEqual([waiting, false]);
});
