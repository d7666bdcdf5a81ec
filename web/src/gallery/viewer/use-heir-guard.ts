import { useLayoutEffect, useRef } from 'react';
import { TOUCH_MS } from '../../lib/touch.ts';

/**
 * Refuses presses on the viewer's tools (`.tools`) for a moment after a photo has taken the place of one that went by itself: the
 * finger may mean that one. Returns the function to call with the id of a photo that the person moves to.
 */
export function useHeirGuard(id: string | undefined, tools: string): (id: string | undefined) => void {
  const chosen = useRef(id);
  useLayoutEffect(() => {
    if (id === chosen.current) return;
    chosen.current = id;
    const refuse = (event: MouseEvent): void => {
      if (!(event.target as Element).closest(`.${tools}`)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const end = (): void => {
      clearTimeout(timer);
      document.removeEventListener('click', refuse, true);
    };
    document.addEventListener('click', refuse, true);
    const timer = setTimeout(end, TOUCH_MS);
    return end;
  }, [id, tools]);
  return (next) => void (chosen.current = next);
}
