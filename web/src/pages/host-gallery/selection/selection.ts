import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

/** Keeps the selection among the shown photos, and whether a click selects at all. */
export function useSelection(shown: readonly Photo[]) {
  /** The selection; null while a click opens photos. */
  const [selection, setSelection] = useState<Selection | null>(null);
  const current = useRef(shown);
  useEffect(() => {
    current.current = shown;
  }, [shown]);
  const ids = selection?.ids ?? null;

  return {
    ids,
    /** The selected photos, in the shown order. */
    photos: useMemo(() => (ids && ids.size > 0 ? shown.filter(({ id }) => ids.has(id)) : []), [shown, ids]),
    start: () => setSelection(NOTHING),
    leave: () => setSelection(null),
    /** Selects a photo, and starts the selection if there is none. The function is the same at each rendering. */
    select: useCallback((id: string, range: boolean) => {
      const order = current.current.map((photo) => photo.id);
      setSelection((before) => (range ? extend(before ?? NOTHING, order, id) : toggle(before ?? NOTHING, id)));
    }, []),
    /** Deselects all photos but those of the shown ones for which `stays` holds. */
    restrict(stays: (photo: Photo) => boolean): void {
      const staying = new Set(current.current.filter(stays).map(({ id }) => id));
      setSelection((before) => before && keep(before, (id) => staying.has(id)));
    },
  };
}

/** The ids of the selected photos, and of the one from which a range starts. */
export interface Selection {
  ids: ReadonlySet<string>;
  last: string | null;
}

export const NOTHING: Selection = { ids: new Set(), last: null };

/** Selects or deselects a photo. */
export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, last: id };
}

/** Selects all photos from the last touched one to this, in the shown order; only this one if none was touched. */
export function extend({ ids, last }: Selection, order: readonly string[], id: string): Selection {
  const to = order.indexOf(id);
  const start = last === null ? -1 : order.indexOf(last);
  const from = start < 0 ? to : start;
  return { ids: new Set([...ids, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)]), last: id };
}

/** Keeps only the selected photos for which `stays` holds. */
export function keep({ ids, last }: Selection, stays: (id: string) => boolean): Selection {
  return { ids: new Set([...ids].filter(stays)), last };
}

/** Does work on every item, `limit` at once; returns the failed items with their errors. */
export async function inParallel<T>(items: readonly T[], limit: number, work: (item: T) => Promise<void>): Promise<Map<T, unknown>> {
  const failed = new Map<T, unknown>();
  const rest = items.values();
  async function next(): Promise<void> {
    // All workers share one iterator, so that each item is taken once.
    for (const item of rest) await work(item).catch((error: unknown) => failed.set(item, error));
  }
  await Promise.all(Array.from({ length: limit }, next));
  return failed;
}
