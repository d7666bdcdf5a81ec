import type { PlacedPhoto } from './masonry.ts';

/** Where a new day or a new hour begins among the photos. */
export interface Mark {
  /** CSS pixels from the grid's top. */
  top: number;
  /** The wall-clock time of its first photo, `YYYY-MM-DDTHH:MM:SS`. */
  time: string;
  /** A day begins, not only an hour. */
  day: boolean;
}

/** The beginnings of days and hours in the order of the photos, whichever that is. */
export function marksOf<P>(places: readonly PlacedPhoto<P>[], timeOf: (photo: P) => string): Mark[] {
  const marks: Mark[] = [];
  let before = '';
  for (const { photo, top } of places) {
    const time = timeOf(photo);
    const hour = time.slice(0, 13);
    if (hour === before.slice(0, 13)) continue;
    marks.push({ top, time, day: time.slice(0, 10) !== before.slice(0, 10) });
    before = time;
  }
  return marks;
}

/** Those that can be written beside a track without touching one another: days first. `scale` is the track's height by the grid's. */
export function legible(marks: readonly Mark[], scale: number, distance: number): Mark[] {
  const kept: Mark[] = [];
  for (const mark of [...marks].sort((a, b) => Number(b.day) - Number(a.day))) {
    if (kept.every(({ top }) => Math.abs(top - mark.top) * scale >= distance)) kept.push(mark);
  }
  return kept.sort((a, b) => a.top - b.top);
}
