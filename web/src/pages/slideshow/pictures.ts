import { SLIDESHOW_CACHE } from '@feierbild/contract/constants.ts';

/** Limit for loading a picture, because a lost network may end no request. */
const LOAD_TIMEOUT_MS = 30_000;

export type Pictures = ReturnType<typeof createPictures>;

/**
 * Keeps at most 20 pictures in memory. The least recently used one is removed first, a failed one at once, so that it is tried anew. One
 * that is held stays until it is loaded.
 */
export function createPictures() {
  const cache = new Map<string, { loaded: Promise<HTMLImageElement>; cancel(): void }>();
  const held = new Set<string>();
  /** Elements without a picture, to be reused: Chromium keeps failed ones in memory, and a night has thousands. */
  const spare: HTMLImageElement[] = [];

  /** Ends the loading; a loaded picture stays where it is used. */
  function drop(url: string): void {
    cache.get(url)?.cancel();
    cache.delete(url);
  }

  function fetchPicture(url: string): { loaded: Promise<HTMLImageElement>; cancel(): void } {
    const image = spare.pop() ?? new Image();
    let cancel = (): void => undefined;
    const loaded = new Promise<HTMLImageElement>((come, fail) => {
      const over = (): void => {
        clearTimeout(timer);
        image.onload = image.onerror = null;
        cancel = () => undefined;
      };
      const failed = (): void => {
        over();
        if (cache.get(url)?.loaded === loaded) cache.delete(url);
        image.removeAttribute('src');
        spare.push(image);
        fail(new Error('no picture'));
      };
      const timer = setTimeout(failed, LOAD_TIMEOUT_MS);
      cancel = failed;
      image.onload = () => {
        over();
        come(image);
      };
      image.onerror = failed;
      image.src = url;
    });
    // A waiting caller gets the error; a picture that is loaded ahead has no caller.
    loaded.catch(() => undefined);
    return { loaded, cancel: () => cancel() };
  }

  return {
    /** Resolves as soon as the picture can be shown; rejects if it fails to load. */
    load(url: string, hold = false): Promise<HTMLImageElement> {
      const entry = cache.get(url) ?? fetchPicture(url);
      cache.delete(url);
      cache.set(url, entry);
      if (hold) {
        const free = (): void => void held.delete(url);
        held.add(url);
        entry.loaded.then(free, free);
      }
      for (const oldest of cache.keys()) if (cache.size > SLIDESHOW_CACHE && !held.has(oldest)) drop(oldest);
      return entry.loaded;
    },
    drop,
    clear(): void {
      for (const url of cache.keys()) drop(url);
    },
  };
}
