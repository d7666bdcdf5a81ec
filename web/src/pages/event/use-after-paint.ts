import { useLazyModule } from '../../lib/use-lazy-module.ts';

/** Code that comes after the page: the first choice needs it, or photos that an earlier page left. */
export const loadAfterPaint = () => import('./after-paint.tsx');

/** The code that the page needs after its first paint; null until it is there. */
export const useAfterPaint = () => useLazyModule(loadAfterPaint, true);
