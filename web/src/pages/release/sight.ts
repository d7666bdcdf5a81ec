import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { TOUCH_MS } from '../../lib/touch.ts';

/** The photo that has been on the screen long enough for a decision: its picture, or the place of one that did not come, or that a video has not. */
export type Sight = 'drawn' | 'missing' | null;

/** What a photo shows: its original may turn out to be another picture. */
export const pictureOf = ({ id, replaced }: Photo): string => (replaced ? `${id} replaced` : id);

/** The sight of a picture. `onSight` is told once there is one. */
export function useSight(picture: string | null) {
  const [seen, setSeen] = useState<{ picture: string; sight: Sight } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Not at each change of picture: one that the browser has already is drawn before that effect runs, and its time would
  // be cancelled for good. A time that is over for a picture that has gone changes nothing, as `seen` names it.
  useEffect(() => () => clearTimeout(timer.current), []);
  const onSight = useCallback((which: string, sight: Sight): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // What was seen stays so: a video that was played has a still that does not come.
      setSeen((before) => (before?.picture === which && before.sight === 'drawn' ? before : { picture: which, sight }));
    }, TOUCH_MS);
  }, []);
  return { sight: seen?.picture === picture ? (seen?.sight ?? null) : null, onSight };
}
