import { useEffect, useSyncExternalStore } from 'react';
import { keepList } from './keep-list.ts';
import type { ListState, PhotoList } from './photo-list.ts';

/** Returns the list of an event, which `keepList` keeps up to date while a page shows it. */
export function usePhotoList<Beside extends object>(code: string | null, list: PhotoList<Beside>, pollMs: number): ListState<Beside> {
  const state = useSyncExternalStore(list.subscribe, list.current, list.current);
  useEffect(() => keepList(list, code, () => pollMs), [code, list, pollMs]);
  return state;
}
