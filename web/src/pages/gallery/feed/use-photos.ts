import { GALLERY_PRELOADED_PAGES } from '@feierbild/contract/constants.ts';
import type { Photo, PhotosAfter } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { call } from '../../../api/client.ts';
import { backoffMs } from '../../../lib/backoff.ts';
import { throttle } from '../../../lib/throttle.ts';
import { useLive, type LiveNews } from '../../../lib/use-live.ts';
import { createPhotoFeed, type FeedState, type PhotoFeed } from './photo-feed.ts';

/** How often photos that came are asked for at most. */
const NEWS_PAUSE_MS = 2000;
/** How often they are polled where no live changes arrive. */
const POLL_MS = 15_000;
/** After a failure it is tried again after 2 s, then ever longer, up to a minute. */
const FIRST_RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;

/** Where the pictures of a video are that has its poster: other addresses than those of the drawn one. */
const withPoster = (id: string): Partial<Photo> => ({
  thumbnail_url: `/api/photos/${id}/thumbnail?poster`,
  preview_url: `/api/photos/${id}/preview?poster`,
});

export interface GalleryPhotos extends FeedState, Pick<PhotoFeed, 'all' | 'find' | 'retry' | 'change' | 'remove'> {
  /** Loads the next page. */
  more(): void;
}

/** The event's photos, oldest first, page by page: three at the start, then as the reader goes on. */
export function usePhotos(code: string): GalleryPhotos {
  const [feed] = useState(() =>
    createPhotoFeed(async (after, limit) => {
      const query = { after, per_page: limit };
      return (await call('GET /api/events/:ref/photos', { params: { ref: code }, query })) as PhotosAfter;
    }),
  );
  const state = useSyncExternalStore(feed.subscribe, feed.current);
  const { failures } = state;

  useEffect(() => void feed.load(GALLERY_PRELOADED_PAGES), [feed]);

  useEffect(() => {
    if (failures === 0) return;
    const retry = (): void => void feed.retry();
    const timer = setTimeout(retry, backoffMs(failures - 1, FIRST_RETRY_MS, LONGEST_RETRY_MS));
    window.addEventListener('online', retry, { once: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', retry);
    };
  }, [failures, feed]);

  const loadNew = useMemo(() => throttle(() => document.visibilityState === 'visible' && void feed.loadNew(), NEWS_PAUSE_MS), [feed]);
  useEffect(() => {
    const timer = setInterval(loadNew, POLL_MS);
    document.addEventListener('visibilitychange', loadNew);
    return () => {
      clearInterval(timer);
      loadNew.cancel();
      document.removeEventListener('visibilitychange', loadNew);
    };
  }, [loadNew]);

  useLive(code, (news: LiveNews | null) => {
    loadNew();
    if (!news) return void feed.reread();
    if (news.gone.length > 0) feed.remove(news.gone);
    for (const id of news.posters) feed.change([id], withPoster(id));
    const changed = feed.current().photos.filter(({ id, slideshow }) => (news.slideshow[id] ?? slideshow) !== slideshow);
    for (const shown of [true, false]) {
      const ids = changed.filter(({ slideshow }) => slideshow !== shown).map(({ id }) => id);
      if (ids.length > 0) feed.change(ids, { slideshow: shown });
    }
  });

  return {
    ...state,
    more: useCallback(() => void feed.load(1), [feed]),
    all: feed.all,
    find: feed.find,
    retry: feed.retry,
    change: feed.change,
    remove: feed.remove,
  };
}
