import { PHOTOS_PER_PAGE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListState, PhotoList } from '../lib/photo-list.ts';
import type { GridHandle } from './grid/photo-grid.tsx';
import { useOpenPhoto } from './viewer/use-open-photo.ts';
import { endOpening, openOutOfTile } from './viewer/zoom.ts';

/**
 * Keeps the photo in full screen: `index` is its place among the shown ones, or -1. If it is deleted, the next photo takes its place, or
 * the one before. A page of photos is loaded ahead. When the viewer closes, the grid focuses the photo that was seen last.
 */
export function useViewer(
  shown: readonly Photo[],
  { find, load }: Pick<PhotoList, 'find' | 'load'>,
  { state, complete }: Pick<ListState<object>, 'state' | 'complete'>,
) {
  const [open, show] = useOpenPhoto();
  const grid = useRef<GridHandle>(null);
  /** The photo that the viewer showed last. */
  const seen = useRef<string | null>(null);
  /** The last known index of the photo in full screen. */
  const [place, setPlace] = useState(-1);
  const found = open === null ? -1 : shown.findIndex(({ id }) => id === open);
  if ((found >= 0 || open === null) && place !== found) setPlace(found);
  const lost = state === 'ready' && found < 0 ? open : null;
  const index = lost === null ? found : Math.min(place, shown.length - 1);
  const heir = lost === null ? undefined : shown[index]?.id;
  useEffect(() => {
    if (lost === null) return;
    // After a reload the photo may be on a page that is not loaded yet; an unknown id is removed from the address.
    if (heir !== undefined || complete) show(heir ?? null);
    else void find(lost);
  }, [lost, heir, complete, find, show]);

  // The grid behind the viewer stands still, and asks for nothing.
  const nearEnd = index >= 0 && !complete && index + PHOTOS_PER_PAGE >= shown.length;
  useEffect(() => {
    if (nearEnd) void load(1);
  }, [nearEnd, load, shown.length]);

  useEffect(() => {
    if (open === null && seen.current !== null) {
      endOpening();
      grid.current?.focus(seen.current);
    }
    seen.current = open;
  }, [open]);

  const onOpen = useCallback(
    (id: string): void => {
      openOutOfTile(id);
      show(id);
    },
    [show],
  );
  return { index, show, onOpen, grid };
}
