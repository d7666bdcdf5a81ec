import type { Photo } from '@feierbild/contract/entities.ts';

/** Photos to choose from, the newest first. */
export const CHOICES = 24;

type Listed = Pick<Photo, 'id' | 'created_at'>;

/** A list holds all photos that were received after this moment. */
const reachOf = (list: readonly Listed[]): string => (list.length < CHOICES ? '' : (list.at(-1)?.created_at ?? ''));

/** Compares the offered photos with the newest ones: each as it is now (null: not shown any more), and how many of the newest are not offered. */
export function compared<P extends Listed>(
  offered: readonly P[],
  newest: readonly P[],
): { places: { id: string; photo: P | null }[]; news: number } {
  const now = new Map(newest.map((photo) => [photo.id, photo]));
  const known = new Set(offered.map(({ id }) => id));
  const places = offered.map((photo) => {
    const { id, created_at } = photo;
    // What newer ones have pushed out of the list is shown still.
    return { id, photo: now.get(id) ?? (created_at > reachOf(newest) ? null : photo) };
  });
  return { places, news: newest.filter(({ id, created_at }) => !known.has(id) && created_at > reachOf(offered)).length };
}
