/** Values that change together, for `useSyncExternalStore`. */
export function createStore<State extends object>(initial: State) {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    /** The same object until something changes. */
    current: (): State => state,
    /** Calls back after each change; returns what ends that. */
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
