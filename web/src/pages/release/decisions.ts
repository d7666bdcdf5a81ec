import type { Approval, Photo } from '@feierbild/contract/entities.ts';
import { isRefusal } from '../../api/client.ts';
import type { PhotoList } from '../../lib/photo-list.ts';
import { createStore } from '../../lib/store.ts';

/** Number of decisions that can be undone one after the other. */
const UNDO_STEPS = 50;
/** Number of calls in flight at a time. */
const AT_ONCE = 4;

/** The body of a call about a photo. */
export type Told = { believed: Approval } & ({ value: boolean; replaced: boolean } | { waiting: true });

/** By id: photos with a call in flight, and photos whose decision could not be undone. For these `to` counts, not the list. */
export type Pending = ReadonlyMap<string, { photo: Photo; to: Approval }>;

export interface DecisionsState {
  /** Photos whose decision can be undone, the latest at the end. */
  decided: readonly Photo[];
  pending: Pending;
  /** Number of photos with calls in flight. */
  sending: number;
  /** Number of decisions that did not reach the server. */
  failed: number;
  /** Number of photos about which somebody else decided first. */
  elsewhere: number;
}

/** Returns the photos of the list that will wait once all calls have arrived. */
export function waitingOf(photos: readonly Photo[], pending: Pending): readonly Photo[] {
  if (pending.size === 0) return photos;
  const listed = new Set(photos.map(({ id }) => id));
  const back = [...pending.values()].reverse().flatMap(({ photo, to }) => (to === 'waiting' && !listed.has(photo.id) ? photo : []));
  return [...back, ...photos.filter(({ id }) => (pending.get(id)?.to ?? 'waiting') === 'waiting')];
}

/** Returns the ids of the photos that will be hidden once all calls have arrived. */
export function hiddenOf(pending: Pending): readonly string[] {
  return [...pending].flatMap(([id, { to }]) => (to === 'hidden' ? id : []));
}

/** Keeps one person's decisions about the waiting photos of a list: they count at once, and are sent in turn. */
export function createDecisions(
  list: Pick<PhotoList, 'current' | 'remove' | 'loadNew'>,
  tell: (id: string, told: Told) => Promise<unknown>,
) {
  const { current, subscribe, set } = createStore<DecisionsState>({ decided: [], pending: new Map(), sending: 0, failed: 0, elsewhere: 0 });
  /** The server's state of the photos with a decision of this page. */
  const known = new Map<string, Approval>();
  /** The last call about each photo; it resolves with false if further ones make no sense. */
  const calls = new Map<string, Promise<boolean>>();
  let running = 0;
  const next: (() => void)[] = [];

  const decidedWithout = (id: string): Photo[] => current().decided.filter((photo) => photo.id !== id);

  /** Ends the calls about a photo. `isKept`: the photo waits here until the next decision about it. */
  function settle(id: string, isKept = false): void {
    calls.delete(id);
    const pending = new Map(current().pending);
    if (!isKept) pending.delete(id);
    set({ pending, sending: calls.size });
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => next.push(resolve));
    running += 1;
    return work().finally(() => {
      running -= 1;
      next.shift()?.();
    });
  }

  /** Sends a decision, if it changes the photo. Throws ApiError. */
  async function bring({ id, replaced }: Photo, to: Approval): Promise<void> {
    const isListed = list.current().photos.some((photo) => photo.id === id);
    const believed = isListed ? 'waiting' : (known.get(id) ?? 'waiting');
    if (believed === to) return;
    await inTurn(() =>
      tell(id, to === 'waiting' ? { waiting: true, believed } : { value: to === 'shown', believed, replaced: replaced === true }),
    );
    known.set(id, to);
    if (to !== 'waiting') list.remove([id]);
  }

  async function one(photo: Photo, to: Approval, isLast: () => boolean): Promise<boolean> {
    const { id } = photo;
    try {
      await bring(photo, to);
      if (to === 'waiting' && isLast()) await list.loadNew();
      // The reload of the list may have failed; then the photo stays here.
      if (isLast()) settle(id, to === 'waiting' && list.current().failures > 0);
      return true;
    } catch (error) {
      if (isRefusal(error, 'photo_not_found', 'decided_elsewhere', 'picture_replaced')) {
        const isGone = isRefusal(error, 'photo_not_found');
        // A photo with a replaced picture is shown again, which needs no message.
        const isElsewhere = isRefusal(error, 'decided_elsewhere');
        set({ decided: decidedWithout(id), elsewhere: current().elsewhere + (isElsewhere ? 1 : 0) });
        if (isGone) list.remove([id]);
        else await list.loadNew();
        settle(id);
        return false;
      }
      console.error(error);
      if (!isLast()) return true;
      set({ decided: decidedWithout(id), failed: current().failed + 1 });
      settle(id, to === 'waiting');
      return true;
    }
  }

  function send(photo: Photo, to: Approval): void {
    const { id } = photo;
    const before = calls.get(id);
    const call: Promise<boolean> = Promise.resolve(before ?? true).then((goesOn) => goesOn && one(photo, to, () => calls.get(id) === call));
    calls.set(id, call);
    const pending = new Map(current().pending);
    // The entry moves to the end, because the photo of the latest undo is shown first.
    pending.delete(id);
    set({ pending: pending.set(id, { photo, to }), sending: calls.size });
  }

  return {
    current,
    subscribe,
    decide(photo: Photo, shown: boolean): void {
      set({ decided: [...decidedWithout(photo.id), photo].slice(-UNDO_STEPS) });
      send(photo, shown ? 'shown' : 'hidden');
    },
    /** Undoes the last decision, and returns its photo, which waits again. */
    undo(): Photo | null {
      const photo = current().decided.at(-1);
      if (!photo) return null;
      set({ decided: decidedWithout(photo.id) });
      send(photo, 'waiting');
      return photo;
    },
    /**
     * Shows the photos that waited when the question was asked (`meant`); later ones still wait. Photos that were `hidden` by then stay
     * hidden, even if their call fails: `show` gets the ids which the server still takes for waiting but must not show.
     */
    async showAll(
      { meant, hidden }: { meant: readonly Photo[]; hidden: readonly string[] },
      show: (except: readonly string[]) => Promise<void>,
    ): Promise<void> {
      // A photo of an undone decision waits only once the undo has arrived.
      await Promise.all(calls.values());
      await show(hidden.filter((id) => known.get(id) !== 'hidden'));
      list.remove(meant.map(({ id }) => id));
      await list.loadNew();
    },
    /** Resets the counts of failures after their messages were closed. */
    read: (): void => set({ failed: 0, elsewhere: 0 }),
  };
}
