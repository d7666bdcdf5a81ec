import { SLIDESHOW_CACHE, SLIDESHOW_INTERVAL } from '@feierbild/contract/constants.ts';
import type { Layout } from '@feierbild/contract/wall.ts';
import { draw, keepPosition } from './order.ts';
import type { Listed, Show } from './show-state.ts';
import { isVideo } from '../../video/video.ts';

/** Largest number of newcomers on a slide. */
export const MOST_NEWCOMERS = 6;
/** Numbers of photos of the order in a collage. */
const COLLAGE = { least: 3, most: 7 };
/** Longest time of a slide of newcomers, whose time begins anew with each that joins. */
export const NEWCOMERS_MS = 20_000;
/** Number of newcomers' pictures loaded at a time. The cache drops none of these, and needs room for a slide beside them. */
const MOST_LOADING = SLIDESHOW_CACHE / 2;
/** Minimum time that a slide must stay for a newcomer to join it. */
const JOIN_MS = 3_000;

export interface ShowOptions {
  wide?: boolean;
  layout?: Layout;
  /** Seed that decides about the sizes of collages. */
  seed?: string;
  position?: number;
}

/** Starts a show of at least one photo. None of `all`, which a round of favourites may leave out, is new later. */
export function startShow<P extends Listed>(
  photos: readonly P[],
  { wide = false, layout = 'pairs', seed = '', position = 0 }: ShowOptions = {},
  all = photos,
): Show<P> {
  const show: Show<P> = {
    photos,
    slide: { id: -1, photos: [], places: 0, fresh: false, began: null, due: null },
    position,
    taken: 1,
    coming: [],
    waiting: [],
    early: new Set(),
    again: null,
    known: new Set(all.map(({ id }) => id)),
    count: 0,
    shown: new Map(),
    turns: new Map(),
    since: all.reduce((latest, { created_at }) => (created_at > latest ? created_at : latest), ''),
    wide,
    layout,
    seed,
  };
  return inOrder(show, position);
}

/** Takes over a fresh list: removed photos end, new ones are `coming`. A slide without photos in it (kept: in `all`) ends. */
export function refreshed<P extends Listed>(show: Show<P>, photos: readonly P[], all = photos): Show<P> {
  const [now, inAll] = [byId(photos), byId(all)];
  const kept = (before: readonly P[], among = now): P[] => before.flatMap(({ id }) => among.get(id) ?? []);
  // A photo that the host put back is not new.
  const came = photos.filter(({ id, created_at }) => !show.known.has(id) && created_at >= show.since);
  const next: Show<P> = {
    ...show,
    photos,
    position: keepPosition(show.photos, show.position, photos),
    taken: kept(show.photos.slice(show.position, show.position + show.taken)).length,
    coming: [...kept(show.coming), ...came.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))],
    waiting: kept(show.waiting),
    slide: { ...show.slide, photos: kept(show.slide.photos, show.slide.kept ? inAll : now) },
    known: new Set([...show.known, ...now.keys()]),
  };
  if (next.slide.photos.length > 0) return next;
  return show.slide.fresh ? stepped(next, 1) : onward(next);
}

/** Lets a newcomer whose picture is loaded wait for a slide; if the picture failed, the photo has only its place in the order. */
export function arrived<P extends Listed>(show: Show<P>, id: string, loaded = true): Show<P> {
  const photo = show.coming.find((one) => one.id === id);
  if (!photo) return show;
  const coming = show.coming.filter((one) => one !== photo);
  return { ...show, coming, waiting: loaded ? [...show.waiting, photo] : show.waiting };
}

/**
 * Returns the newcomer whose picture is loaded next: one of the device with the fewest loading or waiting. While these fill two slides,
 * only devices without any get a turn.
 */
export function nextComing<P extends Listed>({ coming, waiting }: Show<P>, loading: ReadonlySet<string>): P | undefined {
  const held = [...waiting, ...coming.filter(({ id }) => loading.has(id))];
  const count = (photo: P): number => held.filter((other) => senderOf(other) === senderOf(photo)).length;
  const free = coming.filter(({ id }) => !loading.has(id)).map((photo) => ({ photo, held: count(photo) }));
  const best = free.reduce((least, one) => (least && least.held <= one.held ? least : one), free[0]);
  const isRoom = loading.size < MOST_LOADING && (best?.held === 0 || held.length < 2 * MOST_NEWCOMERS);
  return isRoom ? best?.photo : undefined;
}

/** Notes that photos of the slide were not shown, because their pictures failed, so that the order does not pass over them. */
export function missed<P extends Listed>(show: Show<P>, photos: readonly P[]): Show<P> {
  if (photos.length === 0) return show;
  const early = new Set(show.early);
  const shown = new Map(show.shown);
  for (const { id } of photos) {
    early.delete(id);
    shown.delete(id);
  }
  return { ...show, early, shown };
}

