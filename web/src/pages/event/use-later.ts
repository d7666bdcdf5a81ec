import { useEffect, useState } from 'react';

type Later = typeof import('./later.tsx');

/** Where it did not come, it is asked for again after this time; some browsers need a reload all the same. */
const AGAIN_MS = 5_000;

/** What the page needs after its first paint: loaded once it is there, while there is a network; null until then. */
export function useLater(): Later | null {
  const [later, setLater] = useState<Later | null>(null);
  useEffect(() => {
    let timer = 0;
    const load = (): void => void import('./later.tsx').then(setLater, () => (timer = window.setTimeout(load, AGAIN_MS)));
    load();
    return () => clearTimeout(timer);
  }, []);
  return later;
}
