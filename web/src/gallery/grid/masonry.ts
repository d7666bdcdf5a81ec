import type { Photo } from '@feierbild/contract/entities.ts';
import { uploadTime } from './sorting.ts';

/** Columns by the window's width, CSS pixels. */
export function columnsFor(width: number): number {
  if (width <= 576) return 1;
  if (width <= 768) return 2;
  return width <= 1200 ? 3 : 5;
}

type Sized = Pick<Photo, 'id' | 'width' | 'height' | 'created_at' | 'video'>;

export interface PlacedPhoto<P> {
  photo: P;
  /** Position in reading order, from 0. */
  index: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface PlacedDay {
  /** `YYYY-MM-DD` in Berlin. */
  day: string;
  top: number;
  photos: number;
  videos: number;
}

interface Layout<P> {
  days: PlacedDay[];
  /** In reading order; their tops never fall. */
  photos: PlacedPhoto<P>[];
  height: number;
}

/** Height of a day's headline, CSS pixels. */
export const DAY_HEADLINE = 64;
/** Between cards, CSS pixels. */
const GAP = 10;
/** A card is at least so high (CSS pixels), so that a narrow panorama can be tapped, and at most so many times as high as wide; the picture is cropped. */
const MIN_HEIGHT = 80;
const MAX_RATIO = 3;

/**
 * Places photos day by day in the given order, each in the column that is shortest so far. So further photos at the end move no earlier
 * ones. A place that is as in the layout `before` is that very object: its card is not drawn again.
 */
export function layoutGallery<P extends Sized>(
  photos: readonly P[],
  columns: number,
  width: number,
  timeOf: (photo: P) => string = uploadTime,
  before: Layout<P> | null = null,
): Layout<P> {
  const columnWidth = (width - GAP * (columns - 1)) / columns;
  const days: PlacedDay[] = [];
  let bottoms: number[] = [];
  let height = 0;
  const placed = photos.map((photo, index) => {
    const day = timeOf(photo).slice(0, 10);
    if (days.at(-1)?.day !== day) {
      days.push({ day, top: height, photos: 0, videos: 0 });
      bottoms = Array<number>(columns).fill(height + DAY_HEADLINE);
    }
    (days.at(-1) as PlacedDay)[photo.video ? 'videos' : 'photos']++;
    const column = bottoms.indexOf(Math.min(...bottoms));
    const top = bottoms[column] as number;
    const tall = Math.min(columnWidth * MAX_RATIO, Math.max(MIN_HEIGHT, (columnWidth * photo.height) / photo.width));
    bottoms[column] = top + tall + GAP;
    height = Math.max(height, bottoms[column] as number);
    const place = { photo, index, left: column * (columnWidth + GAP), top, width: columnWidth, height: tall };
    const known = before?.photos[index];
    return known && PLACE.every((name) => known[name] === place[name]) ? known : place;
  });
  return { days, photos: placed, height };
}

/** All that a place is, but its index. */
const PLACE = ['photo', 'left', 'top', 'width', 'height'] as const;

/** A `layoutGallery` that remembers its last answer. */
export function createLayouts<P extends Sized>() {
  let last: Layout<P> | null = null;
  return (photos: readonly P[], columns: number, width: number, timeOf: (photo: P) => string): Layout<P> =>
    (last = layoutGallery(photos, columns, width, timeOf, last));
}

/** The photos within [from, to), CSS pixels from the top. By binary search, because it is called in each frame. */
export function withinView<P>(places: readonly PlacedPhoto<P>[], from: number, to: number): PlacedPhoto<P>[] {
  const tallest = (places[0]?.width ?? 0) * MAX_RATIO;
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as PlacedPhoto<P>).top + tallest <= from) low = middle + 1;
    else high = middle;
  }
  const seen: PlacedPhoto<P>[] = [];
  for (let place = places[low]; place && place.top < to; place = places[++low]) {
    if (place.top + place.height > from) seen.push(place);
  }
  return seen;
}

/** How far the first photo of `before` that is still there has moved down, CSS pixels; 0 where none is left. */
export function movedBy<P extends { id: string }>(before: readonly PlacedPhoto<P>[], now: readonly PlacedPhoto<P>[]): number {
  for (const { photo, index, top } of before) {
    // Mostly photos were only added at the end, and this one has its index still.
    const same = now[index]?.photo.id === photo.id ? now[index] : now.find((place) => place.photo.id === photo.id);
    if (same) return same.top - top;
  }
  return 0;
}

/** The photos at which a new day or hour begins. */
export interface ScaleLabel {
  /** CSS pixels from the grid's top. */
  top: number;
  /** The wall-clock time of its first photo, `YYYY-MM-DDTHH:MM:SS`. */
  time: string;
  /** A day begins, not only an hour. */
  day: boolean;
}

/** The beginnings of days and hours in the order of the photos, whichever that is. */
export function scaleLabelsOf<P>(places: readonly PlacedPhoto<P>[], timeOf: (photo: P) => string): ScaleLabel[] {
  const labels: ScaleLabel[] = [];
  let before = '';
  for (const { photo, top } of places) {
    const time = timeOf(photo);
    const hour = time.slice(0, 13);
    if (hour === before.slice(0, 13)) continue;
    labels.push({ top, time, day: time.slice(0, 10) !== before.slice(0, 10) });
    before = time;
  }
  return labels;
}

/** Those that can be written beside a track without touching one another: days first. `scale` is the track's height by the grid's. */
export function legible(labels: readonly ScaleLabel[], scale: number, distance: number): ScaleLabel[] {
  const kept: ScaleLabel[] = [];
  for (const label of [...labels].sort((a, b) => Number(b.day) - Number(a.day))) {
    if (kept.every(({ top }) => Math.abs(top - label.top) * scale >= distance)) kept.push(label);
  }
  return kept.sort((a, b) => a.top - b.top);
}

/**
 * Where a key leads from the photo at `index`: along the reading order, up and down in the same column, or to the ends; undefined for
 * other keys.
 */
export function neighbour<P>(places: readonly PlacedPhoto<P>[], index: number, key: string): PlacedPhoto<P> | undefined {
  const last = places.length - 1;
  if (key === 'Home') return places[0];
  if (key === 'End') return places[last];
  if (key === 'ArrowLeft') return places[Math.max(index - 1, 0)];
  if (key === 'ArrowRight') return places[Math.min(index + 1, last)];
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const from = places[index];
  const step = key === 'ArrowDown' ? 1 : -1;
  for (let n = index + step; n >= 0 && n <= last; n += step) if (places[n]?.left === from?.left) return places[n];
  return from;
}
