import { GALLERY_LOAD_DISTANCE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react';
import { formatDay } from '../../../lib/format.ts';
import type { PhotoList } from '../../../lib/photo-list.ts';
import { takenTime, uploadTime, type Sort } from './arrange.ts';
import styles from './grid.module.css';
import { columnsFor, createLayouts, movedBy, withinView, type PlacedPhoto } from './masonry.ts';
import { scaleLabelsOf } from './scale-labels.ts';
import { PhotoCard, type PhotoActions } from './photo-card.tsx';
import { Scrubber } from './scrubber.tsx';
import { useRovingFocus, type GridHandle } from './use-roving-focus.ts';
import { useViewport } from './use-viewport.ts';
import { photosAndVideos } from '../../../video/counts.ts';

interface PhotoGridProps {
  photos: readonly Photo[];
  /** All of them are loaded. */
  complete: boolean;
  handle: Ref<GridHandle>;
  order: Sort;
  guest: string;
  /** Null while nothing is being selected. */
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
  /** Where the window was scrolled to when it was last drawn. */
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
    // Not from the current scroll position: the browser reduces it where the page has become shorter.
    window.scrollTo({ top: scrolled.current + moved, behavior: 'instant' });
    scrolled.current = window.scrollY;
  }, [layout, arrangement]);

  useEffect(() => {
    // At the very top, new photos may push the others down.
    view.current = { arrangement, places: from > 0 ? withinView(layout.photos, from, to) : [] };
  }, [layout, arrangement, from, to]);

  const visible = withinView(layout.photos, from, to)[0];
  const { current, ...focus } = useRovingFocus({
    grid: ref,
    handle,
    places: layout.photos,
    firstVisible: visible,
    complete,
    loadAll: () => void list.all(),
  });

  const nearEnd = width > 0 && layout.height - to < GALLERY_LOAD_DISTANCE;

  useEffect(() => {
    if (nearEnd) void list.load(1);
  }, [nearEnd, list, photos.length]);

  const [first, last] = [from - GALLERY_LOAD_DISTANCE, to + GALLERY_LOAD_DISTANCE];
  const drawn = withinView(layout.photos, first, last);
  // In reading order: a card that is moved in the document would lose the focus.
  if (current && !drawn.includes(current)) drawn.splice(current.index < (drawn[0]?.index ?? 0) ? 0 : drawn.length, 0, current);
  return (
    <>
      <div
        ref={ref}
        role="group"
        aria-label="Fotos, mit den Pfeiltasten zu erreichen"
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
                  {(complete || day !== layout.days.at(-1)?.day) && <span className="soft">{photosAndVideos(counts)}</span>}
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
      {visible && (
        <Scrubber
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
            // Photos that come before the next drawing must not lead back to where the window was.
            scrolled.current = window.scrollY;
            view.current.places = [];
          }}
        />
      )}
    </>
  );
}
