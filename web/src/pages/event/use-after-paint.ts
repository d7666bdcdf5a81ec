import { useLazyModule } from '../../lib/use-lazy-module.ts';

/** Loads the code that comes after the page, for the first choice or for photos that an earlier page left. */
export const loadAfterPaint = () => import('./after-paint.tsx');

/** Returns the code that the page needs after its first paint; null until it has come. */
export const useAfterPaint = () => useLazyModule(loadAfterPaint, true);
