import { describe, expect, it } from 'vitest';
import { CHOICES, compared } from './compared.ts';

/** Makes photos with descending numbers, which give the times of receipt. */
const photos = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, n) => ({ id: `${newest - n}`, created_at: String(newest - n).padStart(3, '0') }));
const without = (list: ReturnType<typeof photos>, ...gone: number[]) => list.filter(({ id }) => !gone.includes(Number(id)));

const full = photos(100, 101 - CHOICES);
const offered = ({ places }: ReturnType<typeof compared>) => places.filter(({ photo }) => photo !== null).map(({ id }) => Number(id));

describe('photos that are offered for the wall', () => {
  it('stay, and newer ones are counted', () => {
    const { places, news } = compared(full, photos(103, 104 - CHOICES));
    expect(places).toEqual(full.map((photo) => ({ id: photo.id, photo })));
    expect(news).toBe(3);
  });

  it('stay when newer ones have pushed all of them out of the list', () => {
    const after = compared(full, photos(200, 201 - CHOICES));
    expect(offered(after)).toHaveLength(CHOICES);
    expect(after.news).toBe(CHOICES);
  });

  it('leave their places empty when they are gone; what so comes into the list is not new', () => {
    const after = compared(full, without(photos(100, 99 - CHOICES), 90, 95));
    expect(offered(after)).toEqual(without(full, 90, 95).map(({ id }) => Number(id)));
    expect(after.places).toHaveLength(CHOICES);
    expect(after.news).toBe(0);
  });

  it('are few at first: then each other one is new, also one that was released late', () => {
    expect(compared(without(photos(5, 1), 3), photos(6, 1)).news).toBe(2);
    expect(offered(compared(photos(3, 1), []))).toEqual([]);
  });

  it('are as they are now', () => {
    const again = full.map((photo) => ({ ...photo }));
    expect(compared(full, again).places[0]?.photo).toBe(again[0]);
  });
});
