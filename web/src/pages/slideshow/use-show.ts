import { SLIDESHOW_CACHE, SLIDESHOW_INTERVAL, SLIDESHOW_PRELOAD } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { tryAgain } from '../../lib/backoff.ts';
import { refreshed, slideOf, startRun, stepped, type Run } from './order.ts';
import { previewFor } from '../../video/video.ts';

/** After a full round of failures: the pause doubles from one picture's time up to this, ms. */
const LONGEST_PAUSE_MS = 120_000;
/** A video reports its end itself (layer.tsx); this is for one that ended while the slideshow was paused. */
const LONGEST_VIDEO_MS = 21_000;

/** A loaded photo and its place in the list. */
export interface LoadedPhoto {
  photo: Photo;
  place: number;
  image: HTMLImageElement;
}

/** One photo, or two portraits side by side. */
export interface Slide {
  /** Of its first photo. */
  id: string;
  pictures: readonly LoadedPhoto[];
  isNew: boolean;
}

/**
 * What is shown. A picture is shown when it is loaded; until then, the last one stays. One that fails is passed
 * over; when all have failed in a row, the network is gone: then one is tried after ever longer pauses, until it is back.
 * `shown` is null until its picture is loaded, and when it was removed; `step` goes on to the next (1) or back to the last (-1).
 */
export function useShow(photos: readonly Photo[], playing: boolean): { shown: Slide | null; step(by: 1 | -1): void } {
  const [pictures] = useState(createPictures);
  /** Another object with each step, which begins anew what failed. */
  const [wanted, setWanted] = useState<{ run: Run<Photo>; by: 1 | -1 }>(() => ({ run: startRun(photos, isWide()), by: 1 }));
  const [slide, setSlide] = useState<Slide | null>(null);
  const trouble = useRef({ failures: 0, pauses: 0 });
  // A fresh list: the current slide stays if it is still in it.
  if (wanted.run.photos !== photos) setWanted({ ...wanted, run: refreshed(wanted.run, photos) });
  const { id } = slideOf(wanted.run)[0];
  const settled = slide?.id === id;
  const video = slide?.pictures.some(({ photo }) => photo.video) === true;

  const step = useCallback((by: 1 | -1) => setWanted(({ run }) => ({ run: { ...stepped(run, by), pairs: isWide() }, by })), []);

  useEffect(() => {
    let cancel = (): void => undefined;
    let current = true;
    const { run, by } = wanted;
    const load = async (photo: Photo): Promise<LoadedPhoto> => ({ photo, place: 0, image: await pictures.load(previewFor(photo)) });
    const [first, second] = slideOf(run);
    // Without its second picture the first is shown alone.
    Promise.all([load(first), second && load(second).catch(() => undefined)]).then(
      (loaded) => {
        if (!current) return;
        trouble.current = { failures: 0, pauses: 0 };
        setSlide({ id: first.id, pictures: loaded.filter((one) => one !== undefined), isNew: run.newcomer !== null });
        let ahead = run;
        let asked = 0;
        while (asked < Math.min(SLIDESHOW_PRELOAD, run.photos.length - 1)) {
          ahead = stepped(ahead, 1);
          const next = slideOf(ahead);
          asked += next.length;
          for (const photo of next) pictures.load(previewFor(photo)).catch(() => undefined);
        }
      },
      () => {
        if (!current) return;
        const { failures, pauses } = trouble.current;
        const all = failures + 1 >= run.photos.length;
        trouble.current = all ? { failures, pauses: pauses + 1 } : { failures: failures + 1, pauses };
        if (all) cancel = tryAgain(pauses, () => step(by), SLIDESHOW_INTERVAL, LONGEST_PAUSE_MS);
        else step(by);
      },
    );
    return () => {
      current = false;
      cancel();
    };
  }, [wanted, pictures, step]);

  // By the photo, not by its place: a fresh list does not make it stay longer.
  useEffect(() => {
    if (!playing || !settled) return;
    const timer = setTimeout(() => step(1), video ? LONGEST_VIDEO_MS : SLIDESHOW_INTERVAL);
    return () => clearTimeout(timer);
  }, [playing, settled, video, id, step]);

  useEffect(() => () => pictures.clear(), [pictures]);

  return { shown: useMemo(() => placed(slide, photos), [slide, photos]), step };
}

/** A slide with what is still in the list, and where. */
function placed(slide: Slide | null, photos: readonly Photo[]): Slide | null {
  const pictures = (slide?.pictures ?? [])
    .map((one) => ({ ...one, place: photos.findIndex(({ id }) => id === one.photo.id) }))
    .filter(({ place }) => place >= 0);
  return slide && pictures.length > 0 ? { ...slide, pictures } : null;
}

/** Whether two portraits fit side by side. */
function isWide(): boolean {
  return window.innerWidth > window.innerHeight;
}

/** A lost network may end no request: it is aborted after so long, ms. */
const LOAD_TIMEOUT_MS = 30_000;

/** Pictures in memory, at most 20: those used least recently are removed first, a failed one at once, so that it is tried anew. */
function createPictures() {
  const cache = new Map<string, { loaded: Promise<HTMLImageElement>; ending: AbortController }>();
  /** Elements without a picture, used again: Chromium keeps those that failed in memory, and in a night there are thousands. */
  const spare: HTMLImageElement[] = [];

  /** Ends its loading; a loaded one stays for whoever has it. */
  function drop(url: string): void {
    cache.get(url)?.ending.abort();
    cache.delete(url);
  }

  async function fetchPicture(url: string, signal: AbortSignal): Promise<HTMLImageElement> {
    const image = spare.pop() ?? new Image();
    let timer = 0;
    try {
      await new Promise((come, fail) => {
        image.onload = come;
        image.onerror = fail;
        signal.addEventListener('abort', fail);
        timer = window.setTimeout(fail, LOAD_TIMEOUT_MS);
        image.src = url;
      });
      return image;
    } catch {
      if (!signal.aborted) cache.delete(url);
      image.removeAttribute('src');
      spare.push(image);
      throw new Error('no picture');
    } finally {
      clearTimeout(timer);
      image.onload = image.onerror = null;
    }
  }

  return {
    /** Resolves as soon as the picture can be shown; rejects where it does not come. */
    load(url: string): Promise<HTMLImageElement> {
      const ending = new AbortController();
      const entry = cache.get(url) ?? { loaded: fetchPicture(url, ending.signal), ending };
      // The caller that waits for it gets the error; for a picture that is loaded ahead there is none.
      entry.loaded.catch(() => undefined);
      cache.delete(url);
      cache.set(url, entry);
      for (const oldest of cache.keys()) if (cache.size > SLIDESHOW_CACHE) drop(oldest);
      return entry.loaded;
    },
    clear(): void {
      for (const url of cache.keys()) drop(url);
    },
  };
}
