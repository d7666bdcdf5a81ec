import { onReturn, tryAgain } from './backoff.ts';
import { watchLive, type LiveNews } from './live.ts';
import type { PhotoList } from './photo-list.ts';
import { throttle } from './throttle.ts';

/** Minimum pause between two requests for new photos. */
const NEWS_PAUSE_MS = 2000;

interface Wall {
  /** Replaces NEWS_PAUSE_MS. */
  pauseMs: number;
  /** Receives all live news. */
  onNews(news: LiveNews | null): void;
}

/**
 * Keeps the list of an event up to date: by live news (none without a `code`), by polling every `pollMs`, and by repeating failed
 * requests. `wall` is set where the page is a wall. Returns a function that ends it.
 */
export function keepList<Beside extends object>(
  list: PhotoList<Beside>,
  code: string | null,
  pollMs: () => number,
  wall?: Wall,
): () => void {
  const loadNew = throttle(() => document.visibilityState === 'visible' && void list.loadNew(), wall?.pauseMs ?? NEWS_PAUSE_MS);
  let timer = 0;
  const poll = (): void => {
    timer = window.setTimeout(() => {
      loadNew();
      poll();
    }, pollMs());
  };
  poll();
  let cancel = (): void => undefined;
  let failed = 0;
  const retry = (): void => {
    const { failures } = list.current();
    if (failures === failed) return;
    failed = failures;
    cancel();
    cancel = failures > 0 ? tryAgain(failures - 1, () => void list.retry()) : () => undefined;
  };
  retry();
  const heard = (news: LiveNews | null): void => {
    void list.news(news);
    loadNew();
    wall?.onNews(news);
  };
  const ends = [list.subscribe(retry), onReturn(loadNew), code === null ? null : watchLive(code, heard, wall !== undefined)];
  return () => {
    clearTimeout(timer);
    cancel();
    loadNew.cancel();
    for (const end of ends) end?.();
  };
}
