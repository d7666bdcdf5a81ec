import { SLIDESHOW_MIN_PHOTOS, SLIDESHOW_REFRESH } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { isRefusal } from '../../api/client.ts';
import { keepList } from '../../lib/keep-list.ts';
import { createPhotoList } from '../../lib/photo-list.ts';
import type { Site } from '../../lib/use-site.ts';
import { wear } from '../../lib/wear.ts';
import { keepAwake } from '../../lib/wake-lock.ts';
import { slideshow } from '../../texts.ts';
import { keepAlive } from './alive.ts';
import { create, createPlace, still, type View } from './dom.ts';
import type { ChosenWall } from './follow.ts';
import { failed, link, message, waiting } from './messages.ts';
import { heartsOf, keepWall, readerOf, type Beside } from './photos.ts';
import { favourites, ordered } from './order.ts';
import { runningShow } from './room.ts';
import styles from './slideshow.module.css';
import stillVideo from './still.mp4?url';
import { letIn } from './visitor.ts';
import { waitingForPhotos } from './waiting-for-photos.ts';

/** Pause between polls while there are too few photos. */
const WAITING_REFRESH_MS = 10_000;
/** Minimum pause between two requests for new photos. */
const NEWS_PAUSE_MS = 250;

/** Opens /slideshow/{code}: photos for the projector; with `?lieblinge` a round of photos with hearts. */
export function openSlideshow(root: HTMLElement, raw: string, site: Site): void {
  const room = create('div', styles.room, waiting());
  root.append(room);
  // The page is also kept alive while it waits for photos or the server, which may take hours.
  keepAlive(root, stillVideo);
  const show = createPlace(room);
  letIn(raw, {
    onEntered: (code, locked) => showPhotos({ show, code, locked, site }),
    onInvalid: () => show(() => still(message(site, { title: slideshow.notFound })), null),
    onTrouble: (error, onRetry) => show(failed, { site, error, onRetry }),
  });
}

interface Place {
  show: ReturnType<typeof createPlace>;
  code: string;
  locked: boolean;
  site: Site;
}

function showPhotos({ show, code, locked, site }: Place): void {
  const list = createPhotoList<Beside>(readerOf(code), { shownOnly: true });
  const chosen = keepWall(code);
  const seed = String(Math.random());
  // Only the host may know the hearts.
  const round = new URLSearchParams(window.location.search).has('lieblinge') && !locked ? createRound(code, draw) : null;
  const order = createOrder(seed);

  function draw(): void {
    const { photos, beside, complete, error } = list.current();
    const { wall, isAsked } = chosen.current();
    if (beside) wear(beside.palette ?? null);
    // Only these refusals end a running slideshow, because every other failure passes.
    const over = isRefusal(error, 'event_not_found', 'event_inactive', 'slideshow_disabled', 'gallery_closed', 'login_required');
    if (error && (!complete || over)) return show(failed, { site, error, onRetry: () => void list.retry() });
    // No photo is shown before all are loaded, because those of a later page would look new; nor before the curtain's state is known.
    if (!complete || !isAsked) return show(loading, null);
    const guests = (site.origin ?? window.location.origin) + (wall?.guests ?? `/event/${code}`);
    const common = { code, all: photos, wall, guests, named: beside?.names === true };
    if (!round) {
      if (photos.length < SLIDESHOW_MIN_PHOTOS) return show(waitingForPhotos, { ...common, photos: order(photos, beside, wall), locked });
      return show(runningShow, { ...common, photos: order(photos, beside, wall), locked, loved: false });
    }
    const { hearts, trouble } = round.current();
    if (trouble) return show(failed, { site, error: trouble, onRetry: round.ask });
    if (!hearts) return show(loading, null);
    const loved = favourites(photos, hearts);
    if (loved.length > 0) return show(runningShow, { ...common, photos: loved, locked: false, loved: true });
    show(nothingLoved, { site, code });
  }

  keepAwake();
  list.subscribe(draw);
  chosen.subscribe(draw);
  const pollMs = (): number => (list.current().photos.length < SLIDESHOW_MIN_PHOTOS ? WAITING_REFRESH_MS : SLIDESHOW_REFRESH);
  keepList(list, code, pollMs, {
    pauseMs: NEWS_PAUSE_MS,
    onNews: (news) => (news === null || news.wall) && chosen.reload(),
  });
  void list.all();
  draw();
}

/** Makes the function that orders the photos; the evening's last round shows photos with hearts, from few to many. */
function createOrder(seed: string) {
  let known: readonly unknown[] = [];
  let made: readonly Photo[] = [];
  return (photos: readonly Photo[], beside: Beside | null, wall: ChosenWall | null): readonly Photo[] => {
    const random = beside?.random === true;
    const loved = wall?.loved?.join();
    const inputs = [photos, random, loved];
    if (inputs.every((input, n) => input === known[n])) return made;
    known = inputs;
    const round = new Map((wall?.loved ?? []).map((id, place) => [id, place]));
    const chosen = photos.filter(({ id }) => round.has(id)).sort((a, b) => (round.get(a.id) ?? 0) - (round.get(b.id) ?? 0));
    return (made = chosen.length > 0 ? chosen : ordered(photos, random ? seed : null));
  };
}

/** Reads the hearts for a round of favourites that the host began on this screen, once at its beginning. */
function createRound(code: string, changed: () => void) {
  let state: { hearts: ReadonlyMap<string, number> | null; trouble: unknown } = { hearts: null, trouble: null };
  const ask = (): void => {
    state = { hearts: null, trouble: null };
    heartsOf(code)
      .then(
        (hearts) => (state = { hearts, trouble: null }),
        (trouble: unknown) => (state = { hearts: null, trouble }),
      )
      .then(changed, () => undefined);
  };
  ask();
  return { current: () => state, ask };
}

function loading(): View<null> {
  const element = create('div', styles.stage);
  element.setAttribute('role', 'status');
  element.setAttribute('aria-label', 'Slideshow wird geladen');
  return still(element);
}

function nothingLoved({ site, code }: { site: Site; code: string }): View<{ site: Site; code: string }> {
  return still(
    message(site, {
      title: 'Noch keine Lieblinge',
      text: ['Sobald Gäste in der Galerie Herzen geben, läuft hier eine Runde mit diesen Fotos.'],
      actions: [link('Alle Fotos zeigen', `/slideshow/${code}`)],
    }),
  );
}
