import { SLIDESHOW_MIN_PHOTOS, SLIDESHOW_REFRESH } from '@feierbild/contract/constants.ts';
import type { SlideshowChanges, SlideshowPage } from '@feierbild/contract/entities.ts';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { createPhotoList, type ListReader } from '../../lib/photo-list.ts';
import { usePhotoList } from '../../lib/use-photo-list.ts';

/** With too few photos the page polls for more this often, ms. */
const WAITING_REFRESH_MS = 10_000;

/** `names`: whether the photos have names. */
type Facts = Pick<SlideshowPage, 'random' | 'names'>;

/** The photos in an event's slideshow. Before all of them were loaded, none can be shown: those of a later page would look new. */
export function useSlideshow(code: string) {
  const [list] = useState(() => createPhotoList(readerOf(code), { shownOnly: true }));
  const enough = list.current().photos.length >= SLIDESHOW_MIN_PHOTOS;
  const state = usePhotoList(code, list, enough ? SLIDESHOW_REFRESH : WAITING_REFRESH_MS);
  useEffect(() => void list.all(), [list]);
  return { ...state, list };
}

function readerOf(code: string): ListReader<Facts> {
  const ask = (query: { after: number } | { seq: number }): Promise<unknown> =>
    call('GET /api/events/:ref/slideshow', { params: { ref: code }, query });
  let named: boolean | null = null;
  return {
    async page(after) {
      const { photos, next, seq, random, names } = (await ask({ after })) as SlideshowPage;
      named = names;
      return { photos, next: next ?? after, end: next === null, seq, facts: { random, names } };
    },
    async changes(since) {
      const { photos, gone, seq, random, names } = (await ask({ seq: since })) as SlideshowChanges;
      // Switched on, the names of those that are here are missing; off, they must go.
      return gone === null || names !== named ? null : { photos, gone, seq, facts: { random, names } };
    },
  };
}
