import { PHOTOS_PER_PAGE, PHOTOS_PER_PAGE_MAX } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { createStore } from './store.ts';
import type { LiveNews } from './live.ts';
import { withPoster } from '../video/video.ts';

/** A large list is read again as a whole at most so often: with several nodes each upload may ask for it. */
const REREAD_PAUSE_MS = 30_000;
/** Up to so many photos it is cheap, and there is no pause. */
const REREAD_FREELY = 300;

/** Some photos in the order in which they were stored. */
export interface ListPage<Beside> {
  photos: readonly Photo[];
  /** The position behind these photos: `after` of the next page. */
  next: number;
  /** No more exist. */
  end: boolean;
  /** Photos in the list in all, where that is known. */
  total?: number;
  /** The number of the last change that the page contains. */
  seq?: number;
  beside: Beside;
}

/** Changes of a list since an earlier one. */
export interface ListChanges<Beside> {
  /** New photos and changed ones. */
  photos: readonly Photo[];
  gone: readonly string[];
  /** Photos in the list in all, where that is known. */
  total?: number;
  seq: number;
  beside: Beside;
}

/** Asks the server. */
export interface ListReader<Beside> {
  /** Up to `limit` photos that were stored after `after`, which is 0 or the `next` of an earlier page. */
  page(after: number, limit: number): Promise<ListPage<Beside>>;
  /** The changes after `seq`; null: too many, all must be read again. A reader without it finds new photos by their position. */
  changes?(seq: number): Promise<ListChanges<Beside> | null>;
}

export interface ListState<Beside> {
  /** In the order in which they were received. */
  photos: readonly Photo[];
  /** What the last answer had beside photos; null before the first. */
  beside: Beside | null;
  state: 'loading' | 'ready' | 'failed';
  /** Why the last request failed. */
  error: Error | null;
  /** Photos that there are in all. */
  total: number;
  /** All of them were loaded (those that come later are loaded as they come). */
  complete: boolean;
  /** Attempts that failed one after the other. */
  failures: number;
}

export type PhotoList<Beside extends object = object> = ReturnType<typeof createPhotoList<Beside>>;

interface ListOptions {
  /** The list has only photos that are in the slideshow. */
  shownOnly?: boolean;
  now?: () => number;
}

/**
 * An event's photos as far as they were loaded, kept up to date: the host's gallery and the wall. One request is on its way at a time, and
 * none is ever cancelled: what is asked for meanwhile follows it.
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
  /** Where the next photos begin. */
  let cursor = 0;
  /** When the last photo of the loaded pages was received. */
  let reach = '';
  /** The last change that the photos contain, where the reader counts them. */
  let seq: number | null = null;
  /** Work that remains; it stays when a request fails. */
  const wanted = { pages: 0, all: false, photo: null as string | null, news: false, reread: false };
  let rereadAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  /** Changes (null: deletion) since the current request began: its answer may be older. */
  const since = new Map<string, Partial<Photo> | null>();

  /** Takes an answer over. What is as before stays the very same object, so that it is not drawn anew. */
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
    // One that was stored late may have come before, by its change.
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
    // Changes from the time of the later pages are asked for next.
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
    // Before the end, those behind the loaded pages come with their page.
    const here = complete ? changes.photos : changes.photos.filter(({ created_at }) => created_at <= reach);
    show([...photos.filter(({ id }) => !out.has(id)), ...here], { ...changes, end: complete });
  }

  /** A wish is taken back before it is worked on, because it may come again meanwhile; where that fails, it is still there. */
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
    // Before the end only the number of photos is new, which the shortest page contains.
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
      // Once there was an answer, what fails later must not replace the page.
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
    /** Photos came: loads them if the end was reached before, else only their number. */
    loadNew: (): Promise<void> => run({ news: true }),
    /** Repeats the failed request. */
    retry(): Promise<void> {
      if (current().state === 'failed') set({ state: 'loading' });
      return run({});
    },
    /** Applies live news, and asks for the photos that the news only name; null: the changes are unknown. */
    async news(news: LiveNews | null): Promise<void> {
      // Numbered changes are asked for one by one.
      if (!news) return run({ news: true, reread: wanted.reread || seq === null });
      const put = (shown: boolean): string[] => Object.keys(news.slideshow).filter((id) => news.slideshow[id] === shown);
      remove(shownOnly ? [...news.gone, ...put(false)] : news.gone);
      // Put back, it may be in an answer that is on its way.
      if (shownOnly) for (const id of put(true)) since.delete(id);
      for (const id of news.posters) change([id], withPoster(id));
      change(news.received ?? [], { state: 'received' });
      change(news.unreadable ?? [], { state: 'unreadable' });
      for (const id of news.replaced ?? []) change([id], { ...withPoster(id, 'replaced'), state: 'stored', replaced: true });
      change(put(true), decided(true));
      // Taken out, it may wait again: only the list says so.
      change(put(false), { slideshow: false });
    },
    change,
    remove,
  };
}

/** What a photo is once somebody has put it into the slideshow, or taken it out. */
export type Decided = Pick<Photo, 'slideshow' | 'waiting'>;
export const decided = (shown: boolean): Decided => ({ slideshow: shown, waiting: undefined });

/** Photos are loaded in the order in which they were stored; two that came together may have been received the other way round. */
function byReceipt(a: Photo, b: Photo): number {
  return a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at);
}

/** `fresh`, with the objects of `before` wherever they are equal. */
export function reconcile<P extends { id: string }>(before: readonly P[], fresh: readonly P[]): P[] {
  const known = new Map(before.map((photo) => [photo.id, photo]));
  return fresh.map((photo) => {
    const same = known.get(photo.id);
    // Of 10,000 photos most are the very objects: to compare their texts takes a television half a second.
    return same && (same === photo || JSON.stringify(same) === JSON.stringify(photo)) ? same : photo;
  });
}
