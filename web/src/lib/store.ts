/** Values that change together, for `useSyncExternalStore`. */
export interface Watched<State> {
  /** The same object until something changes. */
  current(): State;
  /** Calls back after each change; returns what ends that. */
  subscribe(listener: () => void): () => void;
}

export interface Store<State> extends Watched<State> {
  /** Sets some of the values; the others stay. */
  set(changes: Partial<State>): void;
}

export function createStore<State extends object>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(changes) {
      state = { ...state, ...changes };
      for (const listener of listeners) listener();
    },
  };
}
