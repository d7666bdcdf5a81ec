import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { TOUCH_MS } from '../../lib/touch.ts';

/** The sight that lasted long enough for a decision: the picture (`drawn`), or the place of a missing one; null for neither. */
export type Sight = 'drawn' | 'missing' | null;

/** Identifies a photo's picture, which its original may replace by another one. */
export const pictureOf = ({ id, replaced }: Photo): string => (replaced ? `${id} replaced` : id);

/** Keeps the sight of a picture; `onSight` reports it. */
export function useSight(picture: string | null) {
  const [seen, setSeen] = useState<{ picture: string; sight: Sight } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The timer is not cleared at a change of picture: a cached picture is drawn before such an effect runs, and its time would
  // be cancelled for good. The timer of an earlier picture does no harm, because `seen` names its picture.
  useEffect(() => () => clearTimeout(timer.current), []);
  const onSight = useCallback((which: string, sight: Sight): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // A seen picture stays seen, because the still of a played video may fail to load.
      setSeen((before) => (before?.picture === which && before.sight === 'drawn' ? before : { picture: which, sight }));
    }, TOUCH_MS);
  }, []);
  return { sight: seen?.picture === picture ? (seen?.sight ?? null) : null, onSight };
}
