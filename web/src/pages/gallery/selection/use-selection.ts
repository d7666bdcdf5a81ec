import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { extend, keep, NOTHING, toggle, type Selection } from './selection.ts';

export interface SelectionMode {
  active: boolean;
  ids: ReadonlySet<string>;
  /** The selected ones, in the order shown. */
  photos: readonly Photo[];
  start(): void;
  leave(): void;
  /** Starts the mode where it is off. */
  select(id: string, range: boolean): void;
  drop(ids: readonly string[]): void;
  restrict(stays: (photo: Photo) => boolean): void;
}

/** Which of the shown photos are selected, and whether a click selects at all. */
export function useSelection(shown: readonly Photo[]): SelectionMode {
  const [active, setActive] = useState(false);
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const current = useRef(shown);
  useEffect(() => {
    current.current = shown;
  }, [shown]);

  return {
    active,
    ids: selection.ids,
    photos: useMemo(() => (selection.ids.size === 0 ? [] : shown.filter(({ id }) => selection.ids.has(id))), [shown, selection]),
    start: useCallback(() => setActive(true), []),
    leave: useCallback(() => {
      setActive(false);
      setSelection(NOTHING);
    }, []),
    select: useCallback((id, range) => {
      const order = current.current.map((photo) => photo.id);
      setActive(true);
      setSelection((before) => (range ? extend(before, order, id) : toggle(before, id)));
    }, []),
    drop: useCallback((ids) => {
      const done = new Set(ids);
      setSelection((before) => keep(before, (id) => !done.has(id)));
    }, []),
    restrict: useCallback((stays) => {
      const staying = new Set(current.current.filter(stays).map(({ id }) => id));
      setSelection((before) => keep(before, (id) => staying.has(id)));
    }, []),
  };
}
