import { GALLERY_PRELOADED_PAGES, PHOTOS_PER_PAGE, PHOTOS_PER_PAGE_MAX } from '@feierbild/contract/constants.ts';
import type { Photo, ZipStatus } from '@feierbild/contract/entities.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { useLive, type LiveNews } from '../../lib/use-live.ts';
import { reconcile } from './reconcile.ts';
import { zipKey } from './zip-key.ts';

/** How often the end of the gallery looks for photos that came since, ms. */
const LOOK_FOR_NEW = 15_000;
/** Large galleries are read again as a whole at most so often, ms: on several nodes each upload may ask for it. */
const READ_AGAIN_PAUSE = 30_000;
/** Up to so many photos it costs next to nothing. */
const READ_AGAIN_FREELY = 300;
/** How often a page that changes while it is read is read again. */
const READINGS = 3;
/** After a failure it is tried again after 2 s, then ever longer, up to a minute, ms. */
const FIRST_PAUSE = 2000;
const LONGEST_PAUSE = 60_000;

export interface GalleryPhotos {
  photos: readonly Photo[];
  state: 'loading' | 'ready' | 'failed';
  error: unknown;
  /** Photos that the event has in all. */
  total: number;
  /** All of them are here (newcomers follow by themselves). */
  complete: boolean;
  /** Loads the next page, if there is one and none is on its way. */
  more(): void;
  /** Loads all that is missing: another order than the server's cannot be told from a part. */
  all(): void;
  /** Loads on until this photo is here, or all are. */
  find(id: string): void;
  retry(): void;
  /** Runs work that must not meet a page being loaded: deletions shift the pages. */
  alone(work: () => Promise<void>): Promise<void>;
  change(ids: readonly string[], changes: Partial<Photo>): void;
  remove(ids: readonly string[]): void;
}

