import { useSyncExternalStore } from 'react';

const never = (): (() => void) => () => undefined;

/** False while the server renders and while the browser hydrates, so that both render the same. */
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
