import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrange, MOST_CROPPED, type Box, type Place } from './arrange.ts';

const WALLS = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
const GAP = 24;
const ratio = fc.constantFrom(4 / 3, 3 / 4, 3 / 2, 2 / 3, 16 / 9, 9 / 16, 1, 2.5, 0.4);

/** Returns the share of a photo that its place cuts off. */
function croppedBy({ width, height }: Place, own: number): number {
  const place = width / height;
  return 1 - Math.min(place / own, own / place);
}

describe('the arrangement of photos', () => {
  it('keeps each inside the wall, beside the others, and nearly whole', () => {
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 2, maxLength: 7 }), fc.constantFrom(...WALLS), (ratios, wall) => {
        const places = arrange(ratios, wall, GAP);
        expect(places).toHaveLength(ratios.length);
        places.forEach((place, n) => {
          expect(place.width).toBeGreaterThan(0);
          expect(place.left).toBeGreaterThan(GAP - 1);
          expect(place.top).toBeGreaterThan(GAP - 1);
          expect(place.left + place.width).toBeLessThan(wall.width - GAP + 1);
          expect(place.top + place.height).toBeLessThan(wall.height - GAP + 1);
          expect(croppedBy(place, ratios[n] as number)).toBeLessThan(MOST_CROPPED + 1e-6);
          for (const other of places.slice(0, n)) {
            const beside = (a: Place, b: Place): boolean => a.left + a.width + GAP - 1 < b.left || a.top + a.height + GAP - 1 < b.top;
            expect(beside(place, other) || beside(other, place)).toBe(true);
          }
        });
      }),
    );
  });

  it('keeps several photos out of the corner where the code is', () => {
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 2, maxLength: 7 }), fc.constantFrom(...WALLS), (ratios, wall) => {
        const corner = { width: 0.27 * Math.min(wall.width, wall.height), height: 0.33 * Math.min(wall.width, wall.height) };
        const places = arrange(ratios, wall, GAP, corner);
        // A pair keeps its size.
        if (ratios.length === 2 && ratios.every((one) => one < 1) && wall.width > wall.height) {
          const alone = arrange(ratios, wall, GAP);
          expect(places.map(({ width }) => width)).toEqual(alone.map(({ width }) => width));
          expect(places[0]!.left).toBeLessThanOrEqual(alone[0]!.left);
          expect(places[0]!.left).toBeGreaterThan(GAP - 1);
          return;
        }
        for (const { left, top, width, height } of places) {
          expect(width).toBeGreaterThan(0);
          const isCovered = left + width > wall.width - corner.width && top + height > wall.height - corner.height;
          expect(isCovered, `${left} ${top} ${width} ${height}`).toBe(false);
        }
      }),
    );
  });

  it('takes a window that has no room, or hardly any', () => {
    const corner = { width: 200, height: 250 };
    for (const wall of [
      { width: 0, height: 0 },
      { width: 300, height: 40 },
      { width: 40, height: 300 },
      { width: 210, height: 260 },
    ])
      for (const ratios of [[1], [0.7, 0.7], [1.5, 0.7, 1.5]])
        expect([arrange(ratios, wall, GAP).length, arrange(ratios, wall, GAP, corner).length]).toEqual([ratios.length, ratios.length]);
  });

  it('uses the wall: usual photos in any number cover more than half of it, and none is a stamp', () => {
    const usual = [4 / 3, 3 / 4, 3 / 2];
    const wall = { width: 1920, height: 1080 };
    for (let count = 3; count <= 7; count++) {
      // Of the many orders of six or seven photos every seventh: that varies each place.
      for (let which = 0; which < usual.length ** count; which += count > 5 ? 7 : 1) {
        const ratios = Array.from({ length: count }, (_, n) => usual[Math.floor(which / usual.length ** n) % usual.length] as number);
        const areas = (corner?: Box): number[] =>
          arrange(ratios, wall, GAP, corner).map(({ width, height }) => (width * height) / (wall.width * wall.height));
        const alone = areas();
        expect(alone.reduce((sum, area) => sum + area, 0)).toBeGreaterThan(0.55);
        expect(Math.min(...alone)).toBeGreaterThan(0.2 / count);
        if (count > 5) continue;
        const beside = areas({ width: 290, height: 356 });
        expect(beside.reduce((sum, area) => sum + area, 0)).toBeGreaterThan(0.52);
        expect(Math.min(...beside)).toBeGreaterThan(0.18 / count);
      }
    }
  });

  it('shows one photo as large as 8 % of a landscape photo’s height allow, and two portraits whole', () => {
    const wall = { width: 1440, height: 900 };
    const [landscape] = arrange([4 / 3], wall, GAP) as [Place];
    expect(landscape.height).toBeCloseTo(900 / 0.92, 0);
    const [portrait] = arrange([3 / 4], wall, GAP) as [Place];
    expect(portrait).toMatchObject({ top: 0, height: 900 });
    const [left, right] = arrange([3 / 4, 3 / 4], wall, GAP) as [Place, Place];
    expect(right.left - left.left - left.width).toBeCloseTo(24, 5);
    expect(left.width / left.height).toBeCloseTo(3 / 4, 5);
    expect(left.height).toBeGreaterThan(0.9 * 900);
    const corner = { width: 290, height: 356 };
    const [, second] = arrange([3 / 4, 3 / 4], { width: 1920, height: 1080 }, GAP, corner) as [Place, Place];
    // The photos keep their distance to the code.
    expect(second.left + second.width).toBeLessThanOrEqual(1920 - 290 - GAP);
  });

  it('uses a phone held upright, beside the code and above it', () => {
    const phone = { width: 390, height: 844 };
    const corner = { width: 136, height: 282 };
    const usual = [4 / 3, 3 / 4, 3 / 2];
    const covered = (ratios: readonly number[]): number =>
      arrange(ratios, phone, GAP, corner).reduce((sum, { width, height }) => sum + width * height, 0) / (phone.width * phone.height);
    for (const one of usual) for (const two of usual) for (const three of usual) expect(covered([one, two, three])).toBeGreaterThan(0.38);
    expect(covered([4 / 3, 3 / 4, 3 / 4, 4 / 3])).toBeGreaterThan(0.55);
  });
});