/** Starts the time of the drawn slide. `longest`: its length, ms. */
export function begun<P extends Listed>(show: Show<P>, now: number, longest = SLIDESHOW_INTERVAL): Show<P> {
  return { ...show, slide: { ...show.slide, began: now, due: now + longest } };
}

/**
 * Advances the show to `now`, ms: a slide's time ends, newcomers interrupt a slide of the order, or join one of newcomers. Returns `show`
 * itself if nothing happens.
 */
export function advanced<P extends Listed>(show: Show<P>, now: number): Show<P> {
  const { slide, waiting } = show;
  if (slide.due !== null && now >= slide.due) return stepped(show, 1);
  if (waiting.length === 0 || slide.kept) return show;
  if (!slide.fresh) return stepped(show, 1);
  return slide.began === null ? show : joined(show, slide.began, now);
}

/** Adds newcomers to the shown slide of newcomers, as far as it has room. */
function joined<P extends Listed>(show: Show<P>, began: number, now: number): Show<P> {
  const { slide } = show;
  const due = Math.min(now + SLIDESHOW_INTERVAL, began + NEWCOMERS_MS);
  const room = MOST_NEWCOMERS - slide.places;
  if (room <= 0 || due - now < JOIN_MS || slide.photos.some(isVideo)) return show;
  const { picked, ...rest } = pick({ ...show, waiting: show.waiting.filter((photo) => !isVideo(photo)) }, room);
  if (picked.length === 0) return show;
  const out = new Set(picked);
  return seen(
    {
      ...show,
      ...rest,
      waiting: show.waiting.filter((photo) => !out.has(photo)),
      slide: { ...slide, photos: [...slide.photos, ...picked], places: slide.places + picked.length, due },
    },
    picked,
    true,
  );
}

/** Shows a photo of `all` that the host has chosen at once; then the order continues where it was. */
export function presented<P extends Listed>(show: Show<P>, id: string, all = show.photos): Show<P> {
  const photo = all.find((one) => one.id === id);
  if (!photo) return show;
  const apart = (photos: readonly P[]): P[] => photos.filter((one) => one.id !== id);
  const slide = { id: show.count, photos: [photo], places: 1, fresh: false, kept: true, began: null, due: null };
  return seen({ ...show, coming: apart(show.coming), waiting: apart(show.waiting), slide }, [photo], false);
}

/** Moves to the next slide (1) or the one before (-1). Waiting newcomers come first; then the order continues where it was. */
export function stepped<P extends Listed>(show: Show<P>, by: 1 | -1): Show<P> {
  if (by === -1) return back(show);
  if (show.waiting.length > 0) {
    const { picked, ...rest } = pick(show, MOST_NEWCOMERS);
    return seen(
      { ...show, ...rest, slide: { id: show.count, photos: picked, places: picked.length, fresh: true, began: null, due: null } },
      picked,
      true,
    );
  }
  return onward(show);
}

/** From the next slide on, shows photos of before again, which the browser may have: first the one before the newest, then older ones. */
export function cutOff<P extends Listed>(show: Show<P>): Show<P> {
  return { ...show, again: Math.max(...show.photos.map((photo) => show.shown.get(photo.id) ?? -1)) };
}

/** Goes on, after the shown slide, with the order: at the photo where the network was lost, if the list still has it. */
export function restored<P extends Listed>(show: Show<P>, id: string): Show<P> {
  const place = show.photos.findIndex((photo) => photo.id === id);
  return { ...show, again: null, ...(place !== -1 && { position: place, taken: 0 }) };
}

/**
 * Shows the photo that was shown before the last one; the newest after the first. Nothing counts as shown anew. Where none is left, the
 * slide stays, and its time is over.
 */
function shownAgain<P extends Listed>(show: Show<P>, again: number): Show<P> {
  const numberOf = ({ id }: P): number => show.shown.get(id) ?? -1;
  const before = show.photos.filter((photo) => numberOf(photo) !== -1);
  const older = before.filter((photo) => numberOf(photo) < again);
  const [first, ...others] = older.length > 0 ? older : before;
  if (!first) return { ...show, slide: { ...show.slide, kept: false, began: null, due: null } };
  const photo = others.reduce((newest, one) => (numberOf(one) > numberOf(newest) ? one : newest), first);
  const slide = { id: show.count, photos: [photo], places: 1, fresh: false, began: null, due: null };
  return { ...show, slide, count: show.count + 1, again: numberOf(photo) };
}

