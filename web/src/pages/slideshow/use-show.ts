import { SLIDESHOW_INTERVAL, SLIDESHOW_PRELOAD } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { refreshed, shownBy, startRun, stepped, type Run } from './order.ts';
import { createPictures } from './pictures.ts';

/** After a full round of failures: the pause doubles from one picture's time up to this, ms. */
const LONGEST_PAUSE_MS = 120_000;

export interface Show {
  /** The photo on the wall and its place in the list; null until there is one, and when it was taken out. */
  shown: { photo: Photo; place: number; image: HTMLImageElement; isNew: boolean } | null;
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
    run: startRun(photos),
    by: 1,
    attempt: 0,
  }));
  const [wall, setWall] = useState<Pick<NonNullable<Show['shown']>, 'photo' | 'image' | 'isNew'> | null>(null);
  const trouble = useRef({ failures: 0, pauseMs: SLIDESHOW_INTERVAL });
  // A fresh list: what is on the wall stays there if it is still in it.
  if (wanted.run.photos !== photos) setWanted({ ...wanted, run: refreshed(wanted.run, photos) });
  const { id, preview_url: url } = shownBy(wanted.run);
  const settled = wall?.photo.id === id;

  const step = useCallback((by: 1 | -1) => setWanted(({ run, attempt }) => ({ run: stepped(run, by), by, attempt: attempt + 1 })), []);

  useEffect(() => {
    let timer = 0;
    let current = true;
    const { run, by } = wanted;
    pictures.load(url).then(
      (image) => {
        if (!current) return;
        trouble.current = { failures: 0, pauseMs: SLIDESHOW_INTERVAL };
        setWall({ photo: shownBy(run), image, isNew: run.newcomer !== null });
        let ahead = run;
        for (let n = 1; n <= Math.min(SLIDESHOW_PRELOAD, run.photos.length - 1); n++) {
          ahead = stepped(ahead, 1);
          pictures.load(shownBy(ahead).preview_url).catch(() => undefined);
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
  }, [wanted, url, pictures, step]);

  // By the photo, not by its place: a fresh list does not make it stay longer.
  useEffect(() => {
    if (!playing || !settled) return;
    const timer = setTimeout(() => step(1), SLIDESHOW_INTERVAL);
    return () => clearTimeout(timer);
  }, [playing, settled, id, step]);

  useEffect(() => () => pictures.clear(), [pictures]);

  const place = wall ? photos.findIndex((photo) => photo.id === wall.photo.id) : -1;
  return { shown: wall && place >= 0 ? { ...wall, place } : null, step };
}
