import type { SlideshowChanges, SlideshowPage } from '@feierbild/contract/entities.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../../api/client.ts';
import { useLive } from '../../lib/use-live.ts';
import { createPhotoList, type ListState } from './photo-list.ts';

/** The photos in an event's slideshow, kept up to date by live changes and polling. */
export function usePhotoList(code: string): ListState & { readAll(): void } {
  const [list] = useState(() =>
    createPhotoList({
      page: async (after) => (await call('GET /api/events/:ref/slideshow', { params: { ref: code }, query: { after } })) as SlideshowPage,
      changes: async (seq) => (await call('GET /api/events/:ref/slideshow', { params: { ref: code }, query: { seq } })) as SlideshowChanges,
    }),
  );
  useEffect(() => list.open(), [list]);
  useLive(code, list.news);
  return { ...useSyncExternalStore(list.subscribe, list.current), readAll: list.readAll };
}
