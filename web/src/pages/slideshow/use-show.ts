import { SLIDESHOW_INTERVAL, SLIDESHOW_PRELOAD } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { refreshed, slideOf, startRun, stepped, type Run } from './order.ts';
import { createPictures } from './pictures.ts';

/** After a full round of failures: the pause doubles from one picture's time up to this, ms. */
const LONGEST_PAUSE_MS = 120_000;
/** A video says itself when it is over (film.tsx); this is for one that ended while the slideshow was halted. */
const LONGEST_FILM_MS = 21_000;

/** A photo on the wall and its place in the list. */
export interface Hung {
  photo: Photo;
  place: number;
  image: HTMLImageElement;
}

/** One photo, or two portraits side by side. */
export interface Slide {
  /** Of its first photo. */
  id: string;
  hung: readonly Hung[];
  isNew: boolean;
}

export interface Show {
  /** What is on the wall; null until there is something, and when it was taken out. */
  shown: Slide | null;
  /** On to the next (1) or back to the last (-1). */
  step(by: 1 | -1): void;
}

/**
 * What is on the wall. A picture is shown when it is loaded; until then, the last one stays. One that fails is passed
 * over; when all have failed in a row, the network is gone: then one is tried after ever longer pauses, until it is back.
 */
export function useShow(photos: readonly Photo[], playing: boolean): Show {
  const [pictures] = useState(createPictures);
  const [wanted, setWanted] = useState<{ run: Run<Photo>; by: 1 | -1; attempt: number }>(() => ({
    run: startRun(photos, isWide()),
    by: 1,
    attempt: 0,
  }));
  const [wall, setWall] = useState<Slide | null>(null);
  const trouble = useRef({ failures: 0, pauseMs: SLIDESHOW_INTERVAL });
  // A fresh list: what is on the wall stays there if it is still in it.
  if (wanted.run.photos !== photos) setWanted({ ...wanted, run: refreshed(wanted.run, photos) });
  const { id } = slideOf(wanted.run)[0];
  const settled = wall?.id === id;
  const film = wall?.hung.some(({ photo }) => photo.video) === true;

  const step = useCallback(
    (by: 1 | -1) => setWanted(({ run, attempt }) => ({ run: { ...stepped(run, by), pairs: isWide() }, by, attempt: attempt + 1 })),
    [],
  );

  useEffect(() => {
    let timer = 0;
    let current = true;
    const { run, by } = wanted;
    const hang = async (photo: Photo): Promise<Hung> => ({ photo, place: 0, image: await pictures.load(photo.preview_url) });
    const [first, second] = slideOf(run);
    // Without its second picture the first stands alone.
    Promise.all([hang(first), second && hang(second).catch(() => undefined)]).then(
      (hung) => {
        if (!current) return;
        trouble.current = { failures: 0, pauseMs: SLIDESHOW_INTERVAL };
        setWall({ id: first.id, hung: hung.filter((one) => one !== undefined), isNew: run.newcomer !== null });
        let ahead = run;
        let asked = 0;
        while (asked < Math.min(SLIDESHOW_PRELOAD, run.photos.length - 1)) {
          ahead = stepped(ahead, 1);
          const slide = slideOf(ahead);
          asked += slide.length;
          for (const { preview_url } of slide) pictures.load(preview_url).catch(() => undefined);
        }
      },
      () => {
        if (!current) return;
        const { failures, pauseMs } = trouble.current;
        if (failures + 1 < run.photos.length) {
          trouble.current = { failures: failures + 1, pauseMs };
          step(by);
          return;
        }
        timer = window.setTimeout(again, pauseMs);
        window.addEventListener('online', again);
        trouble.current = { failures, pauseMs: Math.min(pauseMs * 2, LONGEST_PAUSE_MS) };
      },
    );
    const again = (): void => step(by);
    return () => {
      current = false;
      clearTimeout(timer);
      window.removeEventListener('online', again);
    };
  }, [wanted, pictures, step]);

  // By the photo, not by its place: a fresh list does not make it stay longer.
  useEffect(() => {
    if (!playing || !settled) return;
    const timer = setTimeout(() => step(1), film ? LONGEST_FILM_MS : SLIDESHOW_INTERVAL);
    return () => clearTimeout(timer);
  }, [playing, settled, film, id, step]);

  useEffect(() => () => pictures.clear(), [pictures]);

  return { shown: useMemo(() => placed(wall, photos), [wall, photos]), step };
}

/** A slide with what is still in the list, and where. */
function placed(wall: Slide | null, photos: readonly Photo[]): Slide | null {
  const hung = (wall?.hung ?? [])
    .map((one) => ({ ...one, place: photos.findIndex(({ id }) => id === one.photo.id) }))
    .filter(({ place }) => place >= 0);
  return wall && hung.length > 0 ? { ...wall, hung } : null;
}

/** Whether two portraits fit side by side. */
function isWide(): boolean {
  return window.innerWidth > window.innerHeight;
}
