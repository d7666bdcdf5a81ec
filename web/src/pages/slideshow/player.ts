import { SLIDESHOW_INTERVAL, SLIDESHOW_PRELOAD } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { tryAgain } from '../../lib/backoff.ts';
import { createStore } from '../../lib/store.ts';
import { isVideo, previewFor } from '../../video/video.ts';
import { createLargePictures } from './large.ts';
import { createPictures } from './pictures.ts';
import type { Layout } from '@feierbild/contract/wall.ts';
import { advanced, arrived, begun, missed, nextComing, presented, refreshed, startShow, stepped, type ShowOptions } from './show.ts';
import type { Show } from './show-state.ts';

/** The network is gone after a full round of failures; one of 10,000 photos would keep a television busy for minutes, and lose the place. */
const MOST_FAILURES = 100;
/** From then on: the pause doubles from one picture's time up to this, ms. */
const LONGEST_PAUSE_MS = 120_000;
/** A video reports its end itself; this is for one that ended while the slideshow was paused, ms. */
const LONGEST_VIDEO_MS = 21_000;
/** Of presses that it learns of at once. */
const MOST_STEPS = 20;
/** How often the picture of a newcomer is tried before the photo waits for its place in the order. */
const COMING_TRIES = 3;
/** How long a chosen photo may take until the list has it, ms: what is taken out and shown again hours later was not chosen for then. */
const WISH_MS = 60_000;
/** A deleted photo stays for the next slide to fade in over it, which is loaded ahead; where that does not come, for so long, ms. */
const GONE_MS = 1_000;

/** A photo whose picture is loaded, and its place in the list. */
export interface LoadedPhoto {
  photo: Photo;
  place: number;
  image: HTMLImageElement;
  url: string;
}

/** What is drawn. */
export interface DrawnSlide {
  /** The same while photos join it or leave it. */
  id: number;
  pictures: readonly LoadedPhoto[];
  fresh: boolean;
}

export interface PlayerState {
  /** Null until its picture is loaded, and when it was removed and the next one does not come. */
  slide: DrawnSlide | null;
  playing: boolean;
  /** Photos in the slideshow. */
  total: number;
}

export type Player = ReturnType<typeof createPlayer>;

/**
 * Plays the photos of a slideshow. A picture is shown when it is loaded; until then, the last slide stays. One that fails is passed over;
 * when all have failed in a row, or very many, the network is gone: then one is tried after ever longer pauses, until it is back.
 */
