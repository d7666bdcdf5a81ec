import { SLIDESHOW_CACHE } from '@feierbild/contract/constants.ts';

/** A lost network may end no request: it is aborted after so long, ms. */
const LOAD_TIMEOUT_MS = 30_000;

export interface Pictures {
  /** Resolves as soon as the picture can be shown; rejects where it does not come. */
  load(url: string): Promise<HTMLImageElement>;
  /** Lets go of all of them. */
  clear(): void;
}

interface CachedPicture {
  loaded: Promise<HTMLImageElement>;
  /** Ends its loading; a loaded one stays for whoever has it. */
  drop(): void;
}

/** Pictures in memory, at most 20: those used least recently are removed first, a failed one at once, so that it is tried anew. */
export function createPictures(): Pictures {
  const cache = new Map<string, CachedPicture>();
  /** Elements without a picture, used again: Chromium keeps those that failed in memory, and in a night there are thousands. */
  const spare: HTMLImageElement[] = [];

  function drop(url: string): void {
    cache.get(url)?.drop();
    cache.delete(url);
  }

  function fetchPicture(url: string): CachedPicture {
    const image = spare.pop() ?? new Image();
    let settle!: (there: boolean) => void;
    const loaded = new Promise<HTMLImageElement>((resolve, reject) => {
      const timer = setTimeout(() => settle(false), LOAD_TIMEOUT_MS);
      settle = (there) => {
        settle = () => undefined;
        clearTimeout(timer);
        image.onload = image.onerror = null;
        if (there) return resolve(image);
        if (cache.get(url) === entry) cache.delete(url);
        image.removeAttribute('src');
        spare.push(image);
        reject(new Error('no picture'));
      };
    });
    const entry = { loaded, drop: () => settle(false) };
    image.onload = () => settle(true);
    image.onerror = () => settle(false);
    image.src = url;
    // The caller that waits for it gets the error; for a picture that is loaded ahead there is none.
    loaded.catch(() => undefined);
    return entry;
  }

  return {
    load(url) {
      const entry = cache.get(url) ?? fetchPicture(url);
      cache.delete(url);
      cache.set(url, entry);
      for (const oldest of cache.keys()) if (cache.size > SLIDESHOW_CACHE) drop(oldest);
      return entry.loaded;
    },
    clear() {
      for (const url of cache.keys()) drop(url);
    },
  };
}
