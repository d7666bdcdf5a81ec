import {
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
} from 'react';
import type { PlacedPhoto } from './masonry.ts';
import { isGridKey, neighbour } from './neighbour.ts';

export interface GridHandle {
  /** Focuses a photo and scrolls to it; where it is gone, the one in its place. */
  focus(id: string): void;
}

interface Options<P> {
  grid: RefObject<HTMLElement | null>;
  handle: Ref<GridHandle>;
  places: readonly PlacedPhoto<P>[];
  /** The tab stop until a photo had the focus. */
  firstVisible: PlacedPhoto<P> | undefined;
  /** Whether these are all photos; else `loadAll` is called before the last one is gone to. */
  complete: boolean;
  loadAll(): void;
}

interface Position {
  id: string;
  /** Its place in the reading order when it got the focus: where it is gone, the next photo moves up to it. */
  index: number;
  /** To be focused as soon as it is drawn. */
  focus: boolean;
}

/**
 * One tab stop for a grid of any size: `current` is the photo that Tab reaches, arrow keys, Home and End move it. It has to stay in
 * the document wherever the window is scrolled to, or the focus would be lost.
 */
export function useRovingFocus<P extends { id: string }>({ grid, handle, places, firstVisible, complete, loadAll }: Options<P>) {
  const [position, setPosition] = useState<Position | null>(null);
  /** Whether to go to the last photo when all are loaded. */
  const [toEnd, setToEnd] = useState(false);
  const focused = useRef(false);
  const current = position ? (find(places, position) ?? places[Math.min(position.index, places.length - 1)]) : firstVisible;

  function moveTo(place: PlacedPhoto<P> | undefined): void {
    if (place) setPosition({ id: place.photo.id, index: place.index, focus: true });
  }

  if (toEnd && complete) {
    setToEnd(false);
    moveTo(places.at(-1));
  }

  useImperativeHandle(handle, () => ({
    focus: (id) => moveTo(places.find(({ photo }) => photo.id === id) ?? current),
  }));

  const id = current?.photo.id;
  const wanted = position?.focus === true;
  useLayoutEffect(() => {
    // There is no event when React removes the card that has the focus.
    const lost = focused.current && document.activeElement === document.body;
    if (id === undefined || !(wanted || lost)) return;
    const card = grid.current?.querySelector<HTMLElement>(`[data-photo="${CSS.escape(id)}"]`);
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }, [grid, id, wanted, position]);

  return {
    current,
    onKeyDown(event: KeyboardEvent): void {
      const { key, target, ctrlKey, altKey, metaKey } = event;
      const from = places.findIndex(({ photo }) => photo.id === (target as HTMLElement).dataset.photo);
      if (from < 0 || !isGridKey(key) || ctrlKey || altKey || metaKey) return;
      event.preventDefault();
      const beyond = key === 'End' && !complete;
      if (beyond) loadAll();
      setToEnd(beyond);
      moveTo(neighbour(places, from, key));
    },
    onFocus({ target }: FocusEvent<HTMLElement>): void {
      focused.current = true;
      const place = places.find(({ photo }) => photo.id === target.dataset.photo);
      if (place) setPosition({ id: place.photo.id, index: place.index, focus: false });
    },
    onBlur(): void {
      focused.current = false;
    },
  };
}

/** The place of a photo that was at `index` the last time. */
function find<P extends { id: string }>(places: readonly PlacedPhoto<P>[], { id, index }: Position): PlacedPhoto<P> | undefined {
  return places[index]?.photo.id === id ? places[index] : places.find(({ photo }) => photo.id === id);
}
