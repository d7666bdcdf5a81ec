import { CONTROLS_HIDE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { recall, remember } from '../../lib/storage.ts';
import type { Box } from './arrange.ts';
import { createControls } from './controls.ts';
import { createCurtain } from './curtain.ts';
import { create, type View } from './dom.ts';
import { createFollower, type ChosenWall } from './follow.ts';
import { createInvitation } from './invitation.ts';
import { headline } from './messages.ts';
import { notePageState, pageState } from './page-state.ts';
import { createPlayer, type Player } from './player.ts';
import styles from './slideshow.module.css';
import { createStage } from './stage.ts';
import { unlockPage } from './waiting-for-photos.ts';

/** Events that show the controls, besides keys. */
const SIGNS_OF_LIFE = ['mousemove', 'touchstart', 'focusin', 'focusout'] as const;

/** The keys of keyboards, presenters (page up and down) and remote controls. */
const NEXT_KEYS = ['ArrowRight', 'PageDown', 'MediaTrackNext', 'MediaFastForward'];
const BACK_KEYS = ['ArrowLeft', 'PageUp', 'MediaTrackPrevious', 'MediaRewind'];
const HOLD_KEYS = [' ', 'Enter', 'MediaPlayPause', 'MediaPlay', 'MediaPause'];

export interface Running {
  code: string;
  photos: readonly Photo[];
  /** All photos in the slideshow, also those outside of a round of favourites. */
  all: readonly Photo[];
  named: boolean;
  locked: boolean;
  /** Whether this is a round of favourites that the host began on this screen. */
  loved: boolean;
  wall: ChosenWall | null;
  /** Address of the guests' page. */
  guests: string;
}

/** Makes the view of a running show: the pictures on black, and the controls over them. */
export function runningShow({ code, photos, all, locked, loved }: Running): View<Running> {
  const player = createPlayer(photos, { position: placeBefore(photos) }, all);
  let inviting = recall('slideshowQr') !== 'false';
  const layers = create('div', styles.layers);
  const curtain = createCurtain();
  const invitation = createInvitation(code, { inCorner: true });
  const invite = (shown: boolean): void => {
    inviting = shown;
    label();
    if (shown) element.insertBefore(invitation.element, curtain.element);
    else invitation.element.remove();
    stage.fit();
  };
  const controls = createControls({
    onStep: (by) => player.step(by),
    onPlay: () => player.play(!player.current().playing),
    onInvite() {
      remember('slideshowQr', String(!inviting));
      invite(!inviting);
    },
    onAll: loved ? () => window.location.assign(`/slideshow/${code}`) : null,
    onLeave: () => window.location.assign(locked ? unlockPage(code) : `/manage/${code}`),
  });
  const label = (): void => controls.update({ playing: player.current().playing, inviting, locked });
  const element = create('main', styles.stage, headline('Slideshow', 'visually-hidden'), layers, curtain.element, controls.element);
  const stage = createStage(layers, player, () => cornerOf(element, invitation.element));
  invite(inviting);
  const follow = createFollower({ player, invite });
  const ends = [player.subscribe(label), player.subscribe(() => notePlace(player)), hideControls(element, player), stage.end, player.end];
  let followed: ChosenWall | null = null;
  return {
    element,
    update({ photos: fresh, all, named, wall, guests }) {
      // The curtain is updated before anything is measured; otherwise it would be seen to fall.
      curtain.update(wall);
      player.refresh(fresh, all);
      stage.name(named);
      player.enlarge(wall?.large === true);
      invitation.update(guests);
      stage.fit();
      if (wall && wall !== followed) follow(wall);
      followed = wall;
    },
    end() {
      for (const end of ends) end();
    },
  };
}

/** Returns the size of the room's lower right corner that a part takes, with its distance to the edges; 0 if it is not shown. */
function cornerOf(room: HTMLElement, part: HTMLElement): Box {
  if (!part.isConnected) return { width: 0, height: 0 };
  const [all, its] = [room.getBoundingClientRect(), part.getBoundingClientRect()];
  return { width: all.right - its.left, height: all.bottom - its.top };
}

/** Hides the controls a while after the last sign of life, but not with the keyboard's focus on them. A press on hidden ones shows them. */
function hideControls(room: HTMLElement, player: Player): () => void {
  let timer = 0;
  /** Whether Tab has moved the focus. (An arrow key makes the focus of a clicked button visible, too.) */
  let tabbed = false;
  let hidden = false;
  /** Whether the current press began while the controls were hidden. */
  let onlyShows = false;
  const set = (isHidden: boolean): void => {
    hidden = isHidden;
    room.dataset.active = String(!hidden);
  };
  const hide = (): void => set(!(tabbed && hasVisibleFocus(document.activeElement)));
  const wake = (): void => {
    set(false);
    clearTimeout(timer);
    timer = window.setTimeout(hide, CONTROLS_HIDE);
  };
  const keys = (event: KeyboardEvent): void => {
    tabbed = tabbed || event.key === 'Tab';
    wake();
    const { key, target } = event;
    if (NEXT_KEYS.includes(key)) player.step(1);
    if (BACK_KEYS.includes(key)) player.step(-1);
    // A remote control repeats a held key.
    if (HOLD_KEYS.includes(key) && !event.repeat && !(target instanceof HTMLButtonElement)) {
      event.preventDefault();
      player.play(key === 'MediaPlay' || (key !== 'MediaPause' && !player.current().playing));
    }
  };
  const press = (): void => void (tabbed = false);
  wake();
  for (const name of SIGNS_OF_LIFE) window.addEventListener(name, wake);
  window.addEventListener('keydown', keys);
  window.addEventListener('pointerdown', press);
  room.addEventListener('pointerdown', () => (onlyShows = hidden), true);
  const stop = (event: MouseEvent): void => {
    // A keyboard's click has no detail.
    if (onlyShows && event.detail > 0) event.stopPropagation();
  };
  room.addEventListener('click', stop, true);
  return () => {
    clearTimeout(timer);
    for (const name of SIGNS_OF_LIFE) window.removeEventListener(name, wake);
    window.removeEventListener('keydown', keys);
    window.removeEventListener('pointerdown', press);
  };
}

function hasVisibleFocus(element: Element | null): boolean {
  if (!(element instanceof HTMLButtonElement)) return false;
  try {
    return element.matches(':focus-visible');
  } catch {
    // Chromium before 86 does not know `:focus-visible`.
    return true;
  }
}

/** Returns the show's position before a reload of the page; 0 if it is unknown. */
function placeBefore(photos: readonly Photo[]): number {
  const { at } = pageState();
  return Math.max(
    0,
    photos.findIndex(({ id }) => id === at),
  );
}

function notePlace(player: Player): void {
  const { pictures: [first] = [], fresh } = player.current().slide ?? {};
  if (first && fresh === false && pageState().at !== first.photo.id) notePageState({ at: first.photo.id });
}
