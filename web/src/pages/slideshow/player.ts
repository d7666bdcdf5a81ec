import { SLIDESHOW_CACHE, SLIDESHOW_INTERVAL, SLIDESHOW_PRELOAD } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { tryAgain } from '../../lib/backoff.ts';
import { createStore } from '../../lib/store.ts';
import { isVideo, previewFor } from '../../video/video.ts';
import { createLargePictures } from './large.ts';
import { createNewcomers } from './newcomers.ts';
import { createPictures } from './pictures.ts';
import type { Layout } from '@feierbild/contract/wall.ts';
import { advanced, arrived, begun, cutOff, missed, presented, refreshed, restored, startShow, stepped, type ShowOptions } from './show.ts';
import type { Show } from './show-state.ts';

/** Number of failures after which the network counts as gone: a round of 10,000 photos would take a television minutes. */
const MOST_FAILURES = 100;
/** Time between two failures in a row after which it counts as gone, too: a lost network may answer nothing. */
const FAILING_MS = SLIDESHOW_INTERVAL;
/** Longest pause while the network is gone; it doubles from one picture's time. */
const LONGEST_PAUSE_MS = 120_000;
/** Longest time of a slide with a video. A video reports its own end, except one that ended while the slideshow was paused. */
const LONGEST_VIDEO_MS = 21_000;
/** Largest number of presses that are carried out at once. */
const MOST_STEPS = 20;
/** Time in which a chosen photo may enter the list: a photo that is shown again hours later was not chosen for then. */
const WISH_MS = 60_000;
/** Longest time that a deleted photo stays until the next slide, which is loaded ahead, fades in over it. */
const GONE_MS = 1_000;

/** A photo whose picture is loaded, and its place in the list. */
export interface LoadedPhoto {
  photo: Photo;
  place: number;
  image: HTMLImageElement;
  url: string;
}

/** The slide that is drawn. */
export interface DrawnSlide {
  /** The slide's id, which stays the same while photos join or leave it. */
  id: number;
  pictures: readonly LoadedPhoto[];
  fresh: boolean;
}

export interface PlayerState {
  /** Null until its picture is loaded, and after it was removed while the next one does not come. */
  slide: DrawnSlide | null;
  playing: boolean;
  /** Number of photos in the slideshow. */
  total: number;
}

export type Player = ReturnType<typeof createPlayer>;

/**
 * Plays the photos of a slideshow. A picture is shown when it is loaded; until then, the last slide stays. A failed one is passed over.
 * When all or very many have failed in a row, the network counts as gone: photos of before are shown again, and one picture is tried after
 * ever longer pauses until it is back. Then the order goes on where it broke off. `all`: also photos outside of a round of favourites.
 */
