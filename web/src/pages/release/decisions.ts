import type { Approval, Photo } from '@feierbild/contract/entities.ts';
import { isRefusal } from '../../api/client.ts';
import type { PhotoList } from '../../lib/photo-list.ts';
import { createStore } from '../../lib/store.ts';

/** Decisions that can be taken back one after the other. */
const UNDO_STEPS = 50;
/** Calls on their way at a time. */
const AT_ONCE = 4;

/** The body of a call about a photo. */
export type Told = { believed: Approval } & ({ value: boolean; replaced: boolean } | { waiting: true });

/** By id, photos with a call on its way, and photos that could not be taken back: `to` counts, not the list. */
export type Pending = ReadonlyMap<string, { photo: Photo; to: Approval }>;

export interface DecisionsState {
  /** Photos whose decision can be taken back, the last one last. */
  decided: readonly Photo[];
  pending: Pending;
  /** Photos about which calls are on their way. */
  sending: number;
  /** Decisions that did not reach the server. */
  failed: number;
  /** Photos about which somebody else decided first. */
  elsewhere: number;
}

/** The photos of the list that wait once all calls have arrived. */
export function waitingOf(photos: readonly Photo[], pending: Pending): readonly Photo[] {
  if (pending.size === 0) return photos;
  const listed = new Set(photos.map(({ id }) => id));
  const back = [...pending.values()].reverse().flatMap(({ photo, to }) => (to === 'waiting' && !listed.has(photo.id) ? photo : []));
  return [...back, ...photos.filter(({ id }) => (pending.get(id)?.to ?? 'waiting') === 'waiting')];
}

/** Ids of the photos that are hidden once all calls have arrived. */
export function hiddenOf(pending: Pending): readonly string[] {
  return [...pending].flatMap(([id, { to }]) => (to === 'hidden' ? id : []));
}

/** One person's decisions about waiting photos of a list: they count at once, and reach the server in turn. */
export function createDecisions(
  list: Pick<PhotoList, 'current' | 'remove' | 'loadNew'>,
  tell: (id: string, told: Told) => Promise<unknown>,
) {
  const { current, subscribe, set } = createStore<DecisionsState>({ decided: [], pending: new Map(), sending: 0, failed: 0, elsewhere: 0 });
  /** The server's state of photos that were decided about here. */
  const known = new Map<string, Approval>();
  /** The last call about a photo; resolves to whether further ones make sense. */
  const calls = new Map<string, Promise<boolean>>();
  let running = 0;
  const next: (() => void)[] = [];

  const decidedWithout = (id: string): Photo[] => current().decided.filter((photo) => photo.id !== id);

  /** No further call about the photo is on its way. `isKept`: until it is decided about anew, it waits here. */
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

  /** Throws where the server was not reached, or refuses. */
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
      // The list may not have been reached.
      if (isLast()) settle(id, to === 'waiting' && list.current().failures > 0);
      return true;
    } catch (error) {
      if (isRefusal(error, 'photo_not_found', 'decided_elsewhere', 'picture_replaced')) {
        const isGone = isRefusal(error, 'photo_not_found');
        // A replaced picture is asked about again, which says enough.
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
    // Again at the end: the last one taken back waits first.
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
    /** Takes the last decision back; its photo, which waits again. */
    undo(): Photo | null {
      const photo = current().decided.at(-1);
      if (!photo) return null;
      set({ decided: decidedWithout(photo.id) });
      send(photo, 'waiting');
      return photo;
    },
    /**
     * Shows the photos that waited when the question was asked (`meant`); later ones wait on. Photos that were `hidden` by then stay so, even
     * if that call fails. `show` tells the server, with the ids that it must not show although it still takes them for waiting.
     */
    async showAll(
      { meant, hidden }: { meant: readonly Photo[]; hidden: readonly string[] },
      show: (except: readonly string[]) => Promise<void>,
    ): Promise<void> {
      // A photo that was taken back waits only once that has arrived.
      await Promise.all(calls.values());
      await show(hidden.filter((id) => known.get(id) !== 'hidden'));
      list.remove(meant.map(({ id }) => id));
      await list.loadNew();
    },
    /** Failures were read. */
    read: (): void => set({ failed: 0, elsewhere: 0 }),
  };
}
