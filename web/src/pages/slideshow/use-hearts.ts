import { PHOTOS_PER_PAGE_MAX } from '@feierbild/contract/constants.ts';
import type { PhotosAfter } from '@feierbild/contract/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** How many hearts the photos of an event have when its host asks; by their ids, without those that have none. */
async function heartsOf(code: string): Promise<ReadonlyMap<string, number>> {
  const hearts = new Map<string, number>();
  for (let after = 0; ;) {
    const query = { after, per_page: PHOTOS_PER_PAGE_MAX };
    const page = (await call('GET /api/events/:ref/photos', { params: { ref: code }, query })) as PhotosAfter;
    for (const photo of page.photos) if (photo.hearts) hearts.set(photo.id, photo.hearts);
    if (page.photos.length < query.per_page) return hearts;
    after = page.next;
  }
}

/** The same for a round of favourites: as they are at its beginning. */
export const useHearts = (code: string) =>
  useQuery({ queryKey: ['hearts', code], queryFn: () => heartsOf(code), staleTime: Infinity, gcTime: 0 });
