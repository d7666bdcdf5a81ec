import { GALLERY_LOAD_DISTANCE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
} from 'react';
import { formatDay } from '../../lib/format.ts';
import type { PhotoList } from '../../lib/photo-list.ts';
import { readingKey } from '../../lib/reading-key.ts';
import { useLazyModule } from '../../lib/use-lazy-module.ts';
import { galleryTexts } from '../../texts/guest/gallery.ts';
import { photoTexts } from '../../texts/guest/photo.ts';
import { takenTime, uploadTime, type Sort } from './sorting.ts';
import styles from './grid.module.css';
import { columnsFor, createLayouts, movedBy, neighbour, scaleLabelsOf, withinView, type PlacedPhoto } from './masonry.ts';
import { PhotoCard, type PhotoActions } from './photo-card.tsx';

const loadScrubber = () => import('./scrubber.tsx');

interface PhotoGridProps {
  photos: readonly Photo[];
  /** Whether all photos are loaded. */
  complete: boolean;
  handle: Ref<GridHandle>;
  order: Sort;
  guest: string;
  /** Ids of the selected photos; null outside of a selection. */
  selected: ReadonlySet<string> | null;
  list: Pick<PhotoList, 'load' | 'all'>;
  actions: PhotoActions;
}

/** The photos by day and in columns. Only cards near the window are in the document; the positions of all others are computed. */
export function PhotoGrid({ photos, complete, handle, order, guest, selected, list, actions }: PhotoGridProps) {
  const ref = useRef<HTMLDivElement>(null);
  const { from, to, width, windowWidth } = useViewport(ref);
  const columns = columnsFor(windowWidth);
  const timeOf = order === 'taken' ? takenTime : uploadTime;
  const [layOut] = useState(createLayouts<Photo>);
  const layout = useMemo(() => layOut(photos, columns, width, timeOf), [layOut, photos, columns, width, timeOf]);
  const scaleLabels = useMemo(() => scaleLabelsOf(layout.photos, timeOf), [layout, timeOf]);
  const view = useRef<{ arrangement: string; places: PlacedPhoto<Photo>[] }>({ arrangement: '', places: [] });
  const arrangement = `${order} ${guest}`;
  /** The window's last scroll position, CSS pixels. */
  const scrolled = useRef(0);

  useEffect(() => {
    const follow = (): void => {
      scrolled.current = window.scrollY;
    };
    follow();
    window.addEventListener('scroll', follow, { passive: true });
    return () => window.removeEventListener('scroll', follow);
  }, []);

  // Photos that come or go above the window must not move those in it.
  useLayoutEffect(() => {
    const { arrangement: before, places } = view.current;
    if (before !== arrangement || places.length === 0) return;
    const moved = movedBy(places, layout.photos);
    if (moved === 0) return;
    // The current scroll position is of no use: the browser reduces it if the page has become shorter.
    window.scrollTo({ top: scrolled.current + moved, behavior: 'instant' });
    scrolled.current = window.scrollY;
  }, [layout, arrangement]);

  useEffect(() => {
    // At the very top, new photos may push the others down.
    view.current = { arrangement, places: from > 0 ? withinView(layout.photos, from, to) : [] };
  }, [layout, arrangement, from, to]);

  // The scrubber is loaded after the first photos, because it would delay them.
  const scrubber = useLazyModule(loadScrubber, photos.length > 0);
  const visible = withinView(layout.photos, from, to)[0];
  const { current, ...focus } = useRovingFocus(ref, layout.photos, visible, { handle, complete, list });

  const nearEnd = width > 0 && layout.height - to < GALLERY_LOAD_DISTANCE;

  useEffect(() => {
    if (nearEnd) void list.load(1);
  }, [nearEnd, list, photos.length]);

  const [first, last] = [from - GALLERY_LOAD_DISTANCE, to + GALLERY_LOAD_DISTANCE];
  const drawn = withinView(layout.photos, first, last);
  // The focused card stays in reading order: if it is moved in the document, it loses the focus.
  if (current && !drawn.includes(current)) drawn.splice(current.index < (drawn[0]?.index ?? 0) ? 0 : drawn.length, 0, current);
  return (
    <>
      <div
        ref={ref}
        role="group"
        aria-label={galleryTexts.grid.label}
        className={styles.masonry}
        style={{ height: layout.height }}
        {...focus}
      >
        {width > 0 && (
          <>
            {layout.days
              .filter(({ top }) => top > first - GALLERY_LOAD_DISTANCE && top < last)
              .map(({ day, top, ...counts }) => (
                <h2 key={day} className={styles.day} style={{ top }}>
                  {formatDay(day)} {/* More photos of the last day may still have to be loaded. */}
                  {(complete || day !== layout.days.at(-1)?.day) && <span className="soft">{photoTexts.counted(counts)}</span>}
                </h2>
              ))}
            {drawn.map((place) => (
              <PhotoCard
                key={place.photo.id}
                place={place}
                selected={selected && selected.has(place.photo.id)}
                reachable={place === current}
                actions={actions}
              />
            ))}
          </>
        )}
      </div>
      {visible && scrubber && (
        <scrubber.Scrubber
          height={layout.height}
          from={from}
          to={to}
          scaleLabels={scaleLabels}
          time={timeOf(visible.photo)}
          complete={complete}
          onReach={() => void list.all()}
          onScrub={(top) => {
            const start = (ref.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
            window.scrollTo({ top: start + top, behavior: 'instant' });
            // Photos that arrive before the next rendering must not scroll the window back.
            scrolled.current = window.scrollY;
            view.current.places = [];
          }}
        />
      )}
    </>
  );
}

/** Returns an element's visible part in its own coordinates, its width and the window's. Changes at most once a frame. */
function useViewport(ref: RefObject<HTMLElement | null>) {
  const [viewport, setViewport] = useState({ from: 0, to: 0, width: 0, windowWidth: 0 });
  useEffect(() => {
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      const box = ref.current?.getBoundingClientRect();
      if (!box) return;
      setViewport({ from: -box.top, to: window.innerHeight - box.top, width: box.width, windowWidth: window.innerWidth });
    };
    const later = (): void => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    const resized = new ResizeObserver(later);
    if (ref.current) resized.observe(ref.current);
    window.addEventListener('scroll', later, { passive: true });
    window.addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
      window.removeEventListener('scroll', later);
      window.removeEventListener('resize', later);
    };
  }, [ref]);
  return viewport;
}

