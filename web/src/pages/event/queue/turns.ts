import { OPEN_UPLOAD_BYTES } from '@feierbild/contract/constants.ts';
import { isOwed, type Item } from '../item.ts';

/** Chooses the next file of a run: each is tried once, and together they stay within the bytes that the server keeps open for a device. */
export function createTurns() {
  const tried = new Set<string>();
  /** Bytes of the files that are being sent, by their items. */
  const underWay = new Map<string, number>();
  return {
    /** Returns the next file. Files that failed before come last, because they may fail again and end the run. */
    next(items: readonly Item[]): Item | undefined {
      const open = [...underWay.values()].reduce((sum, bytes) => sum + bytes, 0);
      const fits = ({ size }: Item): boolean => open === 0 || open + size <= OPEN_UPLOAD_BYTES;
      const owed = items.filter((item) => isOwed(item) && !tried.has(item.id) && fits(item));
      return owed.find(({ failure }) => failure === null) ?? owed[0];
    },
    began({ id, size }: Pick<Item, 'id' | 'size'>): void {
      tried.add(id);
      underWay.set(id, size);
    },
    ended: (id: string): unknown => underWay.delete(id),
  };
}
