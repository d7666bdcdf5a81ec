import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsFor, createLayouts, layoutGallery, legible, movedBy, neighbour, scaleLabelsOf, withinView } from './masonry.ts';

const photo = fc.record({
  id: fc.uuid(),
  width: fc.integer({ min: 1, max: 9000 }),
  height: fc.integer({ min: 1, max: 9000 }),
  created_at: fc.constantFrom('2026-05-17T10:00:00Z', '2026-05-17T22:30:00Z', '2026-05-19T10:00:00Z'),
});

describe('the masonry', () => {
  it('has 5, 3, 2 or 1 columns by the width of the window', () => {
    expect([1201, 1200, 769, 768, 577, 576, 320].map(columnsFor)).toEqual([5, 3, 3, 2, 2, 1, 1]);
  });

  it('starts a new day where the day in Berlin changes', () => {
    const at = (created_at: string) => ({ id: created_at, width: 4, height: 3, created_at });
    const { days } = layoutGallery([at('2026-05-17T21:59:00Z'), at('2026-05-17T22:01:00Z')], 3, 900);
    expect(days.map(({ day }) => day)).toEqual(['2026-05-17', '2026-05-18']);
  });

  it('returns how far the first photo that is still there has moved', () => {
    const all = ['a', 'b', 'c', 'd'].map((id) => ({ id, width: 1, height: 1, created_at: '2026-05-17T10:00:00Z' }));
    const { photos } = layoutGallery(all, 1, 90);
    expect(movedBy(photos.slice(2), layoutGallery(all.slice(1), 1, 90).photos)).toBe(-100);
    expect(movedBy(photos.slice(1, 3), layoutGallery([...all.slice(2), ...all.slice(0, 1)], 1, 90).photos)).toBe(-200);
    expect(movedBy(photos.slice(0, 2), photos)).toBe(0);
    expect(movedBy(photos.slice(0, 1), layoutGallery(all.slice(1), 1, 90).photos)).toBe(0);
  });

  it('lets no two photos overlap and keeps all within the width', () => {
    fc.assert(
      fc.property(fc.array(photo, { maxLength: 60 }), fc.constantFrom(1, 2, 3, 5), (photos, columns) => {
        const sorted = photos.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
        const { photos: placed, height } = layoutGallery(sorted, columns, 1000);
        for (const [i, a] of placed.entries()) {
          expect(a.left).toBeGreaterThanOrEqual(0);
          expect(a.left + a.width).toBeLessThanOrEqual(1000.001);
          expect(a.top + a.height).toBeLessThanOrEqual(height);
          for (const b of placed.slice(i + 1)) {
            const apart =
              a.left + a.width <= b.left || b.left + b.width <= a.left || a.top + a.height <= b.top || b.top + b.height <= a.top;
            expect(apart).toBe(true);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('moves nothing when photos come at the end', () => {
    fc.assert(
      fc.property(fc.array(photo, { minLength: 2, maxLength: 40 }), (photos) => {
        const sorted = photos.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
        const all = layoutGallery(sorted, 3, 900).photos;
        const before = layoutGallery(sorted.slice(0, -1), 3, 900).photos;
        expect(all.slice(0, -1)).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  it('continues a layout to what it would have become at once, also where photos went or came before its end', () => {
    const time = ({ created_at }: { created_at: string }): string => created_at;
    const days = ['2026-05-17T10:00:00Z', '2026-05-18T10:00:00Z', '2026-05-19T10:00:00Z'];
    const lists = fc.array(fc.tuple(fc.subarray(Array.from({ length: 30 }, (_, n) => n)), fc.constantFrom(600, 900)), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(photo, { minLength: 30, maxLength: 30 }), lists, (photos, steps) => {
        const all = photos.map((one, n) => ({ ...one, created_at: days[Math.floor(n / 10)] as string }));
        const layOut = createLayouts<(typeof all)[number]>();
        for (const [chosen, width] of [...steps, [[0, 1, 2], 900], [[0, 1, 2, 3, 14], 900]] as const) {
          const some = chosen.map((n) => all[n] as (typeof all)[number]);
          expect(layOut(some, 3, width, time)).toEqual(layoutGallery(some, 3, width, time));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('finds in view exactly what lies there', () => {
    fc.assert(
      fc.property(fc.array(photo, { maxLength: 60 }), fc.nat(9000), fc.nat(3000), (photos, from, tall) => {
        const sorted = photos.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
        const { photos: placed } = layoutGallery(sorted, 3, 900);
        const to = from + tall;
        expect(withinView(placed, from, to)).toEqual(placed.filter(({ top, height }) => top + height > from && top < to));
      }),
    );
  });

  it('keeps only what is in view', () => {
    const { photos } = layoutGallery(
      Array.from({ length: 10_000 }, (_, n) => ({ id: String(n), width: 4, height: 3, created_at: '2026-05-17T10:00:00Z' })),
      5,
      1200,
    );
    const seen = withinView(photos, 100_000, 102_000);
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.length).toBeLessThan(120);
  });
});

const place = (time: string, top: number) => ({ photo: time, index: 0, left: 0, top, width: 1, height: 1 });

describe('labels beside the gallery', () => {
  it('stand where a day or an hour begins, also backwards', () => {
    const times = ['2026-05-16T21:50:00', '2026-05-16T21:55:00', '2026-05-16T22:01:00', '2026-05-17T09:00:00'];
    const found = (all: string[]) =>
      scaleLabelsOf(
        all.map((time, n) => place(time, n * 100)),
        (time) => time,
      ).map(({ top, day }) => [top, day]);
    expect(found(times)).toEqual([
      [0, true],
      [200, false],
      [300, true],
    ]);
    expect(found(times.toReversed())).toEqual([
      [0, true],
      [100, true],
      [200, false],
    ]);
    expect(found([])).toEqual([]);
  });

  it('are left out where there is no room, hours before days', () => {
    const label = (top: number, day = false) => ({ top, time: '2026-05-16T21:00:00', day });
    const labels = [label(0, true), label(100), label(390), label(400, true), label(430)];
    expect(legible(labels, 0.1, 10).map(({ top }) => top)).toEqual([0, 100, 400]);
    expect(legible(labels, 1, 10).map(({ top }) => top)).toEqual([0, 100, 390, 400, 430]);
  });
});

it('arrow keys go along the reading order and within a column, also over a day with fewer photos, and stop at the ends', () => {
  // Three columns: five photos of one day, one of the next, three of the third.
  const days = [17, 17, 17, 17, 17, 18, 19, 19, 19];
  const photos = days.map((day, n) => ({ id: `p${n}`, width: 4, height: 3, created_at: `2026-05-${day}T12:00:0${n}.000Z` }));
  const places = layoutGallery(photos, 3, 900).photos;
  const to = (from: number, key: Parameters<typeof neighbour>[2]) => neighbour(places, from, key)?.index;
  expect([to(0, 'ArrowRight'), to(4, 'ArrowRight'), to(8, 'ArrowRight')]).toEqual([1, 5, 8]);
  expect([to(5, 'ArrowLeft'), to(0, 'ArrowLeft')]).toEqual([4, 0]);
  expect([to(1, 'ArrowDown'), to(4, 'ArrowDown'), to(0, 'ArrowDown'), to(3, 'ArrowDown'), to(7, 'ArrowDown')]).toEqual([4, 7, 3, 5, 7]);
  expect([to(7, 'ArrowUp'), to(4, 'ArrowUp'), to(1, 'ArrowUp')]).toEqual([4, 1, 1]);
  expect([to(4, 'Home'), to(4, 'End')]).toEqual([0, 8]);
});
