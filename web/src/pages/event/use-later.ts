import { useEffect, useState } from 'react';

/** What the page needs after its first paint. */
export type Later = typeof import('./later.tsx');
/** What the page does for videos. */
export type Videos = typeof import('./videos.ts');

/** What did not come is asked for again after this time; some browsers need a reload all the same. */
const AGAIN_MS = 5_000;
const loadLater = (): Promise<Later> => import('./later.tsx');
const loadVideos = (): Promise<Videos> => import('./videos.ts');

/** Loaded once the page is there, while there is a network; null until then. */
export const useLater = (): Later | null => usePart(loadLater, true);

/** Loaded where there may be some; null until it is there. Who sends photos only loads none of it. */
export const useVideos = (wanted: boolean): Videos | null => usePart(loadVideos, wanted);

function usePart<Part>(load: () => Promise<Part>, wanted: boolean): Part | null {
  const [part, setPart] = useState<Part | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let timer = 0;
    let gone = false;
    const ask = (): void =>
      void load().then(setPart, () => {
        if (!gone) timer = window.setTimeout(ask, AGAIN_MS);
      });
    ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [load, wanted]);
  return part;
}
