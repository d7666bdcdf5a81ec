import { GALLERY_PRELOADED_PAGES } from '@feierbild/contract/constants.ts';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../../../api/client.ts';
import { useLive, type LiveNews } from '../../../lib/use-live.ts';
import { createPhotoFeed, type FeedState, type PhotoFeed } from './photo-feed.ts';

/** How often the end of the gallery looks for photos that came since, ms. */
const LOOK_FOR_NEW = 15_000;
/** After a failure it is tried again after 2 s, then ever longer, up to a minute, ms. */
const FIRST_PAUSE = 2000;
const LONGEST_PAUSE = 60_000;

export interface GalleryPhotos extends FeedState, Pick<PhotoFeed, 'all' | 'find' | 'alone' | 'change' | 'remove'> {
  /** Loads the next page, if there is one and none is on its way. */
  more(): void;
  retry(): void;
}

/**
 * The event's photos, oldest first, page by page: three at once at the start, then as the reader goes on. Calls `onRemoved`,
 * which should stay the same function, when photos have gone.
 */
export function usePhotos(code: string, onRemoved: () => void): GalleryPhotos {
  const [feed] = useState(() =>
    createPhotoFeed((page, per_page) =>
      call('GET /api/events/:ref/photos', { params: { ref: code }, query: { page, per_page, sort: 'oldest' } }),
    ),
  );
  const state = useSyncExternalStore(feed.subscribe, feed.current);
  const { failures } = state;

  useEffect(() => void feed.load(GALLERY_PRELOADED_PAGES), [feed]);

  useEffect(() => {
    if (failures === 0) return;
    const timer = setTimeout(feed.again, Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE));
    window.addEventListener('online', feed.again, { once: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', feed.again);
    };
  }, [failures, feed]);

  const lookForNew = useCallback((): void => {
    if (document.visibilityState === 'visible') feed.lookForNew();
  }, [feed]);

  useEffect(() => {
    const timer = setInterval(lookForNew, LOOK_FOR_NEW);
    return () => clearInterval(timer);
  }, [lookForNew]);

  const remove = useCallback(
    (ids: readonly string[]): void => {
      feed.remove(ids);
      onRemoved();
    },
    [feed, onRemoved],
  );

  useLive(code, (news: LiveNews | null) => {
    if (!news) {
      feed.markStale();
      onRemoved();
    } else {
      if (news.gone.length > 0) remove(news.gone);
      const changed = feed.current().photos.filter(({ id, slideshow }) => (news.slideshow[id] ?? slideshow) !== slideshow);
      for (const shown of [true, false]) {
        const ids = changed.filter(({ slideshow }) => slideshow !== shown).map(({ id }) => id);
        if (ids.length > 0) feed.change(ids, { slideshow: shown });
      }
    }
    lookForNew();
  });

  return {
    ...state,
    more: useCallback(() => void feed.load(1), [feed]),
    all: feed.all,
    find: feed.find,
    retry: useCallback(() => feed.restart(GALLERY_PRELOADED_PAGES), [feed]),
    alone: feed.alone,
    change: feed.change,
    remove,
  };
}
