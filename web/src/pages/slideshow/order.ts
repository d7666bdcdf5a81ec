import type { Photo } from '@feierbild/contract/entities.ts';

/** Photos as given, or shuffled: by a number drawn from the seed and each photo's id, so that new ones mix in and the rest stay. */
export function ordered<P extends { id: string }>(photos: readonly P[], seed: string | null): readonly P[] {
  if (seed === null) return photos;
  const drawn = photos.map((photo): [number, P] => [draw(seed + photo.id), photo]);
  return drawn.sort(([a], [b]) => a - b).map(([, photo]) => photo);
}

/** Those with hearts, the most loved last. */
export function favourites<P extends { id: string }>(photos: readonly P[], hearts: ReadonlyMap<string, number>): readonly P[] {
  const count = ({ id }: P): number => hearts.get(id) ?? 0;
  return photos.filter((photo) => count(photo) > 0).sort((a, b) => count(a) - count(b));
}

/** The state of a running slideshow. */
export interface Run<P> {
  /** In the slideshow's order. */
  photos: readonly P[];
  /** In `photos`: what is shown (the first of two), or was before the newcomer (the second of two). */
  position: number;
  /** Photos that came while it runs and were not shown yet, oldest first. */
  newcomers: readonly P[];
  /** A photo that is shown before its place in the order because it is new. */
  newcomer: P | null;
  /** Photos that were shown as newcomers: the order passes over each once. */
  early: ReadonlySet<string>;
  /** All that were ever in the slideshow: none of them is new. */
  known: ReadonlySet<string>;
  /** Two portraits that follow each other are shown side by side: the window is wide. */
  pairs: boolean;
}

type Listed = Pick<Photo, 'id' | 'created_at' | 'width' | 'height' | 'video'>;

export function startRun<P extends Listed>(photos: readonly P[], pairs = false): Run<P> {
  return { photos, position: 0, newcomers: [], newcomer: null, early: new Set(), known: new Set(photos.map(({ id }) => id)), pairs };
}

/** What is to be shown now: one photo, or two portraits. A newcomer is shown alone. */
export function slideOf<P extends Listed>(run: Run<P>): readonly [P] | readonly [P, P] {
  const { photos, position, newcomers, newcomer, early, pairs } = run;
  const first = newcomer ?? (photos[position] as P);
  const second = photos[position + 1];
  if (!pairs || newcomer || !second || !isPortraitPhoto(first) || !isPortraitPhoto(second)) return [first];
  return early.has(second.id) || newcomers.some(({ id }) => id === second.id) ? [first] : [first, second];
}

/** A video is shown alone. */
function isPortraitPhoto({ width, height, video }: Listed): boolean {
  return height > width && !video;
}

/**
 * The next slide (1) or the one before (-1). After each slide of the order comes a newcomer, where there is one: the oldest
 * first, and once, so that the order passes over it in this round.
 */
export function stepped<P extends Listed>(run: Run<P>, by: 1 | -1): Run<P> {
  const { photos, newcomers, newcomer } = run;
  if (by === -1) {
    const last = newcomer ? run.position : (run.position - 1 + photos.length) % photos.length;
    return { ...run, newcomer: null, position: firstOf(run, last) };
  }
  const position = newcomer ? run.position : run.position + slideOf(run).length - 1;
  const [first, ...later] = newcomers;
  if (first && !newcomer) return { ...run, position, newcomer: first, newcomers: later, early: new Set([...run.early, first.id]) };
  const early = new Set(run.early);
  const waiting = new Set(newcomers.map(({ id }) => id));
  let next = position;
  for (let n = 0; n < photos.length; n++) {
    next = (next + 1) % photos.length;
    const { id } = photos[next] as P;
    if (!early.delete(id) && !waiting.has(id)) break;
  }
  return { ...run, newcomer: null, early, position: next };
}

/** Where the slide begins that ends at a position. */
function firstOf<P extends Listed>(run: Run<P>, position: number): number {
  return position > 0 && slideOf({ ...run, newcomer: null, position: position - 1 }).length === 2 ? position - 1 : position;
}

/** The run with a fresh list of photos: it stays at its photo, or goes on where that one was. */
export function refreshed<P extends Listed>(run: Run<P>, photos: readonly P[]): Run<P> {
  const ids = new Set(photos.map(({ id }) => id));
  const newest = run.photos.reduce((latest, { created_at }) => (created_at > latest ? created_at : latest), '');
  // What the host put back is not new.
  const came = photos.filter(({ id, created_at }) => !run.known.has(id) && created_at >= newest);
  const next: Run<P> = {
    ...run,
    photos,
    position: keepPosition(run.photos, run.position, photos),
    newcomers: [...run.newcomers.filter(({ id }) => ids.has(id)), ...came.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))],
    known: new Set([...run.known, ...ids]),
  };
  return run.newcomer && !ids.has(run.newcomer.id) ? stepped(next, 1) : next;
}

/** The position in a fresh list: at the same photo, or at the next one of before that is still there. */
function keepPosition(before: readonly { id: string }[], position: number, after: readonly { id: string }[]): number {
  const places = new Map(after.map(({ id }, place) => [id, place]));
  for (let n = 0; n < before.length; n++) {
    const place = places.get(before[(position + n) % before.length]?.id ?? '');
    if (place !== undefined) return place;
  }
  return 0;
}

/** FNV-1a, 32 bit. */
function draw(text: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193) >>> 0;
  return hash;
}
