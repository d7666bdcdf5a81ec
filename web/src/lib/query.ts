import { useState, useSyncExternalStore } from 'react';

const never = (): (() => void) => () => undefined;

/**
 * A value that only the browser knows, and its setter. It is `drawn` while the server renders and the browser hydrates, so that both render
 * the same; then the answer of `read`, until `set` is called.
 */
export function useBrowserValue<T extends string | number | boolean | null>(read: () => T, drawn: T): [T, (value: T) => void] {
  const known = useSyncExternalStore(never, read, () => drawn);
  const [own, set] = useState<{ value: T } | null>(null);
  return [own ? own.value : known, (value) => set({ value })];
}

/** A query parameter of the page's address; on the server, which draws a page for all, empty. */
export function queryParameter(name: string): string {
  if (typeof window === 'undefined') return '';
  return new URLSearchParams(window.location.search).get(name) ?? '';
}
