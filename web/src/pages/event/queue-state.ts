import type { Store } from '../../lib/store.ts';
import { isOwed, type Item } from './selection.ts';

/** Least time between two redraws, ms. A timer and not frames: a hidden page has none, but its title tells how many are left. */
const REDRAW_MS = 30;

export interface QueueState {
  items: readonly Item[];
  /** Files are being sent. */
  running: boolean;
  /** Files that did not reach the server are sent again by themselves; stays true during such a run until it has stored one. */
  waiting: boolean;
  /** What another page of this browser has stored, while it is the one that sends. */
  elsewhere: { stored: number; total: number } | null;
  /** The device still loads a chosen file from a cloud. */
  cloud: boolean;
}

export interface QueueStore extends Store<QueueState> {
  /** Changes one item. Listeners hear of such changes together. */
  patch(id: string, changes: Partial<Item>): void;
  close(): void;
}

/** What an upload queue shows of itself. */
export function createQueueStore(): QueueStore {
  let state: QueueState = { items: [], running: false, waiting: false, elsewhere: null, cloud: false };
  let timer = 0;
  const listeners = new Set<() => void>();
  const notify = (): void => listeners.forEach((listener) => listener());

  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(changes) {
      state = { ...state, ...changes };
      state.waiting &&= state.items.some(isOwed);
      notify();
    },
    patch(id, changes) {
      state = { ...state, items: state.items.map((item) => (item.id === id ? { ...item, ...changes } : item)) };
      timer ||= window.setTimeout(() => {
        timer = 0;
        notify();
      }, REDRAW_MS);
    },
    close() {
      clearTimeout(timer);
      timer = 0;
    },
  };
}
