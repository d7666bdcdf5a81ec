import { useEffect, useState } from 'react';
import { untilAnswered } from './backoff.ts';

/** A module that did not come is asked for again after this time at most; some browsers need a reload all the same. */
const AGAIN_MS = 5_000;

/** Code that comes later than its page, once it is wanted and while there is a network; null until then. `load` must stay the same function. */
export function useLazyModule<Module>(load: () => Promise<Module>, wanted: boolean): Module | null {
  const [module, setModule] = useState<Module | null>(null);
  useEffect(() => (wanted ? untilAnswered(load, setModule, AGAIN_MS) : undefined), [load, wanted]);
  return module;
}