export interface GridHandle {
  /** Focuses a photo and scrolls to it; if it is gone, the photo that has the tab stop. */
  focus(id: string): void;
}

interface Position {
  id: string;
  /** The photo's index in reading order when it got the focus; if it is gone, the next photo has moved up to this index. */
  index: number;
  /** Whether the photo gets the focus as soon as it is rendered. */
  focus: boolean;
}

/**
 * Makes one tab stop for a grid of any size: `current` is the photo that Tab reaches (the first visible one until one had the focus);
 * arrow keys, Home and End move it. It has to stay in the document wherever the window is scrolled to, or the focus would be lost.
 */
function useRovingFocus(
  grid: RefObject<HTMLElement | null>,
  places: readonly PlacedPhoto<Photo>[],
  firstVisible: PlacedPhoto<Photo> | undefined,
  { handle, complete, list }: Pick<PhotoGridProps, 'handle' | 'complete' | 'list'>,
) {
  const [position, setPosition] = useState<Position | null>(null);
  /** Whether the focus goes to the last photo when all are loaded. */
  const [toEnd, setToEnd] = useState(false);
  const focused = useRef(false);
  const current = position ? (find(places, position) ?? places[Math.min(position.index, places.length - 1)]) : firstVisible;

  function moveTo(place: PlacedPhoto<Photo> | undefined): void {
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
    // No event tells that React has removed the card with the focus.
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
      const to = neighbour(places, from, readingKey(key));
      if (from < 0 || !to || ctrlKey || altKey || metaKey) return;
      event.preventDefault();
      const beyond = key === 'End' && !complete;
      if (beyond) void list.all();
      setToEnd(beyond);
      moveTo(to);
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

/** Finds the place of a photo that was at `index` the last time. */
function find(places: readonly PlacedPhoto<Photo>[], { id, index }: Position): PlacedPhoto<Photo> | undefined {
  return places[index]?.photo.id === id ? places[index] : places.find(({ photo }) => photo.id === id);
}