/** Moves to the next slide of the order. */
function onward<P extends Listed>(show: Show<P>): Show<P> {
  const { photos, position, taken, again } = show;
  if (again !== null) return shownAgain(show, again);
  const early = new Set(show.early);
  const pending = new Set([...show.coming, ...show.waiting].map(({ id }) => id));
  const last = position + taken - 1;
  let next = last;
  for (let n = 0; n < photos.length; n++) {
    next = (next + 1) % photos.length;
    const { id } = photos[next] as P;
    if (!early.delete(id) && !pending.has(id) && !isRecent(show, id)) break;
  }
  return inOrder({ ...show, early }, next);
}

/** Moves back from newcomers to the order's slide before them, else to the order's previous slide. */
function back<P extends Listed>(show: Show<P>): Show<P> {
  const { photos, slide, position } = show;
  if (slide.fresh) return inOrder(show, position);
  // The photos of the left slide come again on the way forth.
  const shown = new Map(show.shown);
  for (const { id } of slide.photos) shown.delete(id);
  const before = { ...show, shown };
  const last = (position - 1 + photos.length) % photos.length;
  shown.delete((photos[last] as P).id);
  for (let size = Math.min(COLLAGE.most, last + 1); size > 1; size--) {
    const start = last - size + 1;
    for (const { id } of photos.slice(start, last + 1)) shown.delete(id);
    if (together(before, start).length === size) return inOrder(before, start);
  }
  return inOrder(before, last);
}

/** Shows the slide of the order that begins at a position. */
function inOrder<P extends Listed>(show: Show<P>, position: number): Show<P> {
  const photos = together(show, position);
  return seen(
    {
      ...show,
      position,
      taken: photos.length,
      slide: { id: show.count, photos, places: photos.length, fresh: false, began: null, due: null },
    },
    photos,
    false,
  );
}

/** Returns the photos that the layout shows together from a position of the order on. */
function together<P extends Listed>(show: Show<P>, position: number): readonly P[] {
  const { photos, early, coming, waiting, seed } = show;
  const first = photos[position] as P;
  if (isVideo(first)) return [first];
  const pending = new Set([...coming, ...waiting].map(({ id }) => id));
  const row = [first];
  for (const photo of photos.slice(position + 1, position + COLLAGE.most)) {
    if (isVideo(photo) || early.has(photo.id) || pending.has(photo.id) || isRecent(show, photo.id)) break;
    row.push(photo);
  }
  const chance = draw(seed + first.id);
  const layout = show.layout === 'mixed' ? (['single', 'pairs', 'collage'] as const)[(chance >>> 8) % 3] : show.layout;
  if (layout === 'collage' && row.length >= COLLAGE.least) {
    return row.slice(0, COLLAGE.least + (chance % (COLLAGE.most - COLLAGE.least + 1)));
  }
  const [, second] = row;
  return layout !== 'single' && show.wide && second && isPortrait(first) && isPortrait(second) ? [first, second] : [first];
}

/** Picks newcomers by device in turn: the device whose last one was shown longest ago comes first, with its oldest. A video is alone. */
function pick<P extends Listed>(show: Show<P>, room: number) {
  const turns = new Map(show.turns);
  let { waiting } = show;
  const picked: P[] = [];
  while (picked.length < room && waiting.length > 0) {
    const turnOf = (photo: P): number => turns.get(senderOf(photo)) ?? -1;
    const isFirst = (a: P, b: P): boolean => turnOf(a) < turnOf(b) || (turnOf(a) === turnOf(b) && a.created_at < b.created_at);
    const next = waiting.reduce((best, photo) => (isFirst(photo, best) ? photo : best));
    if (isVideo(next) && picked.length > 0) break;
    waiting = waiting.filter((photo) => photo !== next);
    turns.set(senderOf(next), show.count + picked.length);
    picked.push(next);
    if (isVideo(next)) break;
  }
  return { picked, waiting, turns };
}

/** Notes that photos are shown. */
function seen<P extends Listed>(show: Show<P>, photos: readonly P[], early: boolean): Show<P> {
  const shown = new Map(show.shown);
  let { count } = show;
  for (const { id } of photos) shown.set(id, count++);
  return { ...show, shown, count, ...(early && { early: new Set([...show.early, ...photos.map(({ id }) => id)]) }) };
}

/** Tells whether a photo was among the last third shown, and is not shown again so soon. */
function isRecent<P extends Listed>({ shown, count, photos }: Show<P>, id: string): boolean {
  const last = shown.get(id);
  return last !== undefined && count - last <= Math.floor(photos.length / 3);
}

const isPortrait = ({ width, height }: Listed): boolean => height > width;
const byId = <P extends Listed>(photos: readonly P[]) => new Map(photos.map((photo) => [photo.id, photo]));
/** Returns the sender's tag; photos without a known device count as one sender's. */
const senderOf = ({ device }: Listed): string => device?.tag ?? '';