export function createPlayer(photos: readonly Photo[], options: ShowOptions = {}) {
  const pictures = createPictures();
  const large = createLargePictures(pictures, () => redraw());
  const { current, subscribe, set } = createStore<PlayerState>({ slide: null, playing: true, total: photos.length });
  let show: Show<Photo> = startShow(photos, { ...options, wide: isWide() });
  /** With those that have no place in a round of favourites. */
  let all = photos;
  let timer = 0;
  /** When it fires; null: there is none. */
  let planned: number | null = null;
  let over = false;
  let cancelRetry = (): void => undefined;
  /** The host has chosen it, and the list has it not yet; until when it may come. */
  let wished: { id: string; until: number } | null = null;
  const trouble = { failures: 0, pauses: 0 };
  /** Newcomers whose picture is on its way, and how often it did not come. */
  const loading = new Set<string>();
  const tries = new Map<string, number>();

  /** The best picture of a photo that is there: large ones come later, in place of the preview. */
  const urlOf = (photo: Photo): string => large.of(photo) ?? previewFor(photo);

  async function load(photo: Photo): Promise<LoadedPhoto> {
    const of = async (url: string): Promise<LoadedPhoto> => ({ photo, place: 0, url, image: await pictures.load(url) });
    const [best, preview] = [urlOf(photo), previewFor(photo)];
    return best === preview ? of(preview) : of(best).catch(() => of(preview));
  }

  /** Those whose picture comes. */
  async function loadAll(wanted: readonly Photo[]): Promise<LoadedPhoto[]> {
    const all = await Promise.all(wanted.map((photo) => load(photo).catch(() => null)));
    return all.filter((one) => one !== null);
  }

  /** Takes a new state over, and draws what changed. */
  function take(next: Show<Photo>, by: 1 | -1 = 1): void {
    const before = show.slide;
    show = next;
    if (next.slide.id !== before.id) void draw(by);
    else if (next.slide.photos !== before.photos) redraw();
    plan();
    // Those that went on a slide leave room for others.
    loadNewcomers();
  }

  /** Shows the slide as soon as its pictures are there. */
  async function draw(by: 1 | -1): Promise<void> {
    const { id, photos: wanted, fresh } = show.slide;
    cancelRetry();
    const loaded = await loadAll(wanted);
    if (over || show.slide.id !== id) return;
    const came = new Set(loaded.map(({ photo }) => photo.id));
    show = missed(
      show,
      wanted.filter((photo) => !came.has(photo.id)),
    );
    if (loaded.length === 0) return failed(by);
    trouble.failures = trouble.pauses = 0;
    show = begun(show, performance.now(), wanted.some(isVideo) ? LONGEST_VIDEO_MS : SLIDESHOW_INTERVAL);
    set({ slide: placed({ id, pictures: loaded, fresh }) });
    plan();
    preload();
    large.want([show, stepped(show, 1)].flatMap(({ slide: { photos } }) => (photos.length === 1 ? photos : [])));
    advance();
  }

  /** The drawn slide with photos that joined it, without those that left it, and with other pictures of the same photos. */
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
    // Photos that join have their pictures, and wait for no better one of another photo.
    void bring(wanted.filter((photo) => !drawn.has(photo.id)));
    const better = wanted.filter((photo) => drawn.has(photo.id) && drawn.get(photo.id)?.url !== urlOf(photo));
    if (better.length > 0) void bring(better);
  }

  function failed(by: 1 | -1): void {
    trouble.failures += 1;
    if (trouble.failures < Math.min(show.photos.length, MOST_FAILURES)) return take(stepped(show, by), by);
    trouble.failures -= 1;
    cancelRetry = tryAgain(trouble.pauses++, () => take(stepped(show, by), by), SLIDESHOW_INTERVAL, LONGEST_PAUSE_MS);
  }

  /** Loads the pictures of the slides that follow. */
  function preload(): void {
    let ahead = show;
    let asked = 0;
    while (asked < Math.min(SLIDESHOW_PRELOAD, show.photos.length - 1)) {
      ahead = stepped(ahead, 1);
      asked += ahead.slide.photos.length;
      void loadAll(ahead.slide.photos);
    }
  }

  /** Goes on when the slide's time is over. */
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

  /** Does what happens by itself now. */
  function advance(): void {
    if (!current().playing || over) return;
    const next = advanced(show, performance.now());
    if (next === show) plan();
    else take(next);
  }

  function loadNewcomers(): void {
    const photo = over ? undefined : nextComing(show, loading);
    if (!photo) return;
    const { id } = photo;
    loading.add(id);
    const settle = (loaded: boolean): void => {
      tries.delete(id);
      loading.delete(id);
      show = arrived(show, id, loaded);
      advance();
      loadNewcomers();
    };
    load(photo).then(
      () => settle(true),
      () => {
        const tried = (tries.get(id) ?? 0) + 1;
        tries.set(id, tried);
        if (tried >= COMING_TRIES) settle(false);
        else
          tryAgain(tried - 1, () => {
            loading.delete(id);
            loadNewcomers();
          });
      },
    );
    loadNewcomers();
  }

  /** The slide without photos that left the list, each with its current place. Photos of `all` may stay without one; null if none is left. */
  function placed(slide: DrawnSlide): DrawnSlide | null {
    const places = new Map(show.photos.map(({ id }, place) => [id, place]));
    const listed = new Set(all.map(({ id }) => id));
    const left = slide.pictures.flatMap((one) => {
      const { id } = one.photo;
      return listed.has(id) ? { ...one, place: places.get(id) ?? one.place } : [];
    });
    return left.length > 0 ? { ...slide, pictures: left } : null;
  }

  /** Shows this photo now, or as soon as the list has it: what the phone says may arrive first. */
  function present(id: string): void {
    wished = all.some((photo) => photo.id === id) ? null : { id, until: performance.now() + WISH_MS };
    take(presented(show, id, all));
  }

  /** Another width of the window puts portraits together, or apart, from the next slide on. */
  const resized = (): void => void (show = { ...show, wide: isWide() });
  window.addEventListener('resize', resized);
  void draw(1);

  return {
    current,
    subscribe,
    /** Goes on to the next slide (1) or back to the last (-1), or by so many. Those between are not loaded. */
    step(by: 1 | -1, times = 1): void {
      wished = null;
      let next = show;
      for (let n = 0; n < Math.min(times, MOST_STEPS); n++) next = stepped(next, by);
      take(next, by);
    },
    present,
    /** Puts photos together otherwise, from the next slide on. */
    setLayout: (layout: Layout): void => void (show = { ...show, layout }),
    /** Whether photos that stand alone are loaded in the pixels of this screen. */
    enlarge: large.turn,
    /** Goes on if this slide is still shown: its video is over. */
    pass(id: number): void {
      if (current().playing && show.slide.id === id) take(stepped(show, 1));
    },
    /** Holds the slide, or goes on: then it stays for its whole time. */
    play(playing: boolean): void {
      set({ playing });
      if (playing && show.slide.began !== null) show = begun(show, performance.now());
      plan();
      advance();
    },
    /** The list changed, or what is shown of `all` photos: then the slide that is drawn stays until the next one is there. */
    refresh(fresh: readonly Photo[], inAll = fresh): void {
      if (fresh.length === 0 || (fresh === show.photos && inAll === all)) return;
      all = inAll;
      take(refreshed(show, fresh, all));
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

/** Whether two portraits fit side by side. */
function isWide(): boolean {
  return window.innerWidth > window.innerHeight;
}
