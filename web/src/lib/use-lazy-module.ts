import { useEffect, useState } from 'react';
import { untilAnswered } from './backoff.ts';

/** Longest pause before a module that did not load is requested again; some browsers need a reload all the same. */
const AGAIN_MS = 5_000;

/** Loads code later than its page, once it is wanted; null until it has come. `load` must stay the same function. */
export function useLazyModule<Module>(load: () => Promise<Module>, wanted: boolean): Module | null {
  const [module, setModule] = useState<Module | null>(null);
  useEffect(() => (wanted ? untilAnswered(load, setModule, AGAIN_MS) : undefined), [load, wanted]);
  return module;
}
