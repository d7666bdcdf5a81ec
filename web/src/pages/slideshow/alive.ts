import { inTime } from '../../api/client.ts';
import { notePageState, pageState } from './page-state.ts';

/** The page begins anew at this hour of the night, so that nothing that a browser gathers in a day stays. */
const ANEW_HOUR = 5;
/** So it begins anew once in that hour. */
const ANEW_AFTER_MS = 3_600_000;
const LOOK_MS = 30_000;
/** Without an answer by then the server is not there: questions of later looks would take the lines of photos. */
const HEALTH_MS = 10_000;
/** A page in sight that draws no frame for so long hangs. Where beginning anew brings none it waits for twice as long, up to the longest. */
const HANGS_MS = 60_000;
const LONGEST_HANG_MS = 3_600_000;
/** Bright and still, a picture burns into some screens: what stands still moves this often, by up to this part of the shorter side. */
const DRIFT_MS = 15 * 60_000;
/** Less than the distance to the edges that televisions cut leaves (slideshow.module.css). */
const DRIFT_PART = 1 / 120;
/** Browsers of televisions that end a page which plays nothing. */
const NEEDS_MEDIA = /\bSilk\b|\bAFT[A-Z]|Web0S|Tizen/;

/** Keeps a wall alive for a night. `video`: a small silent one that such browsers count as playing. */
export function keepAlive(root: HTMLElement, video: string): void {
  /** Since when a frame is awaited; null: none is. One at each look says enough, and lets a small machine rest. */
  let awaited: number | null = null;
  let handle = 0;
  const began = performance.now();
  let looked = began;
  const hung = (): number => pageState().hung ?? 0;
  /** Some televisions that show another source draw nothing, and say that the page is in sight. */
  let patience = Math.min(HANGS_MS * 2 ** hung(), LONGEST_HANG_MS);
  const look = async (): Promise<void> => {
    const now = performance.now();
    const late = now - looked;
    looked = now;
    // A laptop that slept drew no frames either.
    const counts = document.visibilityState === 'visible' && late < 2 * LOOK_MS;
    const hangs = counts && awaited !== null && now - awaited >= patience;
    // It draws again, and not only at its beginning.
    if (awaited === null && patience > HANGS_MS && now - began > patience) {
      patience = HANGS_MS;
      notePageState({ hung: 0 });
    }
    if (!counts || awaited === null) {
      cancelAnimationFrame(handle);
      handle = requestAnimationFrame(() => (awaited = null));
      awaited = now;
    }
    // A television's clock may be set only after the page began: `performance.now()` says how long that is ago.
    const night = new Date().getHours() === ANEW_HOUR && now - began > ANEW_AFTER_MS;
    if (!hangs && !night) return;
    // Without the server it goes on with the photos that it has.
    const there = await inTime(HEALTH_MS, (signal) => fetch('/health', { cache: 'no-store', signal })).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!there) return;
    if (hangs) notePageState({ hung: hung() + 1 });
    window.location.reload();
  };
  setInterval(() => void look(), LOOK_MS);
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
