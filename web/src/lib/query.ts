import { useState, useSyncExternalStore } from 'react';

const never = (): (() => void) => () => undefined;

/**
 * Returns a value that only the browser knows, and its setter. The value is `drawn` while the server renders and the browser hydrates, so
 * that both render the same; then it is the answer of `read`, until `set` is called.
 */
export function useBrowserValue<T extends string | number | boolean | null>(read: () => T, drawn: T): [T, (value: T) => void] {
  const known = useSyncExternalStore(never, read, () => drawn);
  const [own, set] = useState<{ value: T } | null>(null);
  return [own ? own.value : known, (value) => set({ value })];
}

/** Reads a query parameter of the page's address; empty on the server, which renders one page for all. */
export function queryParameter(name: string): string {
  if (typeof window === 'undefined') return '';
  return new URLSearchParams(window.location.search).get(name) ?? '';
}
