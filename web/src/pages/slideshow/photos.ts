import { PHOTOS_PER_PAGE_MAX, SLIDESHOW_REFRESH } from '@feierbild/contract/constants.ts';
import type { PhotosAfter, SlideshowChanges, SlideshowPage as Page } from '@feierbild/contract/entities.ts';
import { call } from '../../api/client.ts';
import { tryAgain } from '../../lib/backoff.ts';
import type { ListReader } from '../../lib/photo-list.ts';
import { createStore } from '../../lib/store.ts';
import type { ChosenWall } from './follow.ts';

/** The list's other data. `names`: whether the photos have names. */
export type Beside = Pick<Page, 'random' | 'names' | 'palette'>;

/** Makes the reader of the photos in an event's slideshow. */
export function readerOf(code: string): ListReader<Beside> {
  const ask = (query: { after: number } | { seq: number }): Promise<unknown> =>
    call('GET /api/events/:ref/slideshow', { params: { ref: code }, query });
  let named: boolean | null = null;
  return {
    async page(after) {
      const { photos, next, seq, random, names, palette } = (await ask({ after })) as Page;
      named = names;
      return { photos, next: next ?? after, end: next === null, seq, beside: { random, names, palette } };
    },
    async changes(since) {
      const { photos, gone, seq, random, names, palette } = (await ask({ seq: since })) as SlideshowChanges;
      // If names were switched on, the loaded photos lack theirs; if off, theirs must go. So the list is read again.
      return gone === null || names !== named ? null : { photos, gone, seq, beside: { random, names, palette } };
    },
  };
}

/** Reads for the host how many hearts an event's photos have, by their ids; photos without hearts are left out. */
export async function heartsOf(code: string): Promise<ReadonlyMap<string, number>> {
  const hearts = new Map<string, number>();
  for (let after = 0; ;) {
    const query = { after, per_page: PHOTOS_PER_PAGE_MAX };
    const page = (await call('GET /api/events/:ref/photos', { params: { ref: code }, query })) as PhotosAfter;
    for (const photo of page.photos) if (photo.hearts) hearts.set(photo.id, photo.hearts);
    if (page.photos.length < query.per_page) return hearts;
    after = page.next;
  }
}

/** Keeps the host's choice for an event's walls; null until known. `isAsked`: a first request has ended. `reload` reads it again. */
export function keepWall(code: string) {
  const { current, subscribe, set } = createStore<{ wall: ChosenWall | null; isAsked: boolean }>({ wall: null, isAsked: false });
  let asked = 0;
  /** Number of the newest request that was answered. */
  let told = 0;
  let cancel = (): void => undefined;
  const ask = (failures: number): void => {
    const mine = ++asked;
    cancel();
    call('GET /api/events/:ref/wall', { params: { ref: code } }).then(
      (wall) => {
        // An answer may be older than that to a later request; after a restored backup, a newer one has a lower number.
        const before = current().wall;
        if (mine < told && before && before.version > wall.version) return;
        told = Math.max(told, mine);
        set({ wall, isAsked: true });
      },
      () => {
        if (!current().isAsked) set({ isAsked: true });
        if (mine === asked) cancel = tryAgain(failures, () => ask(failures + 1));
      },
    );
  };
  const reload = (): void => ask(0);
  reload();
  setInterval(reload, SLIDESHOW_REFRESH);
  return { current, subscribe, reload };
}
