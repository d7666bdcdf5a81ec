import { inTime } from '../../api/client.ts';
import { notePageState, pageState } from './page-state.ts';

/** Hour of the night at which the page reloads, to free the memory that a browser gathers in a day. */
const ANEW_HOUR = 5;
/** Minimum age of a page that reloads, so that it reloads once in that hour. */
const ANEW_AFTER_MS = 3_600_000;
const LOOK_MS = 30_000;
/** Limit of the question whether the server is reachable: further questions would take the photos' connections. */
const HEALTH_MS = 10_000;
/** Time without a frame after which a visible page counts as hung. It doubles with each reload in vain, up to the longest. */
const HANGS_MS = 60_000;
const LONGEST_HANG_MS = 3_600_000;
/** Still parts move after this time, by up to DRIFT_PART of the shorter side, because bright still pictures burn into some screens. */
const DRIFT_MS = 15 * 60_000;
/** Smaller than the margin that is left for the edges that televisions cut (slideshow.module.css). */
const DRIFT_PART = 1 / 120;
/** Televisions' browsers that end a page which plays nothing. */
const NEEDS_MEDIA = /\bSilk\b|\bAFT[A-Z]|Web0S|Tizen/;

/** Keeps a wall alive for a night. `video`: a small silent video, which browsers in NEEDS_MEDIA count as playing. */
export function keepAlive(root: HTMLElement, video: string): void {
  /** Time since which a frame is awaited, or null. One frame at each look is enough, and lets a small machine rest. */
  let awaited: number | null = null;
  let handle = 0;
  const began = performance.now();
  let looked = began;
  const hung = (): number => pageState().hung ?? 0;
  /** Patience grows because some televisions that show another source draw no frame, but report the page as visible. */
  let patience = Math.min(HANGS_MS * 2 ** hung(), LONGEST_HANG_MS);
  const look = async (): Promise<void> => {
    const now = performance.now();
    const late = now - looked;
    looked = now;
    // A sleeping laptop draws no frames either.
    const counts = document.visibilityState === 'visible' && late < 2 * LOOK_MS;
    const hangs = counts && awaited !== null && now - awaited >= patience;
    // The page draws again, and not only at its beginning.
    if (awaited === null && patience > HANGS_MS && now - began > patience) {
      patience = HANGS_MS;
      notePageState({ hung: 0 });
    }
    if (!counts || awaited === null) {
      cancelAnimationFrame(handle);
      handle = requestAnimationFrame(() => (awaited = null));
      awaited = now;
    }
    // A television's clock may be set only after the page began, so `performance.now()` tells the page's age.
    const night = new Date().getHours() === ANEW_HOUR && now - began > ANEW_AFTER_MS;
    if (!hangs && !night) return;
    // Without the server the page continues with the photos that it has.
    const there = await inTime(HEALTH_MS, (signal) => fetch('/health', { cache: 'no-store', signal })).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!there) return;
    // Until the new page arrives, this one would count its hang again.
    clearInterval(looking);
    if (hangs) notePageState({ hung: hung() + 1 });
    window.location.reload();
  };
  const looking = setInterval(() => void look(), LOOK_MS);
  setInterval(() => {
    const furthest = Math.min(window.innerWidth, window.innerHeight) * DRIFT_PART;
    for (const side of ['--drift-x', '--drift-y']) root.style.setProperty(side, `${Math.round((2 * Math.random() - 1) * furthest)}px`);
  }, DRIFT_MS);
  if (NEEDS_MEDIA.test(navigator.userAgent)) play(root, video);
}

function play(root: HTMLElement, src: string): void {
  const video = document.createElement('video');
  Object.assign(video, { src, muted: true, loop: true, playsInline: true });
  video.setAttribute('aria-hidden', 'true');
  Object.assign(video.style, { position: 'absolute', width: '2px', height: '2px', opacity: '0.01', pointerEvents: 'none' });
  root.append(video);
  video.play().catch(() => undefined);
}