export function createPlayer(photos: readonly Photo[], options: ShowOptions = {}, all = photos) {
  const pictures = createPictures();
  const large = createLargePictures(pictures, () => redraw());
  const { current, subscribe, set } = createStore<PlayerState>({ slide: null, playing: true, total: photos.length });
  let show: Show<Photo> = startShow(photos, { ...options, wide: isWide() }, all);
  let timer = 0;
  /** Time at which the timer fires, by `performance.now()`; null if there is none. */
  let planned: number | null = null;
  let over = false;
  let cancelRetry = (): void => undefined;
  /** A photo that the host has chosen and the list does not have yet, and the time until which it may come. */
  let wished: { id: string; until: number } | null = null;
  /**
   * Failures in a row, and the time of the first; pauses since; the photo at which the order broke off. It is empty once the order has gone
   * back there: if as many fail again, it is the pictures that are broken, and the order passes over them.
   */
  const calm = { failures: 0, began: 0, pauses: 0, at: null as string | null };
  const trouble = { ...calm };
  /** Ids of photos whose picture has come. Another time it may come from the browser, and tells nothing about the network. */
  const had = new Set<string>();
  const newcomers = createNewcomers({
    show: () => (over ? null : show),
    load: (photo) => load(photo, true),
    came: () => had.size,
    onSettled(id, loaded) {
      show = arrived(show, id, loaded);
      advance();
    },
  });

  /** Returns the address of a photo's best available picture: large ones come later, and replace the preview. */
  const urlOf = (photo: Photo): string => large.of(photo) ?? previewFor(photo);

  async function load(photo: Photo, hold = false): Promise<LoadedPhoto> {
    const of = async (url: string): Promise<LoadedPhoto> => ({ photo, place: 0, url, image: await pictures.load(url, hold) });
    const [best, preview] = [urlOf(photo), previewFor(photo)];
    const loaded = await (best === preview ? of(preview) : of(best).catch(() => of(preview)));
    if (!had.has(photo.id)) {
      had.add(photo.id);
      goOn();
    }
    return loaded;
  }

  /** Loads photos; leaves out those whose picture fails. */
  async function loadAll(wanted: readonly Photo[]): Promise<LoadedPhoto[]> {
    const all = await Promise.all(wanted.map((photo) => load(photo).catch(() => null)));
    return all.filter((one) => one !== null);
  }

  /** Takes over a new state, and draws its changes. */
  function take(next: Show<Photo>, by: 1 | -1 = 1): void {
    const before = show.slide;
    show = next;
    if (next.slide.id !== before.id) void draw(by);
    else if (next.slide.photos !== before.photos) redraw();
    plan();
    // Newcomers that went on a slide leave room for others.
    newcomers.next();
  }

  /** Shows the slide as soon as its pictures are loaded. */
  async function draw(by: 1 | -1): Promise<void> {
    const { id, photos: wanted, fresh } = show.slide;
    const loaded = await loadAll(wanted);
    if (over || show.slide.id !== id) return;
    const came = new Set(loaded.map(({ photo }) => photo.id));
    show = missed(
      show,
      wanted.filter((photo) => !came.has(photo.id)),
    );
    if (loaded.length === 0) return failed(by);
    if (show.again === null) Object.assign(trouble, calm);
    show = begun(show, performance.now(), wanted.some(isVideo) ? LONGEST_VIDEO_MS : SLIDESHOW_INTERVAL);
    set({ slide: placed({ id, pictures: loaded, fresh }) });
    plan();
    preload();
    large.want([show, stepped(show, 1)].flatMap(({ slide: { photos } }) => (photos.length === 1 ? photos : [])));
    advance();
  }

  /** Updates the drawn slide: adds photos that joined, removes photos that left, and replaces pictures of the same photos. */
  function redraw(): void {
    const { id, photos: wanted } = show.slide;
    const drawn = new Map(current().slide?.pictures.map((one) => [one.photo.id, one]));
    const bring = async (missing: readonly Photo[]): Promise<void> => {
      const loaded = await loadAll(missing);
      const { slide } = current();
      if (over || show.slide.id !== id || slide?.id !== id) return;
      const pictures = new Map([...slide.pictures, ...loaded].map((one) => [one.photo.id, one]));
      set({ slide: placed({ ...slide, pictures: show.slide.photos.flatMap((photo) => pictures.get(photo.id) ?? []) }) });
    };
    // Joining photos have their pictures, and do not wait for a better picture of another photo.
    void bring(wanted.filter((photo) => !drawn.has(photo.id)));
    const better = wanted.filter((photo) => drawn.has(photo.id) && drawn.get(photo.id)?.url !== urlOf(photo));
    if (better.length > 0) void bring(better);
  }

  function failed(by: 1 | -1): void {
    const now = performance.now();
    if (trouble.failures++ === 0) trouble.began = now;
    if (trouble.at === null) trouble.at = show.photos[show.position]?.id ?? '';
    const isThere = trouble.failures < Math.min(show.photos.length, MOST_FAILURES) && now - trouble.began < FAILING_MS;
    const isKnown = show.again !== null;
    if (!isKnown && isThere) return take(stepped(show, by), by);
    show = cutOff(show);
    if (!isKnown) tryOne();
    if (show.photos.some(({ id }) => show.shown.has(id))) take(stepped(show, 1));
  }

  /** Tries one picture after a pause (`firstMs` 0: now), each time that of the next photo of the order, until one comes. */
  function tryOne(firstMs = SLIDESHOW_INTERVAL): void {
    if (over || show.again === null) return;
    cancelRetry();
    const again = (): void => {
      const { photos, position } = show;
      load(photos[(position + trouble.pauses) % photos.length] as Photo).then(goOn, () => tryOne());
    };
    cancelRetry = tryAgain(trouble.pauses++, again, firstMs, LONGEST_PAUSE_MS);
  }

  /** Goes on with the order, because the network is there. */
  function goOn(): void {
    if (show.again === null || over) return;
    cancelRetry();
    show = restored(show, trouble.at ?? '');
    Object.assign(trouble, calm, { at: '' });
    if (show.slide.began !== null) return;
    // A photo that the host has chosen gives way to none.
    if (show.slide.kept) void draw(1);
    else take(stepped(show, 1));
  }

  /** Loads the pictures of the slides that follow, as far as there is room beside this one's and those of newcomers. */
  function preload(): void {
    const room = SLIDESHOW_CACHE - show.slide.photos.length - newcomers.loading.size;
    let asked = 0;
    for (let ahead = stepped(show, 1); asked < Math.min(SLIDESHOW_PRELOAD, show.photos.length - 1); ahead = stepped(ahead, 1)) {
      asked += ahead.slide.photos.length;
      if (asked > room) return;
      void loadAll(ahead.slide.photos);
    }
  }

  /** Sets the timer for the end of the slide's time. */
  function plan(): void {
    const due = current().playing && !over ? show.slide.due : null;
    if (due === planned) return;
    planned = due;
    clearTimeout(timer);
    if (due === null) return;
    const fire = (): void => {
      planned = null;
      advance();
    };
    timer = window.setTimeout(fire, Math.max(0, due - performance.now()));
  }

  /** Advances the show to the present time. */
  function advance(): void {
    if (!current().playing || over) return;
    const next = advanced(show, performance.now());
    if (next === show) plan();
    else take(next);
  }

  /** Returns the slide without photos that left `all`, each with its current place in the order, if it has one; null if none is left. */
  function placed(slide: DrawnSlide): DrawnSlide | null {
    const places = new Map(show.photos.map(({ id }, place) => [id, place]));
    const listed = new Set(all.map(({ id }) => id));
    const left = slide.pictures.flatMap((one) => {
      const { id } = one.photo;
      return listed.has(id) ? { ...one, place: places.get(id) ?? one.place } : [];
    });
    return left.length > 0 ? { ...slide, pictures: left } : null;
  }

  /** Shows this photo now, or as soon as the list has it: the phone's choice may arrive first. */
  function present(id: string): void {
    wished = all.some((photo) => photo.id === id) ? null : { id, until: performance.now() + WISH_MS };
    take(presented(show, id, all));
  }

  /** Notes whether the window is wide, which decides from the next slide on whether portraits are paired. */
  const resized = (): void => void (show = { ...show, wide: isWide() });
  window.addEventListener('resize', resized);
  void draw(1);

  return {
    current,
    subscribe,
    /** Moves by `times` slides, forth (1) or back (-1). Slides between are not loaded. */
    step(by: 1 | -1, times = 1): void {
      wished = null;
      let next = show;
      for (let n = 0; n < Math.min(times, MOST_STEPS); n++) next = stepped(next, by);
      take(next, by);
    },
    present,
    /** Sets the layout, from the next slide on. */
    setLayout: (layout: Layout): void => void (show = { ...show, layout }),
    /** Sets whether single photos are loaded in the pixels of this screen. */
    enlarge: large.turn,
    /** Moves on after a slide's video has ended, if the slide is still shown. */
    pass(id: number): void {
      if (current().playing && show.slide.id === id) take(stepped(show, 1));
    },
    /** Holds the slide, or continues, whereupon the slide stays for its whole time. */
    play(playing: boolean): void {
      set({ playing });
      if (playing && show.slide.began !== null) show = begun(show, performance.now());
      plan();
      advance();
    },
    /** Takes over a changed list or changed `all` photos. The drawn slide stays until the next one is loaded. */
    refresh(fresh: readonly Photo[], inAll = fresh): void {
      if (fresh.length === 0 || (fresh === show.photos && inAll === all)) return;
      all = inAll;
      take(refreshed(show, fresh, all));
      // A list that was read shows that there is a line.
      tryOne(0);
      const { slide } = current();
      const left = slide && placed(slide);
      set({ total: fresh.length, slide: left ?? slide });
      if (slide && !left) setTimeout(() => current().slide === slide && set({ slide: null }), GONE_MS);
      if (wished !== null && wished.until < performance.now()) wished = null;
      if (wished !== null && all.some(({ id }) => id === wished?.id)) present(wished.id);
    },
    end(): void {
      over = true;
      clearTimeout(timer);
      cancelRetry();
      window.removeEventListener('resize', resized);
      pictures.clear();
    },
  };
}

/** Tells whether two portraits fit side by side. */
function isWide(): boolean {
  return window.innerWidth > window.innerHeight;
}
