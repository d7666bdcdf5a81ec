import { GALLERY_PRELOADED_PAGES } from '@feierbild/contract/constants.ts';
import type { PhotosAfter } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { createPhotoList, type ListState, type PhotoList } from '../../lib/photo-list.ts';
import { usePhotoList } from '../../lib/use-photo-list.ts';

/** How often photos are polled where no live changes arrive. */
const POLL_MS = 15_000;

export interface GalleryPhotos extends ListState<object>, Pick<PhotoList, 'all' | 'find' | 'retry' | 'change' | 'remove'> {
  /** Loads the next page. */
  more(): void;
}

/** The event's photos, oldest first, page by page: three at the start, then as the reader goes on. */
export function usePhotos(code: string): GalleryPhotos {
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
  const { all, find, retry, change, remove } = list;
  return { ...state, more: useCallback(() => void list.load(1), [list]), all, find, retry, change, remove };
}