/** The event's photos, oldest first, page by page: three at once at the start, then as the reader goes on. */
export function usePhotos(code: string): GalleryPhotos {
  const [photos, setPhotos] = useState<readonly Photo[]>([]);
  const [state, setState] = useState<GalleryPhotos['state']>('loading');
  const [error, setError] = useState<unknown>(null);
  const [total, setTotal] = useState(0);
  const [complete, setComplete] = useState(false);
  /** In a row. */
  const [failures, setFailures] = useState(0);
  const queries = useQueryClient();
  const current = useRef<readonly Photo[]>([]);
  const known = useRef({
    total: Number.POSITIVE_INFINITY,
    all: false,
    /** There may be more than the total of the last answer. */
    newcomers: false,
    /** A photo that is looked for. */
    sought: null as string | null,
    /** Pages that were asked for and failed. */
    owed: 0,
    /** The first page was there, if empty: nothing that fails later is worth a page of its own. */
    loaded: false,
    running: null as Promise<void> | null,
    /** Something went or changed of which nobody said what: all that is here is to be read again. */
    stale: false,
    readAt: 0,
    /** A page that is on its way may still have them. */
    gone: new Set<string>(),
  });

  const update = useCallback((next: readonly Photo[]): void => {
    current.current = next;
    setPhotos(next);
  }, []);

  const loadPage = useCallback(
    async (size: number): Promise<void> => {
      const { gone } = known.current;
      const goneBefore = gone.size;
      const page = Math.floor(current.current.length / size) + 1;
      const answer = await call('GET /api/events/:ref/photos', {
        params: { ref: code },
        query: { page, per_page: size, sort: 'oldest' },
      });
      // Deletions shift the pages: what is there already is not taken twice.
      const ids = new Set(current.current.map(({ id }) => id));
      update([...current.current, ...answer.photos.filter(({ id }) => !ids.has(id) && !gone.has(id))]);
      const { total: all, total_pages: last } = answer.pagination;
      known.current.total = all;
      known.current.newcomers = false;
      known.current.loaded = true;
      setTotal(all);
      // Deletions shift the pages: one of them may have slipped through, or what is here is there no more.
      if (gone.size > goneBefore || (page >= last && current.current.length !== all)) known.current.stale = true;
    },
    [code, update],
  );

  /** Reads all again that is here. What did not change stays the very same object, so that nothing is drawn anew. */
  const readAgain = useCallback(async (): Promise<void> => {
    const pause = current.current.length > READ_AGAIN_FREELY ? READ_AGAIN_PAUSE : 0;
    // It stays stale: the next look comes back to it.
    if (Date.now() - known.current.readAt < pause) return;
    known.current.readAt = Date.now();
    for (let reading = 0; reading < READINGS && known.current.stale; reading++) {
      known.current.stale = false;
      const wanted = current.current.length;
      const totals = new Set<number>();
      const fresh: Photo[] = [];
      for (let page = 1; fresh.length < wanted; page++) {
        const { photos: some, pagination } = await call('GET /api/events/:ref/photos', {
          params: { ref: code },
          query: { page, per_page: PHOTOS_PER_PAGE_MAX, sort: 'oldest' },
        }).catch((failed: unknown) => {
          known.current.stale = true;
          throw failed;
        });
        fresh.push(...some);
        totals.add(pagination.total);
        known.current.total = pagination.total;
        if (page >= pagination.total_pages) break;
      }
      const { gone } = known.current;
      update(
        reconcile(
          current.current,
          fresh.filter(({ id }) => !gone.has(id)),
        ),
      );
      setTotal(known.current.total);
      if (totals.size > 1) known.current.stale = true;
    }
  }, [code, update]);

  const loadPages = useCallback(
    async (pages: number): Promise<void> => {
      const wanted = Math.max(pages, known.current.owed);
      const seeking = (): boolean => known.current.sought !== null && current.current.every(({ id }) => id !== known.current.sought);
      const missing = (): boolean => known.current.newcomers || current.current.length < known.current.total;
      let n = 0;
      try {
        for (; (n < wanted || known.current.all || seeking()) && missing(); n++) {
          const before = current.current.length;
          await loadPage(known.current.all || seeking() ? PHOTOS_PER_PAGE_MAX : PHOTOS_PER_PAGE);
          setState('ready');
          if (current.current.length === before) break;
        }
        known.current.owed = 0;
        known.current.sought = null;
        if (known.current.stale) await readAgain();
        if (known.current.all || current.current.length >= known.current.total) setComplete(true);
        setFailures(0);
      } catch (caught) {
        known.current.owed = Math.max(wanted - n, 0);
        setFailures((before) => before + 1);
        // What is shown stays; only a page that has nothing yet has nothing better to say.
        if (!known.current.loaded) {
          setError(caught);
          setState('failed');
        }
      }
    },
    [loadPage, readAgain],
  );

  const alone = useCallback(async (work: () => Promise<void>): Promise<void> => {
    while (known.current.running) await known.current.running;
    known.current.running = work().finally(() => (known.current.running = null));
    await known.current.running;
  }, []);

  const load = useCallback(
    async (pages: number): Promise<void> => {
      if (!known.current.running) await alone(() => loadPages(pages));
    },
    [alone, loadPages],
  );

  useEffect(() => {
    void load(GALLERY_PRELOADED_PAGES);
  }, [load]);

  useEffect(() => {
    if (failures === 0) return;
    // Not `load`, which gives way to what is running: it would be the last of its attempts.
    const again = (): void => void alone(() => loadPages(0));
    const timer = setTimeout(again, Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE));
    window.addEventListener('online', again, { once: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', again);
    };
  }, [failures, alone, loadPages]);

  const lookForNew = useCallback((): void => {
    const missing = current.current.length < known.current.total;
    if (document.visibilityState !== 'visible') return;
    if (known.current.stale) return void load(0);
    if (missing && !known.current.all) return;
    known.current.newcomers = true;
    void load(1);
  }, [load]);

  useEffect(() => {
    const timer = setInterval(lookForNew, LOOK_FOR_NEW);
    return () => clearInterval(timer);
  }, [lookForNew]);

  const change = useCallback(
    (ids: readonly string[], changes: Partial<Photo>): void => {
      const meant = new Set(ids);
      update(current.current.map((photo) => (meant.has(photo.id) ? { ...photo, ...changes } : photo)));
    },
    [update],
  );

  /** A ZIP that held what is gone is no more. */
  const askForZip = useCallback((): void => {
    const queryKey = zipKey(code);
    if (queries.getQueryData<{ status: ZipStatus }>(queryKey)?.status === 'complete') void queries.invalidateQueries({ queryKey });
  }, [queries, code]);

  const remove = useCallback(
    (ids: readonly string[]): void => {
      for (const id of ids) known.current.gone.add(id);
      const before = current.current.length;
      update(current.current.filter(({ id }) => !known.current.gone.has(id)));
      const removed = before - current.current.length;
      known.current.total -= removed;
      setTotal((was) => was - removed);
      askForZip();
    },
    [update, askForZip],
  );

  useLive(code, (news: LiveNews | null) => {
    if (!news) {
      known.current.stale = true;
      askForZip();
    } else {
      if (news.gone.length > 0) remove(news.gone);
      const changed = current.current.filter(({ id, slideshow }) => (news.slideshow[id] ?? slideshow) !== slideshow);
      for (const shown of [true, false]) {
        const ids = changed.filter(({ slideshow }) => slideshow !== shown).map(({ id }) => id);
        if (ids.length > 0) change(ids, { slideshow: shown });
      }
    }
    lookForNew();
  });

  return {
    photos,
    state,
    error,
    total,
    complete,
    more: useCallback(() => void load(1), [load]),
    all: useCallback(() => {
      known.current.all = true;
      void load(1);
    }, [load]),
    find: useCallback(
      (id: string) =>
        void alone(() => {
          known.current.sought = id;
          return loadPages(0);
        }),
      [alone, loadPages],
    ),
    retry: useCallback(() => {
      setState('loading');
      void load(GALLERY_PRELOADED_PAGES);
    }, [load]),
    alone,
    change,
    remove,
  };
}
