import { PHOTOS_PER_PAGE, PHOTOS_PER_PAGE_MAX } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { createStore } from './store.ts';
import type { LiveNews } from './live.ts';
import { withPoster } from '../video/video.ts';

/** Minimum pause between two complete reads of a large list: with several nodes each upload may request one. */
const REREAD_PAUSE_MS = 30_000;
/** Number of photos up to which a complete read is cheap and needs no pause. */
const REREAD_FREELY = 300;

/** A page of photos in the order in which they were stored. */
export interface ListPage<Beside> {
  photos: readonly Photo[];
  /** The position after these photos: `after` of the next page. */
  next: number;
  /** Whether this is the last page. */
  end: boolean;
  /** Photos in the list in all, where that is known. */
  total?: number;
  /** The number of the last change that the page contains. */
  seq?: number;
  beside: Beside;
}

/** Changes of a list since an earlier change. */
export interface ListChanges<Beside> {
  /** New photos and changed ones. */
  photos: readonly Photo[];
  gone: readonly string[];
  /** Photos in the list in all, where that is known. */
  total?: number;
  seq: number;
  beside: Beside;
}

/** Reads a list from the server. */
export interface ListReader<Beside> {
  /** Reads up to `limit` photos that were stored after `after`, which is 0 or the `next` of an earlier page. */
  page(after: number, limit: number): Promise<ListPage<Beside>>;
  /** Reads the changes after `seq`; null if they are too many. Without this method, new photos are found by their position. */
  changes?(seq: number): Promise<ListChanges<Beside> | null>;
}

export interface ListState<Beside> {
  /** The loaded photos in the order of receipt. */
  photos: readonly Photo[];
  /** The last answer's other data; null before the first answer. */
  beside: Beside | null;
  state: 'loading' | 'ready' | 'failed';
  /** The error of the last request if it failed. */
  error: Error | null;
  /** Number of photos in all, loaded or not. */
  total: number;
  /** All photos were loaded; later ones are loaded as they come. */
  complete: boolean;
  /** Number of consecutive failed attempts. */
  failures: number;
}

export type PhotoList<Beside extends object = object> = ReturnType<typeof createPhotoList<Beside>>;

interface ListOptions {
  /** Whether the list has only photos that are in the slideshow. */
  shownOnly?: boolean;
  now?: () => number;
}

/**
 * Creates the list of an event's loaded photos, for galleries and walls. One request is in flight at a time, and none is ever cancelled:
 * requests made meanwhile follow it.
 */
