import { GALLERY_PRELOADED_PAGES, PHOTOS_PER_PAGE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { useLive } from '../../lib/use-live.ts';

/** How often the end of the gallery looks for photos that came since, ms. */
const LOOK_FOR_NEW = 15_000;

export interface GalleryPhotos {
  photos: readonly Photo[];
  state: 'loading' | 'ready' | 'failed';
  error: unknown;
  /** Photos that the event has in all. */
  total: number;
  /** Loads the next page, if there is one and none is on its way. */
  more(): void;
  retry(): void;
  change(id: string, changes: Partial<Photo>): void;
  remove(id: string): void;
}

/** The event's photos, oldest first, page by page: three at once at the start, then as the reader goes on. */
export function usePhotos(code: string): GalleryPhotos {
  const [photos, setPhotos] = useState<readonly Photo[]>([]);
  const [state, setState] = useState<GalleryPhotos['state']>('loading');
  const [error, setError] = useState<unknown>(null);
  const [total, setTotal] = useState(0);
  const current = useRef<readonly Photo[]>([]);
  const known = useRef({ total: Number.POSITIVE_INFINITY, loading: false });

  const update = useCallback((next: readonly Photo[]): void => {
    current.current = next;
    setPhotos(next);
  }, []);

  const loadPage = useCallback(
    async (page: number): Promise<void> => {
      const answer = await call('GET /api/events/:ref/photos', {
        params: { ref: code },
        query: { page, per_page: PHOTOS_PER_PAGE, sort: 'oldest' },
      });
      // Deletions shift the pages: what is there already is not taken twice.
      const ids = new Set(current.current.map(({ id }) => id));
      update([...current.current, ...answer.photos.filter(({ id }) => !ids.has(id))]);
      known.current.total = answer.pagination.total;
      setTotal(answer.pagination.total);
    },
    [code, update],
  );

  const load = useCallback(
    async (pages: number): Promise<void> => {
      if (known.current.loading) return;
      known.current.loading = true;
      try {
        for (let n = 0; n < pages && current.current.length < known.current.total; n++) {
          await loadPage(Math.floor(current.current.length / PHOTOS_PER_PAGE) + 1);
          setState('ready');
        }
      } catch (caught) {
        // What is shown stays; only an empty page has nothing better to say.
        if (current.current.length === 0) {
          setError(caught);
          setState('failed');
        }
      } finally {
        known.current.loading = false;
      }
    },
    [loadPage],
  );

  useEffect(() => {
    void load(GALLERY_PRELOADED_PAGES);
  }, [load]);

  const lookForNew = useCallback((): void => {
    if (document.visibilityState !== 'visible' || current.current.length < known.current.total) return;
    known.current.total = Number.POSITIVE_INFINITY;
    void load(1);
  }, [load]);

  useEffect(() => {
    const timer = setInterval(lookForNew, LOOK_FOR_NEW);
    return () => clearInterval(timer);
  }, [lookForNew]);
  useLive(code, lookForNew);

  return {
    photos,
    state,
    error,
    total,
    more: useCallback(() => void load(1), [load]),
    retry: useCallback(() => {
      setState('loading');
      void load(GALLERY_PRELOADED_PAGES);
    }, [load]),
    change: useCallback(
      (id, changes) => update(current.current.map((photo) => (photo.id === id ? { ...photo, ...changes } : photo))),
      [update],
    ),
    remove: useCallback(
      (id) => {
        update(current.current.filter((photo) => photo.id !== id));
        known.current.total -= 1;
        setTotal((before) => before - 1);
      },
      [update],
    ),
  };
}
