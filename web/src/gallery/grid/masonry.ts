import type { Photo } from '@feierbild/contract/entities.ts';
import { uploadTime } from './sorting.ts';

/** Returns the number of columns for a window's width, CSS pixels. */
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
  /** The photos in reading order; `top` never decreases. */
  photos: PlacedPhoto<P>[];
  height: number;
}

/** Height of a day's headline, CSS pixels. */
export const DAY_HEADLINE = 64;
/** Distance between cards, CSS pixels. */
const GAP = 10;
/** Minimum height of a card, CSS pixels, so that a narrow panorama can be tapped; the picture is cropped. */
const MIN_HEIGHT = 80;
/** Maximum height of a card divided by its width; the picture is cropped. */
const MAX_RATIO = 3;

/**
 * Places photos day by day in the given order, each in the column that is shortest so far, so that further photos at the end move no
 * earlier ones. A place that equals the one in the layout `before` is that very object, so that its card is not rendered again.
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

/** The properties of a place that are compared: all but its index. */
const PLACE = ['photo', 'left', 'top', 'width', 'height'] as const;

/** Makes a `layoutGallery` that remembers its last layout. */
export function createLayouts<P extends Sized>() {
  let last: Layout<P> | null = null;
  return (photos: readonly P[], columns: number, width: number, timeOf: (photo: P) => string): Layout<P> =>
    (last = layoutGallery(photos, columns, width, timeOf, last));
}

/** Finds the photos within [from, to), CSS pixels from the top; by binary search, because it is called in each frame. */
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

/** Returns by how many CSS pixels the first remaining photo of `before` has moved down; 0 if none remains. */
export function movedBy<P extends { id: string }>(before: readonly PlacedPhoto<P>[], now: readonly PlacedPhoto<P>[]): number {
  for (const { photo, index, top } of before) {
    // Usually photos were only added at the end, and this one still has its index.
    const same = now[index]?.photo.id === photo.id ? now[index] : now.find((place) => place.photo.id === photo.id);
    if (same) return same.top - top;
  }
  return 0;
}

/** The beginning of a day or an hour in a grid. */
export interface ScaleLabel {
  /** CSS pixels from the grid's top. */
  top: number;
  /** The wall-clock time of the first photo there, `YYYY-MM-DDTHH:MM:SS`. */
  time: string;
  /** Whether a day begins, not only an hour. */
  day: boolean;
}

/** Returns the beginnings of days and hours in the order of the photos, whichever that is. */
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

/** Selects labels that fit beside a track without touching one another, days first. `scale`: the track's height divided by the grid's. */
export function legible(labels: readonly ScaleLabel[], scale: number, distance: number): ScaleLabel[] {
  const kept: ScaleLabel[] = [];
  for (const label of [...labels].sort((a, b) => Number(b.day) - Number(a.day))) {
    if (kept.every(({ top }) => Math.abs(top - label.top) * scale >= distance)) kept.push(label);
  }
  return kept.sort((a, b) => a.top - b.top);
}

/**
 * Returns the photo to which a key leads from the photo at `index`: along the reading order, up and down in the same column, or to the
 * ends; undefined for other keys.
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
