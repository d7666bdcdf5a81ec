import { ANONYMOUS, SAME_SHAPE } from '@feierbild/contract/constants.ts';
import { arrange, type Box } from './arrange.ts';
import { create, fill as refill, setText, untranslated } from './dom.ts';
import { putOnPaper } from './paper.ts';
import type { DrawnSlide, LoadedPhoto, Player } from './player.ts';
import styles from './slideshow.module.css';
import { startVideo } from './wall-video.ts';

/** Largest number of layers that stay under a new one. */
const MOST_FADING = 2;
/** Time for which a new photo is announced as new. */
const NEW_MS = 4_000;
/** Width in pixels of the soft picture that fills the wall beside photos. It is drawn once; a blur of the wall would cost each frame. */
const FILL_WIDTH = 80;
const FILL_FILTER = 'blur(2px) saturate(0.8)';
/** Shifts in pixels by which the picture is averaged with itself in Safari before 18, which knows no filter. */
const FILL_MOVES = [1, -2, 3, -4, 2];
/** Distance between photos: at least GAP px, and GAP_PART of the wall's shorter side, so that it looks the same on 2,160 px. */
const GAP = 24;
const GAP_PART = 1 / 45;

interface Layer {
  id: number;
  element: HTMLElement;
  /** The canvas that fills the wall beside the photos, and its picture. */
  behind: HTMLCanvasElement;
  filledWith: HTMLImageElement | null;
  frames: Map<string, Frame>;
  /** The input from which its photos' places were computed, as JSON. */
  placed: string;
  names: HTMLElement | null;
  /** The pill of newcomers, and the photos that it has named. */
  pill: HTMLElement | null;
  named: Set<string>;
}

interface Frame {
  element: HTMLElement;
  /** Width divided by height, for the frame's place. */
  ratio: number;
  image: HTMLImageElement | null;
  endVideo: () => void;
}

/**
 * Draws a player's slides into an element: each slide fades in above those before, which stay until then, so that the screen never gets
 * dark. Photos that join the slide make it a collage, whose photos glide to their places. `corner` returns the size of the lower right
 * that photos must leave free, px.
 */
