import { useState, useSyncExternalStore } from 'react';

const never = (): (() => void) => () => undefined;

/**
 * A value that only the browser knows, and how it is changed: `drawn` while the server renders and the browser hydrates, so that both render
 * the same; then what `read` says, until `set` was called.
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
