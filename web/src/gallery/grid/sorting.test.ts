import { describe, expect, it } from 'vitest';
import { createSorting, guestsOf, ONLY, sortPhotos, takenTime, uploadTime } from './sorting.ts';
import { layoutGallery } from './masonry.ts';

const photo = (id: string, created_at: string, taken_at: string | null = null, name = 'Anna') => ({
  id,
  created_at,
  taken_at,
  device: { name },
  width: 4,
  height: 3,
});
const PHOTOS = [
  photo('a', '2026-05-17T20:00:00.000Z', '2026-05-17T21:30:00'),
  photo('b', '2026-05-17T20:05:00.000Z', null, 'Bärbel'),
  photo('c', '2026-05-17T22:30:00.000Z', '2026-05-16T12:00:00', 'Bärbel'),
];
const ids = (photos: readonly { id: string }[]): string => photos.map(({ id }) => id).join('');

describe('the order of the gallery', () => {
  it('keeps or reverses the order, or sorts by camera time and else by upload', () => {
    expect(ids(sortPhotos(PHOTOS, 'oldest', ''))).toBe('abc');
    expect(ids(sortPhotos(PHOTOS, 'newest', ''))).toBe('cba');
    expect(ids(sortPhotos(PHOTOS, 'taken', ''))).toBe('cab');
    expect(ids(PHOTOS)).toBe('abc');
  });

  it('has the hour that autumn has twice one after the other, by when photos were sent', () => {
    const night = [
      photo('a', '2026-10-25T00:10:00.000Z', '2026-10-25T02:10:00'),
      photo('b', '2026-10-25T00:50:00.000Z', '2026-10-25T02:49:00'),
      photo('c', '2026-10-25T01:05:00.000Z'),
      photo('d', '2026-10-25T01:21:00.000Z', '2026-10-25T02:20:00'),
      // Taken in the first of the two hours, and sent late.
      photo('e', '2026-10-25T01:30:00.000Z', '2026-10-25T02:55:00'),
      photo('f', '2026-10-25T02:01:00.000Z', '2026-10-25T03:00:00'),
    ];
    expect(ids(sortPhotos(night, 'taken', ''))).toBe('abecdf');
    // Any other night has this hour once.
    const usual = night.map((one) => ({
      ...one,
      created_at: '2026-10-24T12:00:00.000Z',
      taken_at: one.taken_at?.replace('25T', '18T') ?? null,
    }));
    expect(ids(sortPhotos(usual, 'taken', ''))).toBe('adbefc');
  });

  it('shows one guest only', () => {
    expect(ids(sortPhotos(PHOTOS, 'newest', 'Bärbel'))).toBe('cb');
  });

  it('shows the own ones, those with a heart, or one day by Berlin’s clock, whatever guests are called', () => {
    const photos = [
      { ...photo('a', '2026-05-17T20:00:00.000Z'), own: true as const },
      { ...photo('b', '2026-05-17T22:30:00.000Z'), heart: true as const },
      { ...photo('c', '2026-05-17T20:30:00.000Z'), hearts: 2 },
    ];
    expect(ids(sortPhotos(photos, 'oldest', ONLY.own))).toBe('a');
    expect(ids(sortPhotos(photos, 'oldest', ONLY.hearts))).toBe('bc');
    expect(ids(sortPhotos(photos, 'oldest', ONLY.day('2026-05-18')))).toBe('b');
    expect(ids(sortPhotos(photos, 'oldest', 'own'))).toBe('');
  });

  it('keeps what lost its heart in its place until others are asked for', () => {
    const sorted = createSorting<(typeof PHOTOS)[number] & { heart?: true; hearts?: number }>();
    const of = (hearts: string, asked: string): string => {
      const photos = PHOTOS.map((one) => ({ ...one, ...(hearts.includes(one.id) && { heart: true as const }) }));
      const { shown, filter } = sorted(photos, 'newest', asked);
      return `${filter === asked ? '' : 'all: '}${ids(shown)}`;
    };
    expect([of('ab', ''), of('ab', ONLY.hearts), of('b', ONLY.hearts), of('bc', ONLY.hearts)]).toEqual(['cba', 'ba', 'ba', 'cba']);
    // Even the last photo stays.
    expect([of('', ONLY.hearts), of('', ''), of('b', ONLY.hearts), of('', ONLY.hearts)]).toEqual(['cba', 'cba', 'b', 'b']);
    expect([of('', 'Bärbel'), of('', ONLY.hearts), of('', 'Niemand')]).toEqual(['cb', 'all: cba', 'all: cba']);
    // Deleted photos disappear.
    expect(ids(sorted(PHOTOS, 'oldest', 'Bärbel').shown)).toBe('bc');
    expect(sorted(PHOTOS.slice(0, 2), 'oldest', 'Bärbel').shown).toEqual([PHOTOS[1]]);
    expect(sorted(PHOTOS.slice(0, 1), 'oldest', 'Bärbel')).toEqual({ shown: PHOTOS.slice(0, 1), filter: '' });
  });

  it('keeps the order of the uploads where the camera says the same time', () => {
    const burst = ['x', 'y', 'z'].map((id) => photo(id, '2026-05-17T20:00:00Z', '2026-05-17T21:30:00'));
    expect(ids(sortPhotos(burst, 'taken', ''))).toBe('xyz');
  });

  it("writes an upload as Berlin's clock showed it, in summer, in winter and when the clock goes back", () => {
    expect(uploadTime({ created_at: '2026-05-17T22:01:02.345Z' })).toBe('2026-05-18T00:01:02');
    expect(uploadTime({ created_at: '2026-12-31T23:59:59Z' })).toBe('2027-01-01T00:59:59');
    expect(uploadTime({ created_at: '2026-10-25T00:59:00Z' })).toBe('2026-10-25T02:59:00');
    expect(uploadTime({ created_at: '2026-10-25T01:00:00Z' })).toBe('2026-10-25T02:00:00');
  });

  it('groups by the time that it sorts by', () => {
    const days = (order: 'oldest' | 'taken') =>
      layoutGallery(sortPhotos(PHOTOS, order, ''), 3, 900, order === 'taken' ? takenTime : uploadTime).days.map(
        ({ day, photos }) => `${day} ${photos}`,
      );
    expect(days('oldest')).toEqual(['2026-05-17 2', '2026-05-18 1']);
    expect(days('taken')).toEqual(['2026-05-16 1', '2026-05-17 2']);
  });

  it('counts the guests, in German order', () => {
    const named = ['Zoe', 'Özlem', 'Gast 10', 'Gast 2', 'Zoe'].map((name, n) => photo(String(n), '2026-05-17T20:00:00Z', null, name));
    expect([...guestsOf(named)]).toEqual([
      ['Gast 2', 1],
      ['Gast 10', 1],
      ['Özlem', 1],
      ['Zoe', 2],
    ]);
  });
});
