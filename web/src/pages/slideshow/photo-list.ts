import { SLIDESHOW_MIN_PHOTOS, SLIDESHOW_REFRESH } from '@feierbild/contract/constants.ts';
import type { Photo, SlideshowChanges, SlideshowPage } from '@feierbild/contract/entities.ts';
import { createStore, type Watched } from '../../lib/store.ts';
import type { LiveNews } from '../../lib/use-live.ts';

/** With too few photos the page polls for more this often, ms. */
const WAITING_REFRESH_MS = 10_000;
/** Time between two requests, however many changes come, ms. */
const PAUSE_MS = 3_000;

export interface ListState {
  /** Null until they were read for the first time. */
  photos: readonly Photo[] | null;
  random: boolean;
  /** Whether the photos have names. */
  names: boolean;
  /** Of the last request, where it failed. */
  error: Error | null;
}

/** What the list asks the server for. */
export interface Reader {
  /** A page of the photos in the slideshow: those behind the position `after`, 0 to begin with. */
  page(after: number): Promise<SlideshowPage>;
  /** What was put in and taken out after the change `seq`. */
  changes(seq: number): Promise<SlideshowChanges>;
}

export interface PhotoList extends Watched<ListState> {
  /** Begins to read, now and from time to time; returns what ends it. */
  open(): () => void;
  /** Reads all now. */
  readAll(): void;
  /** Applies a live change; null: it is not known what changed. */
  news(news: LiveNews | null): void;
}

/**
 * The slideshow's photos, kept up to date. There is one request at a time: what changes during it is asked for after it. Deleted photos are removed at
 * once.
 */
export function createPhotoList(read: Reader): PhotoList {
  const { current, subscribe, set } = createStore<ListState>({ photos: null, random: false, names: false, error: null });
  let isOpen = false;
  let wanted: 'all' | 'new' | null = null;
  let busy = false;
  let timer = 0;
  /** The last change that the photos contain; null: none are known. */
  let seq: number | null = null;
  /** Photos that were deleted since the last request: its answer may still have them. */
  const gone = new Set<string>();

  function want(what: 'all' | 'new'): void {
    if (wanted !== 'all') wanted = what;
    void work();
  }

  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    while (isOpen && wanted) {
      const since = wanted === 'all' ? null : seq;
      wanted = null;
      gone.clear();
      await (since === null ? readAllPages() : readChanges(since)).catch((error: unknown) => set({ error: error as Error }));
      clearTimeout(timer);
      const enough = (current().photos?.length ?? 0) >= SLIDESHOW_MIN_PHOTOS;
      timer = window.setTimeout(() => want('new'), enough ? SLIDESHOW_REFRESH : WAITING_REFRESH_MS);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    busy = false;
  }

  async function readAllPages(): Promise<void> {
    const first = await read.page(0);
    const photos = [...first.photos];
    for (let next = first.next; next !== null;) {
      const page = await read.page(next);
      photos.push(...page.photos);
      next = page.next;
    }
    // What was changed while the later pages were read is asked for next.
    seq = first.seq;
    show(photos, first);
  }

  async function readChanges(since: number): Promise<void> {
    const changes = await read.changes(since);
    // Switched on, the names of those that are here are missing; off, they must go.
    if (changes.gone === null || changes.names !== current().names) {
      wanted = 'all';
      return;
    }
    seq = changes.seq;
    const out = new Set([...changes.gone, ...changes.photos.map(({ id }) => id)]);
    show([...(current().photos ?? []).filter(({ id }) => !out.has(id)), ...changes.photos], changes);
  }

  /** Takes photos over that differ from those that are shown. */
  function show(all: Photo[], { random, names }: { random: boolean; names: boolean }): void {
    const photos = all.filter(({ id }) => !gone.has(id)).sort(byReceipt);
    // A video that gets its poster has new addresses.
    const isShown = ({ id, preview_url }: Photo, shown?: Photo) => id === shown?.id && preview_url === shown.preview_url;
    const before = current();
    const same =
      names === before.names &&
      photos.length === before.photos?.length &&
      photos.every((photo, place) => isShown(photo, before.photos?.[place]));
    set({ random, names, error: null, ...(!same && { photos }) });
  }

  const readAll = (): void => want('all');

  return {
    current,
    subscribe,
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
      const before = current().photos ?? [];
      const out = new Set(news?.gone);
      for (const [id, shown] of Object.entries(news?.slideshow ?? {})) {
        if (!shown) out.add(id);
        else gone.delete(id);
      }
      for (const id of out) gone.add(id);
      const left = before.filter(({ id }) => !out.has(id));
      if (left.length < before.length) set({ photos: left });
      want('new');
    },
  };
}

function byReceipt(a: Photo, b: Photo): number {
  return a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at);
}
