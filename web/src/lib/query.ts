import { useSyncExternalStore } from 'react';

const never = (): (() => void) => () => undefined;

/** False in documents made by the server and while the browser takes one over, so that both draw the same. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** A query parameter of the page's address; on the server, which draws a page for all, empty. */
export function queryParameter(name: string): string {
  if (typeof window === 'undefined') return '';
  return new URLSearchParams(window.location.search).get(name) ?? '';
}
