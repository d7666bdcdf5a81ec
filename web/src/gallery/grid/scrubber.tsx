import { ChevronsUpDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { formatLocal } from '../../lib/format.ts';
import { readingKey } from '../../lib/reading-key.ts';
import { galleryTexts } from '../../texts/guest/gallery.ts';
import { said } from '../../texts/speech.ts';
import { DAY_HEADLINE, legible, type ScaleLabel } from './masonry.ts';
import styles from './scrubber.module.css';

/** Height of the grid in windows up to which a scrubber is of no use. */
const LEAST_WINDOWS = 2.5;
/** Distance between two labels, CSS pixels. */
const LABEL_DISTANCE = 22;
/** Time that the handle stays on a touch screen after the last scrolling. */
const STAYS_MS = 1500;

interface ScrubberProps {
  /** The grid's height, and the part of it in the window (`from` to `to`); CSS pixels. */
  height: number;
  from: number;
  to: number;
  scaleLabels: readonly ScaleLabel[];
  /** The wall-clock time of the first visible photo. */
  time: string;
  /** Whether all photos are loaded. */
  complete: boolean;
  /** Called when somebody is about to use the scrubber, which needs all photos. */
  onReach(): void;
  /** Scrolls this point of the grid to the window's top, CSS pixels. */
  onScrub(top: number): void;
}

/** Makes the format of `17. Mai`, in the page's language. */
const dayFormat = () => new Intl.DateTimeFormat(said('locale', 'de-DE'), { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** A scale of days and hours at the window's side that shows the position and scrolls to each. Touch screens have only its handle. */
export function Scrubber({ height, from, to, scaleLabels, time, complete, onReach, onScrub }: ScrubberProps) {
  const t = galleryTexts.grid;
  const [days] = useState(dayFormat);
  const dayOf = (time: string): string => days.format(Date.parse(`${time.slice(0, 10)}T12:00:00Z`));
  const track = useRef<HTMLDivElement>(null);
  const [dragging, setDragging] = useState(false);
  const [recent, setRecent] = useState(false);
  /** Whether it scrolls on to the last photo, which may still have to be loaded. */
  const [toEnd, setToEnd] = useState(false);
  const [trackHeight, setTrackHeight] = useState(0);
  const seen = to - from;
  const way = Math.max(height - seen, 1);
  const share = Math.min(1, Math.max(0, from / way));
  const useful = seen > 0 && height > seen * LEAST_WINDOWS;
  const labels = useMemo(() => {
    // The window's top reaches no label that is further down.
    const reached = scaleLabels.filter(({ top }) => top <= way);
    return legible(reached, trackHeight / way, LABEL_DISTANCE);
  }, [scaleLabels, trackHeight, way]);

  useEffect(() => {
    const element = track.current;
    if (!element) return;
    const sizes = new ResizeObserver(() => setTrackHeight(element.clientHeight));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [useful]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const scrolled = (): void => {
      setRecent(true);
      clearTimeout(timer);
      timer = setTimeout(() => setRecent(false), STAYS_MS);
    };
    window.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', scrolled);
    };
  }, []);

  // A layout effect: a later effect could run after the next key press and scroll to the end although that key asked for another place.
  useLayoutEffect(() => {
    if (!toEnd) return;
    onScrub(way);
    if (complete) setToEnd(false);
  }, [toEnd, complete, way, onScrub]);

  if (!useful) return null;

  function scrubTo({ clientY }: PointerEvent): void {
    const box = track.current?.getBoundingClientRect();
    if (!box) return;
    onScrub(way * Math.min(1, Math.max(0, (clientY - box.top) / box.height)));
  }

  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    onReach();
    setToEnd(false);
    setDragging(true);
    // A touch screen shows only the handle, which must not jump to the finger.
    if (event.pointerType === 'mouse') scrubTo(event);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const next = keyTarget(readingKey(event.key));
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    onReach();
    setToEnd(event.key === 'End');
    onScrub(Math.min(Math.max(0, next), way));
  }

  /** Returns the point to which a key leads: arrow keys move by the hour, page keys by the day. */
  function keyTarget(key: string): number | undefined {
    const daysOnly = key.startsWith('Page');
    const tops = scaleLabels.filter(({ day }) => day || !daysOnly).map(({ top, day }) => (day ? top - DAY_HEADLINE : top));
    // The day's headline is above its first photo; 2 pixels allow for rounding.
    if (['ArrowDown', 'ArrowRight', 'PageDown'].includes(key)) return tops.find((top) => top > from + 2) ?? way;
    if (['ArrowUp', 'ArrowLeft', 'PageUp'].includes(key)) return tops.filter((top) => top < from - 2).at(-1) ?? 0;
    if (key === 'Home') return 0;
    return key === 'End' ? way : undefined;
  }

  const place = (top: number): string => `${(top / way) * 100}%`;
  return (
    <div
      className={`${styles.scrubber} ${dragging ? styles.dragging : ''} ${recent || dragging ? styles.recent : ''}`}
      onPointerEnter={onReach}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => dragging && scrubTo(event)}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
    >
      <div ref={track} className={styles.track}>
        <div className={styles.labels} aria-hidden="true">
          {labels.map((label) => (
            <span key={`${label.time} ${label.top}`} className={label.day ? styles.day : undefined} style={{ top: place(label.top) }}>
              {label.day ? dayOf(label.time) : t.hour(Number(label.time.slice(11, 13)))}
            </span>
          ))}
        </div>
        {/* A transform moves the handle: another position would count as a layout shift at each movement. */}
        <div className={styles.carrier} style={{ transform: `translateY(${share * 100}%)` }}>
          <div
            role="slider"
            tabIndex={0}
            aria-label={t.scale}
            aria-orientation="vertical"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(share * 100)}
            aria-valuetext={formatLocal(time)}
            className={styles.handle}
            onFocus={onReach}
            onKeyDown={onKeyDown}
          >
            <ChevronsUpDown size={20} />
            <span className={styles.bubble} aria-hidden="true">
              {`${dayOf(time)}, ${time.slice(11, 16)}`}
            </span>
          </div>
        </div>
      </div>
    </div>
  );
}
