import type { Photo } from '@feierbild/contract/entities.ts';
import { tryAgain } from '../../lib/backoff.ts';
import { nextComing } from './show.ts';
import type { Show } from './show-state.ts';

/** Number of failures that count, after which a newcomer waits for its place in the order. */
const MOST_FAILURES = 3;

interface Deps {
  /** Returns the running show; null once it is over. */
  show(): Show<Photo> | null;
  load(photo: Photo): Promise<unknown>;
  /** Returns the number of photos whose picture has come since the page began. */
  came(): number;
  /** Called when a newcomer's picture is loaded, or given up. */
  onSettled(id: string, loaded: boolean): void;
}

/**
 * Loads the pictures of newcomers. A failure counts where pictures of others have come since the one before; elsewhere the line is gone,
 * and the newcomer is tried after ever longer pauses until it is back. Meanwhile others get their turn.
 */
export function createNewcomers({ show, load, came, onSettled }: Deps) {
  const loading = new Set<string>();
  /** Newcomers in a pause. */
  const resting = new Set<string>();
  /** The number of failures of each newcomer, of those that count, and `came` at the last one. */
  const failures = new Map<string, { all: number; counted: number; came: number }>();

  function settle(id: string, loaded: boolean): void {
    failures.delete(id);
    onSettled(id, loaded);
  }

  function failed(id: string, began: number): void {
    const before = failures.get(id) ?? { all: 0, counted: 0, came: began };
    const counted = before.counted + (came() > before.came ? 1 : 0);
    if (counted === MOST_FAILURES) return settle(id, false);
    failures.set(id, { all: before.all + 1, counted, came: came() });
    resting.add(id);
    tryAgain(before.all, () => {
      resting.delete(id);
      next();
    });
  }

  /** Loads as many newcomers' pictures as may be loaded now. */
  function next(): void {
    const now = show();
    const photo = now && nextComing({ ...now, coming: now.coming.filter(({ id }) => !resting.has(id)) }, loading);
    if (!photo) return;
    const { id } = photo;
    const began = came();
    loading.add(id);
    const end = (ended: () => void) => (): void => {
      loading.delete(id);
      ended();
      next();
    };
    load(photo).then(
      end(() => settle(id, true)),
      end(() => failed(id, began)),
    );
    next();
  }
  return { next, loading };
}
