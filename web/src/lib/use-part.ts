import { useEffect, useState } from 'react';

/** A module that did not come is asked for again after this time; some browsers need a reload all the same. */
const AGAIN_MS = 5_000;

/** Code that comes later than its page, once it is wanted and while there is a network; null until then. `load` must stay the same function. */
export function usePart<Part>(load: () => Promise<Part>, wanted: boolean): Part | null {
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
