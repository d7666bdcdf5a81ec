import { PHOTOS_PER_PAGE, PHOTOS_PER_PAGE_MAX } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { reconcile } from './reconcile.ts';

/** Large galleries are read again as a whole at most so often, ms: on several nodes each upload may ask for it. */
const READ_AGAIN_PAUSE = 30_000;
/** Up to so many photos it costs next to nothing. */
const READ_AGAIN_FREELY = 300;
/** How often a page that changes while it is read is read again. */
const READINGS = 3;

export interface FeedState {
  photos: readonly Photo[];
  state: 'loading' | 'ready' | 'failed';
  error: unknown;
  /** Photos that the event has in all. */
  total: number;
  /** All of them are here (newcomers follow by themselves). */
  complete: boolean;
  /** In a row. */
  failures: number;
}

/** One page of the event's photos, oldest first. */
export type ReadPage = (page: number, perPage: number) => Promise<{ photos: Photo[]; pagination: { total: number; total_pages: number } }>;

export interface PhotoFeed {
  /** The same object until something changes. */
  current(): FeedState;
  /** Calls back after each change; returns what ends that. */
  subscribe(listener: () => void): () => void;
  /** Loads so many further pages, where there are any and none is on its way. */
  load(pages: number): Promise<void>;
  /** Loads all that is missing: another order than the server's cannot be told from a part. */
  all(): void;
  /** Loads on until this photo is here, or all are. */
  find(id: string): void;
  /** Tries what failed once more. */
  again(): void;
  /** The same, where nothing is here yet. */
  restart(pages: number): void;
  /** Loads what came since, where all that was there is here; reads all again where it is stale. */
  lookForNew(): void;
  /** Something went or changed of which nobody said what: all that is here is to be read again. */
  markStale(): void;
  /** Runs work that must not meet a page being loaded: deletions shift the pages. */
  alone(work: () => Promise<void>): Promise<void>;
  change(ids: readonly string[], changes: Partial<Photo>): void;
  remove(ids: readonly string[]): void;
}

/**
 * The event's photos, oldest first, as far as they were read. Pages shift while others delete and upload: nothing is shown
 * twice, nothing that is gone comes back, and what may have slipped through is read again.
 */
export function createPhotoFeed(readPage: ReadPage, now: () => number = Date.now): PhotoFeed {
  let state: FeedState = { photos: [], state: 'loading', error: null, total: 0, complete: false, failures: 0 };
  const listeners = new Set<() => void>();
  /** Photos that the event had at the last answer. */
  let total = Number.POSITIVE_INFINITY;
  let wantsAll = false;
  /** There may be more than the total of the last answer. */
  let newcomers = false;
  /** A photo that is looked for. */
  let sought: string | null = null;
  /** Pages that were asked for and failed. */
  let owed = 0;
  /** The first page was there, if empty: nothing that fails later is worth a page of its own. */
  let loaded = false;
  let running: Promise<void> | null = null;
  let stale = false;
  let readAt = 0;
  /** A page that is on its way may still have them. */
  const gone = new Set<string>();

  function set(changes: Partial<FeedState>): void {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  }

  const seeking = (): boolean => sought !== null && state.photos.every(({ id }) => id !== sought);
  const missing = (): boolean => newcomers || state.photos.length < total;

  async function loadPage(size: number): Promise<void> {
    const goneBefore = gone.size;
    const page = Math.floor(state.photos.length / size) + 1;
    const answer = await readPage(page, size);
    // Deletions shift the pages: what is there already is not taken twice.
    const ids = new Set(state.photos.map(({ id }) => id));
    const photos = [...state.photos, ...answer.photos.filter(({ id }) => !ids.has(id) && !gone.has(id))];
    total = answer.pagination.total;
    newcomers = false;
    loaded = true;
    // Deletions shift the pages: one of them may have slipped through, or what is here is there no more.
    if (gone.size > goneBefore || (page >= answer.pagination.total_pages && photos.length !== total)) stale = true;
    set({ photos, total, state: 'ready' });
  }

  /** Reads all again that is here. What did not change stays the very same object, so that nothing is drawn anew. */
  async function readAgain(): Promise<void> {
    const pause = state.photos.length > READ_AGAIN_FREELY ? READ_AGAIN_PAUSE : 0;
    // It stays stale: the next look comes back to it.
    if (now() - readAt < pause) return;
    readAt = now();
    for (let reading = 0; reading < READINGS && stale; reading++) {
      stale = false;
      const { photos, totals } = await readAll(state.photos.length).catch((failed: unknown) => {
        stale = true;
        throw failed;
      });
      const kept = photos.filter(({ id }) => !gone.has(id));
      set({ photos: reconcile(state.photos, kept), total });
      if (totals.size > 1) stale = true;
    }
  }

  /** The first `wanted` photos, and the totals that their pages told. */
  async function readAll(wanted: number): Promise<{ photos: Photo[]; totals: Set<number> }> {
    const totals = new Set<number>();
    const photos: Photo[] = [];
    for (let page = 1; photos.length < wanted; page++) {
      const { photos: some, pagination } = await readPage(page, PHOTOS_PER_PAGE_MAX);
      photos.push(...some);
      totals.add(pagination.total);
      total = pagination.total;
      if (page >= pagination.total_pages) break;
    }
    return { photos, totals };
  }

  async function loadPages(pages: number): Promise<void> {
    const wanted = Math.max(pages, owed);
    let n = 0;
    try {
      for (; (n < wanted || wantsAll || seeking()) && missing(); n++) {
        const before = state.photos.length;
        await loadPage(wantsAll || seeking() ? PHOTOS_PER_PAGE_MAX : PHOTOS_PER_PAGE);
        if (state.photos.length === before) break;
      }
      owed = 0;
      sought = null;
      if (stale) await readAgain();
      set({ complete: state.complete || wantsAll || state.photos.length >= total, failures: 0 });
    } catch (error) {
      owed = Math.max(wanted - n, 0);
      set({ failures: state.failures + 1, ...(!loaded && { error, state: 'failed' }) });
    }
  }

  async function alone(work: () => Promise<void>): Promise<void> {
    while (running) await running;
    running = work().finally(() => (running = null));
    await running;
  }

  async function load(pages: number): Promise<void> {
    if (!running) await alone(() => loadPages(pages));
  }

  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load,
    all() {
      wantsAll = true;
      void load(1);
    },
    find(id) {
      void alone(() => {
        sought = id;
        return loadPages(0);
      });
    },
    // Not `load`, which gives way to what is running: it would be the last of its attempts.
    again: () => void alone(() => loadPages(0)),
    restart(pages) {
      set({ state: 'loading' });
      void load(pages);
    },
    lookForNew() {
      if (stale) return void load(0);
      if (state.photos.length < total && !wantsAll) return;
      newcomers = true;
      void load(1);
    },
    markStale() {
      stale = true;
    },
    alone,
    change(ids, changes) {
      const meant = new Set(ids);
      set({ photos: state.photos.map((photo) => (meant.has(photo.id) ? { ...photo, ...changes } : photo)) });
    },
    remove(ids) {
      for (const id of ids) gone.add(id);
      const photos = state.photos.filter(({ id }) => !gone.has(id));
      const removed = state.photos.length - photos.length;
      total -= removed;
      set({ photos, total: state.total - removed });
    },
  };
}
