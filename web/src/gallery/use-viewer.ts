import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useRef } from 'react';
import type { ListState, PhotoList } from '../lib/photo-list.ts';
import type { GridHandle } from './grid/photo-grid.tsx';
import { useOpenPhoto } from './viewer/viewer-loader.tsx';
import { endOpening, openOutOfTile } from './viewer/zoom.ts';

/** Which of the shown photos is in full screen: `index` is -1 while none is. Closed, the grid has the focus at the photo that was seen last. */
export function useViewer(
  shown: readonly Photo[],
  { find }: Pick<PhotoList, 'find'>,
  { state, complete }: Pick<ListState<object>, 'state' | 'complete'>,
) {
  const [open, show] = useOpenPhoto();
  const grid = useRef<GridHandle>(null);
  /** The photo that the viewer showed last. */
  const seen = useRef<string | null>(null);
  const index = open === null ? -1 : shown.findIndex(({ id }) => id === open);
  const lost = state === 'ready' && index < 0 ? open : null;
  useEffect(() => {
    if (lost === null) return;
    // After a reload the photo may be on a page that is not loaded yet; an id that is nowhere is removed from the address.
    if (complete) show(null);
    else void find(lost);
  }, [lost, complete, find, show]);

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
