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

/** A query parameter of the page's address. */
export function queryParameter(name: string): string {
  return new URLSearchParams(window.location.search).get(name) ?? '';
}
