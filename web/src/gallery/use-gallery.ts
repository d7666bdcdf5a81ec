import type { Photo } from '@feierbild/contract/entities.ts';
import { useMemo, useState } from 'react';
import type { ListState, PhotoList } from '../lib/photo-list.ts';
import { createSorting, type Sort } from './grid/sorting.ts';
import { useViewer } from './use-viewer.ts';

/**
 * Returns the photos of a gallery in the chosen order and of the chosen sender, and the viewer over them. `isPartial`: the choice applies
 * to the loaded photos only, and more are being loaded. The list is read to its end once somebody chooses.
 */
export function useGallery(
  list: Pick<PhotoList, 'find' | 'load' | 'all'>,
  listed: Pick<ListState<object>, 'photos' | 'state' | 'complete'>,
) {
  const { photos, complete } = listed;
  const [sort, setSort] = useState<Sort>('oldest');
  const [asked, setAsked] = useState('');
  // While pages are missing, each arriving page would rearrange any other order.
  const order = complete ? sort : 'oldest';
  const [sortAll] = useState(createSorting<Photo>);
  // The filter ends when its last photo is gone.
  const { shown, filter } = useMemo(() => sortAll(photos, order, asked), [sortAll, photos, order, asked]);
  const onReach = (): void => void list.all();
  return {
    sort,
    order,
    shown,
    filter,
    isPartial: !complete && (filter !== '' || sort !== 'oldest'),
    onReach,
    onSort(next: Sort): void {
      onReach();
      setSort(next);
    },
    onFilter(next: string): void {
      onReach();
      setAsked(next);
    },
    ...useViewer(shown, list, listed),
  };
}
