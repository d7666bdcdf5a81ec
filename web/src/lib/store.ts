/** Creates a store of values that change together, for `useSyncExternalStore`. */
export function createStore<State extends object>(initial: State) {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    /** Returns the same object until something changes. */
    current: (): State => state,
    /** Calls back after each change; returns a function that ends it. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Sets some of the values; the others stay. */
    set(changes: Partial<State>): void {
      state = { ...state, ...changes };
      for (const listener of listeners) listener();
    },
  };
}
