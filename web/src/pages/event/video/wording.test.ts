import { expect, it } from 'vitest';
import { summariseFailures } from '../failures.ts';
import { createItem, type Item } from '../selection.ts';
import type { Failure } from '../upload-run.ts';
import * as wording from './wording.ts';

const items = (photos: number, videos: number): Item[] =>
  Array.from({ length: photos + videos }, (_, n) =>
    createItem(new File([], 'a', { type: n < photos ? 'image/jpeg' : 'video/mp4' }), String(n)),
  );

it.each([
  [1, 0, '1 Foto ist angekommen.'],
  [1200, 0, '1.200 Fotos sind angekommen.'],
  [0, 1, '1 Video ist angekommen.'],
  [0, 2, '2 Videos sind angekommen.'],
  [1, 1, '1 Foto und 1 Video sind angekommen.'],
  [3, 1, '3 Fotos und 1 Video sind angekommen.'],
])('says of %i photos and %i videos: %s', (photos, videos, text) => {
  expect(wording.counted(items(photos, videos), '1 Foto ist angekommen.', '# Fotos sind angekommen.')).toBe(text);
});

it('names photos and videos in what failed, and says which videos are taken', () => {
  const failed = (item: Item, code: Failure['code']): Item => ({ ...item, state: 'refused', failure: { code, message: '' } });
  const full = items(2, 1).map((item) => failed(item, 'storage_full'));
  const unreadable = items(0, 2).map((item) => failed(item, 'video_unreadable'));
  expect(
    summariseFailures([...full, ...unreadable], false, { ...wording, OwnVideo: () => null, Posters: () => null, VideoLength: () => null }),
  ).toMatchObject([
    { text: '2 Videos wurden nicht angenommen.', advice: 'Möglich sind MP4, MOV und WebM, wie Handys sie aufnehmen.' },
    { text: 'Der Speicherplatz dieses Events ist voll: 2 Fotos und 1 Video fehlen.' },
  ]);
});
