import { useEffect, useState } from 'react';

/** A module that did not come is asked for again after this time; some browsers need a reload all the same. */
const AGAIN_MS = 5_000;

/** Code that comes later than its page, once it is wanted and while there is a network; null until then. `load` must stay the same function. */
export function useLazyModule<Module>(load: () => Promise<Module>, wanted: boolean): Module | null {
  const [module, setModule] = useState<Module | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let timer = 0;
    let gone = false;
    const ask = (): void =>
      void load().then(setModule, () => {
        if (!gone) timer = window.setTimeout(ask, AGAIN_MS);
      });
    ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [load, wanted]);
  return module;
}
