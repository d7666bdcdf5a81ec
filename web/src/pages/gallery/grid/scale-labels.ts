import type { PlacedPhoto } from './masonry.ts';

/** Where a new day or a new hour begins among the photos. */
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