export function createStage(root: HTMLElement, player: Pick<Player, 'current' | 'subscribe' | 'pass'>, corner: () => Box) {
  const layers: Layer[] = [];
  let naming = false;

  function update(): void {
    const { slide } = player.current();
    if (!slide) return removeUnder(layers.length);
    const top = layers.at(-1);
    if (top?.id === slide.id) return fill(top, slide);
    if (top) quieten(top);
    // Presses may come faster than layers fade, and each layer holds pictures: only the lowest, which covers the wall, and the newest stay.
    remove(layers.splice(1, Math.max(0, layers.length - MOST_FADING)));
    const layer = created(slide);
    layers.push(layer);
    fill(layer, slide);
    root.append(layer.element);
    settleAfterFade(layer);
  }

  /** Removes the `count` lowest layers. */
  const removeUnder = (count: number): void => remove(layers.splice(0, Math.max(0, count)));

  function remove(gone: readonly Layer[]): void {
    for (const { element, frames } of gone) {
      for (const frame of frames.values()) clear(frame);
      element.remove();
    }
  }

  /** Takes a frame apart: its image is kept for its next turn, and would keep the whole frame in memory, above all a video. */
  function clear({ element, endVideo }: Frame): void {
    endVideo();
    element.remove();
    element.textContent = '';
  }

  /** Silences a layer that is about to go, and pauses its videos. */
  function quieten({ frames, pill }: Layer): void {
    pill?.remove();
    for (const { element, image } of frames.values()) {
      if (image) image.alt = '';
      element.querySelector('video')?.pause();
    }
  }

  function settleAfterFade(layer: Layer): void {
    const settle = (): void => removeUnder(layers.indexOf(layer));
    // With reduced motion nothing fades, and on a hidden page no fading ends.
    if (document.visibilityState === 'hidden' || getComputedStyle(layer.element).animationName === 'none') return settle();
    layer.element.addEventListener('animationend', ({ target }) => target === layer.element && settle());
  }

  function created({ id, fresh }: DrawnSlide): Layer {
    const element = create('div', styles.layer);
    if (fresh) element.classList.add(styles.fresh ?? '');
    const behind = create('canvas', styles.fill);
    behind.setAttribute('aria-hidden', 'true');
    element.append(behind);
    return { id, element, behind, filledWith: null, frames: new Map(), placed: '', names: null, pill: null, named: new Set() };
  }

  /** Brings a layer up to date with its slide. */
  function fill(layer: Layer, slide: DrawnSlide): void {
    const { pictures } = slide;
    const ids = new Set(pictures.map(({ photo }) => photo.id));
    for (const [id, frame] of layer.frames) {
      if (ids.has(id)) continue;
      clear(frame);
      layer.frames.delete(id);
    }
    for (const picture of pictures) show(layer, slide, picture);
    fillBehind(layer, pictures[0]?.image ?? null);
    place(layer, pictures);
    name(layer, pictures);
    if (slide.fresh) announce(layer, pictures);
  }

  /** Fills the wall beside the photos with `image`, which changes when the first photo leaves or gets another picture. */
  function fillBehind(layer: Layer, image: HTMLImageElement | null): void {
    if (layer.filledWith === image) return;
    const { behind } = layer;
    layer.filledWith = image;
    behind.width = FILL_WIDTH;
    if (!image) return;
    behind.style.background = image.style.background;
    behind.height = Math.ceil((FILL_WIDTH * image.naturalHeight) / image.naturalWidth);
    const context = behind.getContext('2d');
    if (!context) return;
    context.imageSmoothingQuality = 'medium';
    context.filter = FILL_FILTER;
    context.drawImage(image, 0, 0, behind.width, behind.height);
    if ('filter' in CanvasRenderingContext2D.prototype) return;
    context.globalAlpha = 0.5;
    for (const by of FILL_MOVES) {
      context.drawImage(behind, by, 0);
      context.drawImage(behind, 0, by);
    }
  }

  function show(layer: Layer, { id }: DrawnSlide, { photo, place: index, image }: LoadedPhoto): void {
    const known = layer.frames.get(photo.id);
    const ratio = photo.width / photo.height;
    const frame = known ?? { element: create('div', styles.frame), ratio, image: null, endVideo: () => undefined };
    // A preview's ratio is rounded to whole pixels; so small a difference to the original's ratio must not rearrange a collage.
    if (Math.abs(ratio / frame.ratio - 1) > SAME_SHAPE) frame.ratio = ratio;
    image.alt = `${photo.video ? 'Video' : 'Foto'} ${index + 1} von ${player.current().total}`;
    if (frame.image !== image) {
      const before = frame.image;
      frame.image = image;
      putOnPaper(image);
      leaveCopy(image);
      image.className = styles.photo ?? '';
      // The loaded image element itself is shown, because another one with the same address might need the network again.
      if (before) before.after(image);
      else frame.element.prepend(image);
      if (before) fadeOver(before, image);
    }
    if (known) return;
    layer.frames.set(photo.id, frame);
    if (layer.frames.size > 1 && layer.element.isConnected) frame.element.classList.add(styles.joining ?? '');
    layer.element.insertBefore(frame.element, layer.names ?? layer.pill);
    if (photo.video) frame.endVideo = startVideo(frame.element, photo.video.url, () => player.pass(id));
  }

  /** Leaves a copy of a photo that is shown again on its earlier layer, which would be dark there otherwise. */
  function leaveCopy(image: HTMLImageElement): void {
    if (!layers.some(({ element }) => element.contains(image))) return;
    const copy = image.cloneNode() as HTMLImageElement;
    copy.alt = '';
    // The copy does not fade in again.
    copy.className = styles.photo ?? '';
    copy.decoding = 'sync';
    image.before(copy);
  }

  /** Fades in another picture of the same photo at the same place. */
  function fadeOver(before: HTMLImageElement, image: HTMLImageElement): void {
    before.alt = '';
    image.classList.add(styles.better ?? '');
    if (getComputedStyle(image).animationName === 'none') before.remove();
    else image.addEventListener('animationend', () => before.remove(), { once: true });
  }

  function place(layer: Layer, pictures: readonly LoadedPhoto[]): void {
    const wall = { width: root.clientWidth, height: root.clientHeight };
    const gap = Math.max(GAP, Math.round(Math.min(wall.width, wall.height) * GAP_PART));
    const ratios = pictures.map(({ photo }) => layer.frames.get(photo.id)?.ratio ?? 1);
    const free = corner();
    const placed = JSON.stringify([pictures.map(({ photo }) => photo.id), ratios, wall, gap, free]);
    if (layer.placed === placed) return;
    layer.placed = placed;
    const places = arrange(ratios, wall, gap, free);
    layer.element.classList.toggle(styles.many ?? '', pictures.length > 1);
    pictures.forEach(({ photo }, n) => {
      const style = layer.frames.get(photo.id)?.element.style;
      const at = places[n];
      if (style && at) for (const side of ['left', 'top', 'width', 'height'] as const) style[side] = `${at[side]}px`;
    });
  }

  /** Shows in small type who sent the photos, in a slideshow with names. */
  function name(layer: Layer, pictures: readonly LoadedPhoto[]): void {
    const names = naming ? namesOf(pictures) : [];
    if (names.length === 0) {
      layer.names?.remove();
      layer.names = null;
      return;
    }
    if (!layer.names) {
      layer.names = untranslated(create('p', styles.names));
      layer.element.append(layer.names);
    }
    setText(layer.names, names.join(' · '));
  }

  /** Announces new photos for a moment. */
  function announce(layer: Layer, pictures: readonly LoadedPhoto[]): void {
    const news = pictures.filter(({ photo }) => !layer.named.has(photo.id));
    if (news.length === 0) return;
    for (const { photo } of news) layer.named.add(photo.id);
    const pill = layer.pill ?? create('p', styles.pill);
    if (!layer.pill) layer.element.append(pill);
    layer.pill = pill;
    const names = naming ? namesOf(news) : [];
    refill(pill, ...(names.length > 0 ? ['Neu von ', untranslated(create('span', '', names.join(' · ')))] : ['Neu']));
    const said = pill.textContent;
    setTimeout(() => {
      if (pill.textContent !== said || layer.pill !== pill) return;
      pill.remove();
      layer.pill = null;
    }, NEW_MS);
  }

  function fit(): void {
    const { slide } = player.current();
    const top = layers.at(-1);
    if (slide && top?.id === slide.id) place(top, slide.pictures);
  }
  window.addEventListener('resize', fit);
  const unsubscribe = player.subscribe(update);
  update();

  return {
    /** Places the photos anew if the corner has changed. */
    fit,
    /** Sets whether the senders' names are shown. */
    name(value: boolean): void {
      if (naming === value) return;
      naming = value;
      const { slide } = player.current();
      for (const layer of layers) name(layer, slide?.id === layer.id ? slide.pictures : []);
    },
    end(): void {
      unsubscribe();
      window.removeEventListener('resize', fit);
      removeUnder(layers.length);
    },
  };
}

function namesOf(pictures: readonly LoadedPhoto[]): string[] {
  return [...new Set(pictures.map(({ photo }) => photo.device.name).filter((name) => name !== '' && name !== ANONYMOUS))];
}
