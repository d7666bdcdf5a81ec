import { useState, type ReactNode } from 'react';

/** Keeps a component's input, so that it can be tried. */
export function Stateful<V>({ initial, children }: { initial: V; children(value: V, set: (value: V) => void): ReactNode }) {
  const [value, set] = useState(initial);
  return children(value, set);
}