export function createPhotoList<Beside extends object>(
  reader: ListReader<Beside>,
  { shownOnly = false, now = () => performance.now() }: ListOptions = {},
) {
  const { current, subscribe, set } = createStore<ListState<Beside>>({
    photos: [],
    beside: null,
    state: 'loading',
    error: null,
    total: 0,
    complete: false,
    failures: 0,
  });
  /** Position of the next page. */
  let cursor = 0;
  /** Latest time of receipt among the loaded pages. */
  let reach = '';
  /** Number of the last change that the photos contain; null if the reader has no numbers. */
  let seq: number | null = null;
  /** Work that remains; it stays when a request fails. */
  const wanted = { pages: 0, all: false, photo: null as string | null, news: false, reread: false };
  let rereadAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  /** Changes (null: deletion) since the current request began: its answer may be older. */
  const since = new Map<string, Partial<Photo> | null>();

  /** Takes over an answer. Unchanged photos stay the very same objects, so that they are not rendered again. */
  function show(photos: readonly Photo[], { beside, total, end }: Pick<ListPage<Beside>, 'beside' | 'total' | 'end'>): void {
    const newer = photos.flatMap((photo) => {
      const changes = since.get(photo.id);
      return changes === null ? [] : changes ? { ...photo, ...changes } : photo;
    });
    const before = current().photos;
    const shown = reconcile(before, newer.sort(byReceipt));
    const same = shown.length === before.length && shown.every((photo, place) => photo === before[place]);
    const inAll = end ? shown.length : (total ?? shown.length);
    set({ ...(!same && { photos: shown }), beside, total: inAll, complete: current().complete || end, state: 'ready', error: null });
  }

  async function loadNext(limit: number): Promise<void> {
    const page = await reader.page(cursor, limit);
    if (cursor === 0) seq = page.seq ?? null;
    cursor = page.next;
    wanted.pages = page.end ? 0 : Math.max(wanted.pages - 1, 0);
    wanted.news ||= current().complete && !page.end;
    advance(page.photos);
    // A photo that was stored late may be in the list already, by its change.
    const fresh = new Set(page.photos.map(({ id }) => id));
    show([...current().photos.filter(({ id }) => !fresh.has(id)), ...page.photos], page);
  }

  function advance(photos: readonly Photo[]): void {
    for (const { created_at } of photos) if (created_at > reach) reach = created_at;
  }

  async function readAgain(): Promise<void> {
    const { complete } = current();
    const first = await reader.page(0, PHOTOS_PER_PAGE_MAX);
    let page = first;
    const photos = [...first.photos];
    while (!page.end && (complete || page.next < cursor)) {
      page = await reader.page(page.next, PHOTOS_PER_PAGE_MAX);
      photos.push(...page.photos);
    }
    rereadAt = now();
    // Changes that happened during the later pages are requested next.
    seq = first.seq ?? null;
    cursor = Math.max(page.next, cursor);
    advance(photos);
    show(photos, page);
  }

  async function readChanges(after: number): Promise<void> {
    const changes = await reader.changes?.(after);
    if (!changes) {
      wanted.reread = true;
      return;
    }
    seq = changes.seq;
    const { photos, complete } = current();
    const out = new Set([...changes.gone, ...changes.photos.map(({ id }) => id)]);
    // While the list is incomplete, photos beyond the loaded pages come with their page.
    const here = complete ? changes.photos : changes.photos.filter(({ created_at }) => created_at <= reach);
    show([...photos.filter(({ id }) => !out.has(id)), ...here], { ...changes, end: complete });
  }

  /** Clears a wish before its work, because it may be set again meanwhile; restores it if the work fails. */
  async function forWish(wish: 'news' | 'reread', work: () => Promise<void>): Promise<void> {
    const before = wanted[wish];
    wanted[wish] = false;
    await work().catch((error: unknown) => {
      wanted[wish] ||= before;
      throw error;
    });
  }

  function next(): Promise<void> | null {
    const { complete, photos } = current();
    const rereadPause = photos.length > REREAD_FREELY ? REREAD_PAUSE_MS : 0;
    if (wanted.reread && now() - rereadAt >= rereadPause) return forWish('reread', readAgain);
    const seeking = wanted.photo !== null && photos.every(({ id }) => id !== wanted.photo);
    if (!complete && (wanted.all || seeking)) return forWish('news', () => loadNext(PHOTOS_PER_PAGE_MAX));
    wanted.photo = null;
    if (!complete && wanted.pages > 0) return forWish('news', () => loadNext(PHOTOS_PER_PAGE));
    if (!wanted.news) return null;
    const known = seq;
    if (known !== null) return forWish('news', () => readChanges(known));
    // While the list is incomplete, only the number of photos is of interest; the shortest page contains it.
    return forWish('news', () => loadNext(complete ? PHOTOS_PER_PAGE_MAX : 1));
  }

  async function work(): Promise<void> {
    try {
      for (;;) {
        since.clear();
        const step = next();
        if (!step) break;
        await step;
      }
      if (current().failures > 0) set({ failures: 0 });
    } catch (error) {
      // After a first answer, a failure must not replace the page.
      const { failures, state } = current();
      set({ failures: failures + 1, error: error as Error, ...(state !== 'ready' && { state: 'failed' }) });
    }
  }

  function run(wishes: Partial<typeof wanted>): Promise<void> {
    Object.assign(wanted, wishes);
    return (running ??= Promise.resolve()
      .then(work)
      .finally(() => (running = null)));
  }

  function change(ids: readonly string[], changes: Partial<Photo>): void {
    if (ids.length === 0) return;
    for (const id of ids) if (since.get(id) !== null) since.set(id, { ...since.get(id), ...changes });
    const meant = new Set(ids);
    set({ photos: current().photos.map((photo) => (meant.has(photo.id) ? { ...photo, ...changes } : photo)) });
  }

  function remove(ids: readonly string[]): void {
    for (const id of ids) since.set(id, null);
    const meant = new Set(ids);
    const { photos, total } = current();
    const left = photos.filter(({ id }) => !meant.has(id));
    if (left.length < photos.length) set({ photos: left, total: total - (photos.length - left.length) });
  }

  return {
    current,
    subscribe,
    /** Loads so many further pages; does nothing while pages are being loaded. */
    load: (pages: number): Promise<void> => run({ pages: Math.max(wanted.pages, pages) }),
    /** Loads all photos: only then they can be shown in another order. */
    all: (): Promise<void> => run({ all: true }),
    /** Loads on until this photo or the end is reached. */
    find: (id: string): Promise<void> => run({ photo: id }),
    /** Loads new photos if the list is complete, else only their number. */
    loadNew: (): Promise<void> => run({ news: true }),
    /** Repeats the failed request. */
    retry(): Promise<void> {
      if (current().state === 'failed') set({ state: 'loading' });
      return run({});
    },
    /** Applies live news. Null means unknown changes: requests the changes, or the whole list if it has no change numbers. */
    async news(news: LiveNews | null): Promise<void> {
      // With a change number the changes alone are requested.
      if (!news) return run({ news: true, reread: wanted.reread || seq === null });
      const put = (shown: boolean): string[] => Object.keys(news.slideshow).filter((id) => news.slideshow[id] === shown);
      remove(shownOnly ? [...news.gone, ...put(false)] : news.gone);
      // A photo that was put back may be in an answer in flight.
      if (shownOnly) for (const id of put(true)) since.delete(id);
      for (const id of news.posters) change([id], withPoster(id));
      change(news.received ?? [], { state: 'received' });
      change(news.unreadable ?? [], { state: 'unreadable' });
      for (const id of news.replaced ?? []) change([id], { ...withPoster(id, 'replaced'), state: 'stored', replaced: true });
      change(put(true), decided(true));
      // A photo that was taken out may wait for its release again; only the list tells.
      change(put(false), { slideshow: false });
    },
    change,
    remove,
  };
}

/** A photo's fields after somebody has put it into the slideshow, or taken it out. */
export type Decided = Pick<Photo, 'slideshow' | 'waiting'>;
export const decided = (shown: boolean): Decided => ({ slideshow: shown, waiting: undefined });

/** Compares by time of receipt: photos are loaded in the order of storing, and two that came together may have been received otherwise. */
function byReceipt(a: Photo, b: Photo): number {
  return a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at);
}

/** Returns `fresh`, with the objects of `before` wherever they are equal. */
export function reconcile<P extends { id: string }>(before: readonly P[], fresh: readonly P[]): P[] {
  const known = new Map(before.map((photo) => [photo.id, photo]));
  return fresh.map((photo) => {
    const same = known.get(photo.id);
    // Most of 10,000 photos are the very same objects; a comparison of their JSON would take a television half a second.
    return same && (same === photo || JSON.stringify(same) === JSON.stringify(photo)) ? same : photo;
  });
}
