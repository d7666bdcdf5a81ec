import { GALLERY_PRELOADED_PAGES } from '@feierbild/contract/constants.ts';
import type { PhotosAfter } from '@feierbild/contract/entities.ts';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { createPhotoList } from '../../lib/photo-list.ts';
import { usePhotoList } from '../../lib/use-photo-list.ts';

/** How often photos are polled where no live changes arrive. */
const POLL_MS = 15_000;

/** The event's photos, oldest first, page by page: three at the start, then as the reader goes on. */
export function usePhotos(code: string) {
  const [list] = useState(() =>
    createPhotoList({
      async page(after, limit) {
        const query = { after, per_page: limit };
        const answer = (await call('GET /api/events/:ref/photos', { params: { ref: code }, query })) as PhotosAfter;
        return { ...answer, end: answer.photos.length < limit, facts: {} };
      },
    }),
  );
  const state = usePhotoList(code, list, POLL_MS);
  useEffect(() => void list.load(GALLERY_PRELOADED_PAGES), [list]);
  return { ...state, list };
}
