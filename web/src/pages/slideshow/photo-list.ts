import { SLIDESHOW_MIN_PHOTOS, SLIDESHOW_REFRESH } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import type { LiveNews } from '../../lib/use-live.ts';

/** With too few photos the page looks for more this often, ms. */
const WAITING_REFRESH_MS = 10_000;
/** Time between two requests, however much news comes, ms. */
const PAUSE_MS = 3_000;
/** Time between two whole lists that are asked for because the number of photos is not as expected, ms. */
const RECOUNT_PAUSE_MS = 30_000;

export interface ListState {
  /** Null until they were read for the first time. */
  photos: readonly Photo[] | null;
  random: boolean;
  /** Of the last request, where it failed. */
  error: Error | null;
}

/** The photos in the slideshow, or those received since an instant. `total`: photos in the slideshow in all. */
export type ReadPhotos = (since: string | null) => Promise<{ photos: Photo[]; random: boolean; total: number }>;

export interface PhotoList {
  /** The same object until something changes. */
  current(): ListState;
  /** Calls back after each change; returns what ends that. */
  subscribe(listener: () => void): () => void;
  /** Begins to read, now and from time to time; returns what ends it. */
  open(): () => void;
  /** Reads all now. */
  readAll(): void;
  /** Takes live news in; null: something changed, nobody said what. */
  news(news: LiveNews | null): void;
}

/**
 * The slideshow's photos, kept fresh. There is one request at a time: news that comes during it is asked for after it, and
 * only what came since. What went is taken out at once.
 */
export function createPhotoList(read: ReadPhotos): PhotoList {
  let state: ListState = { photos: null, random: false, error: null };
  const listeners = new Set<() => void>();
  let isOpen = false;
  let wanted: 'all' | 'new' | null = null;
  let busy = false;
  let timer = 0;
  let readAllAt = 0;
  /** Photos that went since the last whole list was asked for: an answer on its way may still have them. */
  const gone = new Set<string>();

  function set(changes: Partial<ListState>): void {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  }

  function want(what: 'all' | 'new'): void {
    if (wanted !== 'all') wanted = what;
    void work();
  }

  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    while (isOpen && wanted) {
      const what = state.photos?.length ? wanted : 'all';
      wanted = null;
      await readOnce(what === 'all' ? null : newest(state.photos ?? [])).catch((error: unknown) => set({ error: error as Error }));
      clearTimeout(timer);
      const enough = (state.photos?.length ?? 0) >= SLIDESHOW_MIN_PHOTOS;
      timer = window.setTimeout(() => want('all'), enough ? SLIDESHOW_REFRESH : WAITING_REFRESH_MS);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    busy = false;
  }

  async function readOnce(since: string | null): Promise<void> {
    if (since === null) {
      gone.clear();
      readAllAt = Date.now();
    }
    const answer = await read(since);
    const photos = answer.photos.filter(({ id }) => !gone.has(id));
    if (since === null) {
      const same = photos.length === state.photos?.length && photos.every(({ id }, place) => id === state.photos?.[place]?.id);
      return set({ random: answer.random, error: null, ...(!same && { photos }) });
    }
    const known = new Set(state.photos?.map(({ id }) => id));
    const added = photos.filter(({ id }) => !known.has(id));
    const all = [...(state.photos ?? []), ...added];
    set({ random: answer.random, error: null, ...(added.length > 0 && { photos: all }) });
    // A photo went or was put back without our hearing of it.
    if (all.length !== answer.total && Date.now() - readAllAt > RECOUNT_PAUSE_MS) wanted = 'all';
  }

  const readAll = (): void => want('all');

  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open() {
      isOpen = true;
      readAll();
      window.addEventListener('online', readAll);
      return () => {
        isOpen = false;
        clearTimeout(timer);
        window.removeEventListener('online', readAll);
      };
    },
    readAll,
    news(news) {
      const before = state.photos ?? [];
      const out = new Set(news?.gone);
      let putBack = false;
      for (const [id, shown] of Object.entries(news?.slideshow ?? {})) {
        if (!shown) out.add(id);
        else if (!before.some((photo) => photo.id === id)) putBack = true;
        if (shown) gone.delete(id);
      }
      for (const id of out) gone.add(id);
      const left = before.filter(({ id }) => !out.has(id));
      if (left.length < before.length) set({ photos: left });
      want(putBack ? 'all' : 'new');
    },
  };
}

function newest(photos: readonly Photo[]): string {
  return photos.reduce((latest, { created_at }) => (created_at > latest ? created_at : latest), '');
}
