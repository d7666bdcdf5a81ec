import type { Photo } from '@feierbild/contract/entities.ts';

/** Number of photos to choose from, the newest first. */
export const CHOICES = 24;

type Listed = Pick<Photo, 'id' | 'created_at'>;

/** Returns the time after which a list contains all received photos. */
const reachOf = (list: readonly Listed[]): string => (list.length < CHOICES ? '' : (list.at(-1)?.created_at ?? ''));

/** Compares the offered photos with the newest: each as it is now (null: not shown any more), and the number of new ones not offered. */
export function compared<P extends Listed>(
  offered: readonly P[],
  newest: readonly P[],
): { places: { id: string; photo: P | null }[]; news: number } {
  const now = new Map(newest.map((photo) => [photo.id, photo]));
  const known = new Set(offered.map(({ id }) => id));
  const places = offered.map((photo) => {
    const { id, created_at } = photo;
    // A photo that newer ones have pushed out of the list is still shown.
    return { id, photo: now.get(id) ?? (created_at > reachOf(newest) ? null : photo) };
  });
  return { places, news: newest.filter(({ id, created_at }) => !known.has(id) && created_at > reachOf(offered)).length };
}
