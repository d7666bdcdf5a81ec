import { GALLERY_LOAD_DISTANCE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatDay, plural } from '../../../lib/format.ts';
import { takenTime, uploadTime, type Sort } from './arrange.ts';
import shared from '../gallery.module.css';
import styles from './grid.module.css';
import { columnsFor, createLayouts, movedBy, withinView, type PlacedPhoto } from './masonry.ts';
import { PhotoCard } from './photo-card.tsx';
import { useViewport } from './use-viewport.ts';

interface PhotoGridProps {
  photos: readonly Photo[];
  order: Sort;
  guest: string;
  /** Null while nothing is being selected. */
  selected: ReadonlySet<string> | null;
  onMore(): void;
  onOpen(id: string): void;
  onSelect(id: string, range: boolean): void;
  onToggleSlideshow(photo: Photo): void;
  onBroken(): void;
}

/** The photos by day and in columns. Only what is near the window is in the document; the rest is arithmetic. */
export function PhotoGrid({ photos, order, guest, selected, onMore, onOpen, onSelect, onToggleSlideshow, onBroken }: PhotoGridProps) {
  const ref = useRef<HTMLDivElement>(null);
  const { from, to, width, windowWidth } = useViewport(ref);
  const columns = columnsFor(windowWidth);
  const [layOut] = useState(createLayouts<Photo>);
  const layout = useMemo(
    () => layOut(photos, columns, width, order === 'taken' ? takenTime : uploadTime),
    [layOut, photos, columns, width, order],
  );
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

  // Photos that come or go above the window must not move what is being looked at.
  useLayoutEffect(() => {
    const { arrangement: before, places } = view.current;
    if (before !== arrangement || places.length === 0) return;
    const moved = movedBy(places, layout.photos);
    if (moved === 0) return;
    // Not from where the window is now: a page that has become shorter has already pushed it up.
    window.scrollTo({ top: scrolled.current + moved, behavior: 'instant' });
    scrolled.current = window.scrollY;
  }, [layout, arrangement]);

  useEffect(() => {
    // At the very top newcomers may be seen to arrive.
    view.current = { arrangement, places: from > 0 ? withinView(layout.photos, from, to) : [] };
  }, [layout, arrangement, from, to]);

  const nearEnd = width > 0 && layout.height - to < GALLERY_LOAD_DISTANCE;

  useEffect(() => {
    if (nearEnd) onMore();
  }, [nearEnd, onMore, photos.length]);

  const [first, last] = [from - GALLERY_LOAD_DISTANCE, to + GALLERY_LOAD_DISTANCE];
  return (
    <div ref={ref} className={styles.masonry} style={{ height: layout.height }}>
      {width > 0 && (
        <>
          {layout.days
            .filter(({ top }) => top > first - GALLERY_LOAD_DISTANCE && top < last)
            .map(({ day, top, count }) => (
              <h2 key={day} className={styles.day} style={{ top }}>
                {formatDay(day)} <span className={shared.soft}>{plural(count, '1 Foto', '# Fotos')}</span>
              </h2>
            ))}
          {withinView(layout.photos, first, last).map((place) => (
            <PhotoCard
              key={place.photo.id}
              place={place}
              selected={selected && selected.has(place.photo.id)}
              onOpen={onOpen}
              onSelect={onSelect}
              onToggleSlideshow={onToggleSlideshow}
              onBroken={onBroken}
            />
          ))}
        </>
      )}
    </div>
  );
}
