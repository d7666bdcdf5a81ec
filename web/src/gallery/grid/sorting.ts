import { berlinTime } from '@feierbild/contract/berlin.ts';
import type { Photo } from '@feierbild/contract/entities.ts';

/** The orders a gallery can have; `oldest` is the server's own. */
export const SORTS = {
  newest: 'Zuletzt hochgeladen',
  oldest: 'Zuerst hochgeladen',
  taken: 'Aufnahmezeit',
} as const;
export type Sort = keyof typeof SORTS;

type Timed = Pick<Photo, 'created_at' | 'taken_at'>;
type FromGuest = Pick<Photo, 'device' | 'hearts' | 'heart' | 'own'>;

const hours = new Map<string, string>();

/**
 * Returns the time at which the server received a photo, as Berlin's wall-clock time. Time zone conversion is slow, and Berlin is whole
 * hours ahead of UTC: one conversion serves all photos of an hour.
 */
export function uploadTime({ created_at }: Pick<Timed, 'created_at'>): string {
  return localHour(created_at.slice(0, 13)) + created_at.slice(13, 19);
}

function localHour(hour: string): string {
  const local = hours.get(hour) ?? berlinTime(Date.parse(`${hour}:00:00Z`)).slice(0, 13);
  hours.set(hour, local);
  return local;
}

/** Returns the camera's wall-clock time, else the time of the upload. */
export function takenTime(photo: Timed): string {
  return photo.taken_at ?? uploadTime(photo);
}

/** Hours that may occur twice: Berlin's clock goes back on the last Sunday of October. */
const TWICE = /^\d{4}-10-(2[5-9]|3[01])T02/;

/** Returns the sort key of a photo: in autumn's double hour, a photo counts to the second one if it was sent after its time there. */
function orderOf(photo: Timed): string {
  const time = takenTime(photo);
  const day = time.slice(0, 10);
  const isTwice = TWICE.test(time) && localHour(`${day}T00`) === localHour(`${day}T01`);
  if (!isTwice || photo.created_at < `${day}T01${time.slice(13)}`) return time;
  return time.replace(':', ';');
}

/** Filters other than a guest's name; they begin with a line feed, which no guest's name does. */
export const ONLY = { hearts: '\nhearts', own: '\nown', day: (day: string) => `\nday ${day}` };

/** Tells whether a filter (a guest's name, a value of `ONLY`, or '' for all) lets a photo through. */
export function isAsked(photo: Pick<Timed, 'created_at'> & FromGuest, asked: string): boolean {
  if (asked === ONLY.hearts) return photo.heart === true || (photo.hearts ?? 0) > 0;
  if (asked === ONLY.own) return photo.own === true;
  if (asked.startsWith('\n')) return asked === ONLY.day(uploadTime(photo).slice(0, 10));
  return asked === '' || photo.device.name === asked;
}

/** Filters ('' for all) and sorts photos. `photos` come oldest upload first; equal times keep that order. */
export function sortPhotos<P extends Timed & FromGuest>(photos: readonly P[], sort: Sort, guest: string): readonly P[] {
  const chosen = guest === '' ? photos : photos.filter((photo) => isAsked(photo, guest));
  if (sort === 'newest') return [...chosen].reverse();
  if (sort === 'oldest') return chosen;
  return chosen
    .map((photo) => ({ photo, time: orderOf(photo) }))
    .sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)))
    .map(({ photo }) => photo);
}

/**
 * Makes a `sortPhotos` with a memory: a listed photo stays until the filter changes, so that a photo that loses its heart does not vanish
 * under a finger. If no photo is left, all are shown, and `filter` is ''.
 */
export function createSorting<P extends Timed & FromGuest & { id: string }>() {
  let before = '';
  const found = new Set<string>();
  return (photos: readonly P[], sort: Sort, asked: string): { shown: readonly P[]; filter: string } => {
    if (asked !== before) found.clear();
    before = asked;
    for (const photo of photos) if (asked !== '' && isAsked(photo, asked)) found.add(photo.id);
    const chosen = photos.filter(({ id }) => found.has(id));
    return { shown: sortPhotos(chosen.length > 0 ? chosen : photos, sort, ''), filter: chosen.length > 0 ? asked : '' };
  };
}

const german = new Intl.Collator('de', { numeric: true });

/** Counts the photos of each guest, by name in German order. */
export function guestsOf(photos: readonly FromGuest[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { device } of photos) counts.set(device.name, (counts.get(device.name) ?? 0) + 1);
  return new Map([...counts].sort(([a], [b]) => german.compare(a, b)));
}
