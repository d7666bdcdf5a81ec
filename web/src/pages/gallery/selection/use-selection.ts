import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { extend, keep, NOTHING, toggle, type Selection } from './selection.ts';

/** Which of the shown photos are selected, and whether a click selects at all. */
export function useSelection(shown: readonly Photo[]) {
  /** Null while nothing is being selected. */
  const [selection, setSelection] = useState<Selection | null>(null);
  const current = useRef(shown);
  useEffect(() => {
    current.current = shown;
  }, [shown]);
  const ids = selection?.ids ?? null;

  return {
    ids,
    /** The selected ones, in the order shown. */
    photos: useMemo(() => (ids && ids.size > 0 ? shown.filter(({ id }) => ids.has(id)) : []), [shown, ids]),
    start: () => setSelection(NOTHING),
    leave: () => setSelection(null),
    /** Starts the selection where there is none; the same at each drawing. */
    select: useCallback((id: string, range: boolean) => {
      const order = current.current.map((photo) => photo.id);
      setSelection((before) => (range ? extend(before ?? NOTHING, order, id) : toggle(before ?? NOTHING, id)));
    }, []),
    /** Of those shown, only these stay selected. */
    restrict(stays: (photo: Photo) => boolean): void {
      const staying = new Set(current.current.filter(stays).map(({ id }) => id));
      setSelection((before) => before && keep(before, (id) => staying.has(id)));
    },
  };
}
