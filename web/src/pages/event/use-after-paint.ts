import { useLazyModule } from '../../lib/use-lazy-module.ts';

const loadAfterPaint = () => import('./after-paint.tsx');

/** The code that the page needs after its first paint; null until it is there. */
export const useAfterPaint = () => useLazyModule(loadAfterPaint, true);
