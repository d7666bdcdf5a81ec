import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * For fields of pages that the server draws: what a person or a password manager typed before the page's code had loaded is
 * read by `take`, once; else React's state would not contain what the field shows.
 */
export function useTyped<E extends HTMLInputElement | HTMLTextAreaElement>(
  value: unknown,
  take: (element: E) => void,
): RefObject<E | null> {
  const field = useRef<E>(null);
  const takeOver = useEffectEvent((element: E) => {
    if (element.value !== '' && element.value !== value) take(element);
  });
  // Before the form can be sent.
  useLayoutEffect(() => {
    if (field.current) takeOver(field.current);
  }, []);
  return field;
}
