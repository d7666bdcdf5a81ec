import { PHOTOS_PER_PAGE, PHOTOS_PER_PAGE_MAX } from '@feierbild/contract/constants.ts';
import type { Photo, PhotosAfter } from '@feierbild/contract/entities.ts';
import { createStore, type Watched } from '../../../lib/store.ts';
import { reconcile } from './reconcile.ts';

/** A large gallery is read again as a whole at most so often: with several nodes each upload may ask for it. */
const REREAD_PAUSE_MS = 30_000;
/** Up to so many photos it is cheap, and there is no pause. */
const REREAD_FREELY = 300;

export interface FeedState {
  /** In the order in which they were received. */
  photos: readonly Photo[];
  state: 'loading' | 'ready' | 'failed';
  error: unknown;
  /** Photos that the event has in all. */
  total: number;
  /** All of them were loaded (those that come later are loaded as they come). */
  complete: boolean;
  /** Attempts that failed one after the other. */
  failures: number;
}

/** Up to `limit` photos that were stored after `after`, which is 0 or the `next` of an earlier answer. */
export type ReadAfter = (after: number, limit: number) => Promise<PhotosAfter>;

export interface PhotoFeed extends Watched<FeedState> {
  /** Loads so many further pages; does nothing while pages are being loaded. */
  load(pages: number): Promise<void>;
  /** Loads all photos: only then they can be shown in another order. */
  all(): Promise<void>;
  /** Loads on until this photo or the end is reached. */
  find(id: string): Promise<void>;
  /** Photos came: loads them if the end was reached before, else only their number. */
  loadNew(): Promise<void>;
  /** Photos were deleted or changed, and it is not known which: reads again what was loaded. */
  reread(): Promise<void>;
  /** Goes on with what failed. */
  retry(): Promise<void>;
  change(ids: readonly string[], changes: Partial<Photo>): void;
  remove(ids: readonly string[]): void;
}

/**
 * The event's photos as far as they were loaded. One request is on its way at a time, and none is ever cancelled: what is
 * asked for meanwhile follows it.
 */
export function createPhotoFeed(readAfter: ReadAfter, now: () => number = Date.now): PhotoFeed {
  const { current, subscribe, set } = createStore<FeedState>({
    photos: [],
    state: 'loading',
    error: null,
    total: 0,
    complete: false,
    failures: 0,
  });
  /** Where the next photos begin. */
  let cursor = 0;
  /** What remains to be done; it stays when a request fails. */
  const wanted = { pages: 0, all: false, photo: null as string | null, news: false, reread: false };
  let rereadAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  /** Answers that are on their way may still have them. */
  const removed = new Set<string>();

  /** `total` is of the last answer; where that reached the end, the photos themselves are counted. */
  function show(photos: readonly Photo[], { total, end, complete }: { total: number; end: boolean; complete: boolean }): void {
    const shown = photos.filter(({ id }) => !removed.has(id));
    set({ photos: shown, total: end ? shown.length : total, complete, state: 'ready', error: null });
  }

  async function loadNext(limit: number): Promise<void> {
    const { news } = wanted;
    // Not afterwards: photos may come while the answer is on its way.
    wanted.news = false;
    const { photos, total, next } = await readAfter(cursor, limit).catch((error: unknown) => {
      wanted.news ||= news;
      throw error;
    });
    const end = photos.length < limit;
    cursor = next;
    wanted.pages = end ? 0 : Math.max(wanted.pages - 1, 0);
    wanted.news ||= current().complete && !end;
    show(inOrder([...current().photos, ...photos]), { total, end, complete: current().complete || end });
  }

  /** What did not change stays the very same object, so that it is not drawn anew. */
  async function rereadAll(): Promise<void> {
    const known = cursor;
    let answer: PhotosAfter = { photos: [], total: 0, next: 0 };
    const photos: Photo[] = [];
    wanted.reread = false;
    try {
      do {
        answer = await readAfter(answer.next, PHOTOS_PER_PAGE_MAX);
        photos.push(...answer.photos);
      } while (answer.next < known && answer.photos.length === PHOTOS_PER_PAGE_MAX);
    } catch (error) {
      wanted.reread = true;
      throw error;
    }
    rereadAt = now();
    cursor = Math.max(answer.next, known);
    const end = answer.photos.length < PHOTOS_PER_PAGE_MAX;
    show(reconcile(current().photos, inOrder(photos)), { total: answer.total, end, complete: current().complete || end });
  }

  function next(): Promise<void> | null {
    const { complete, photos } = current();
    const rereadPause = photos.length > REREAD_FREELY ? REREAD_PAUSE_MS : 0;
    if (wanted.reread && now() - rereadAt >= rereadPause) return rereadAll();
    const seeking = wanted.photo !== null && photos.every(({ id }) => id !== wanted.photo);
    if (!complete && (wanted.all || seeking)) return loadNext(PHOTOS_PER_PAGE_MAX);
    wanted.photo = null;
    if (!complete && wanted.pages > 0) return loadNext(PHOTOS_PER_PAGE);
    // Before the end only the number of photos is new, which the shortest page contains.
    if (wanted.news) return loadNext(complete ? PHOTOS_PER_PAGE_MAX : 1);
    return null;
  }

  async function work(): Promise<void> {
    try {
      for (let step = next(); step; step = next()) await step;
      if (current().failures > 0) set({ failures: 0 });
    } catch (error) {
      // Once there was an answer, what fails later must not replace the page.
      const { failures, state } = current();
      set({ failures: failures + 1, ...(state !== 'ready' && { error, state: 'failed' }) });
    }
  }

  function run(wishes: Partial<typeof wanted>): Promise<void> {
    Object.assign(wanted, wishes);
    return (running ??= Promise.resolve()
      .then(work)
      .finally(() => (running = null)));
  }

  return {
    current,
    subscribe,
    load: (pages) => run({ pages: Math.max(wanted.pages, pages) }),
    all: () => run({ all: true }),
    find: (id) => run({ photo: id }),
    loadNew: () => run({ news: true }),
    reread: () => run({ news: true, reread: true }),
    retry() {
      if (current().state === 'failed') set({ state: 'loading' });
      return run({});
    },
    change(ids, changes) {
      const meant = new Set(ids);
      set({ photos: current().photos.map((photo) => (meant.has(photo.id) ? { ...photo, ...changes } : photo)) });
    },
    remove(ids) {
      for (const id of ids) removed.add(id);
      const { photos, total } = current();
      const left = photos.filter(({ id }) => !removed.has(id));
      set({ photos: left, total: total - (photos.length - left.length) });
    },
  };
}

/** Photos are loaded in the order in which they were stored; two that came together may have been received the other way round. */
function inOrder(photos: Photo[]): Photo[] {
  return photos.sort((a, b) => (a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at)));
}
