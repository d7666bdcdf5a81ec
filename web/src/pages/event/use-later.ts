import { useLazyModule } from '../../lib/use-lazy-module.ts';

const loadLater = () => import('./later.tsx');

/** The code that the page needs after its first paint; null until it is there. */
export const useLater = () => useLazyModule(loadLater, true);
