import { forget, recall, remember } from '../../../lib/storage.ts';
import type { Item } from '../item.ts';

/** Number of files that are remembered, by their sizes: phones' pickers give a file another time at each choice. */
const REMEMBERED = 20;

const nameOf = ({ size }: Pick<Item, 'size'>): string => String(size);

/** Remembers files whose drawing crashed this browser, so that they are not drawn again. A file is noted while it is drawn. */
export function createCrashes() {
  const crashed = (recall('drawing') ?? '').split(' ').filter(Boolean).slice(-REMEMBERED);
  const drawing = new Set<string>();

  function note(): void {
    const names = [...crashed, ...drawing];
    if (names.length > 0) remember('drawing', names.join(' '));
    else forget('drawing');
  }

  return {
    has: (item: Item): boolean => crashed.includes(nameOf(item)),
    begin(item: Item): void {
      drawing.add(nameOf(item));
      note();
    },
    end(item: Item): void {
      drawing.delete(nameOf(item));
      note();
    },
    /** Clears the notes when the page is left: the files that are being drawn have done no harm. */
    leave(): void {
      drawing.clear();
      note();
    },
  };
}
