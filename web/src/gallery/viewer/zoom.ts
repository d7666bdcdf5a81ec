const DURATION_MS = 240;
/** Longest time that the thumbnail stands in for a picture that is being loaded. */
const LOADING_MS = 3000;

/** The thumbnail in place of the viewer's picture. */
let standIn: ReturnType<typeof fly> = null;

/** Returns the viewer's place for a photo: centred, as large as the window allows, never enlarged. CSS pixels. */
export function fittedBox({ width, height }: { width: number; height: number }, window: { innerWidth: number; innerHeight: number }) {
  const scale = Math.min(1, window.innerWidth / width, window.innerHeight / height);
  const [w, h] = [width * scale, height * scale];
  return { left: (window.innerWidth - w) / 2, top: (window.innerHeight - h) / 2, width: w, height: h };
}

/** Shows how a photo opens out of its tile; the thumbnail stays until the viewer has the picture. */
export function openOutOfTile(id: string): void {
  endOpening();
  const flight = fly(id, 'normal');
  if (!flight) return;
  standIn = flight;
  const end = (): void => void (standIn === flight && endOpening());
  setTimeout(end, LOADING_MS);
  void flight.landed.then(async () => {
    const picture = await shownPicture(flight.copy);
    await picture?.decode().catch(() => undefined);
    end();
  });
}

/** Removes the thumbnail, unless it is that of the photo `id`. */
export function endOpening(id: string | null = null): void {
  if (standIn === null || standIn.id === id) return;
  standIn.copy.remove();
  standIn = null;
}

/** Shows how a photo closes into its tile. */
export function closeIntoTile(id: string): void {
  endOpening();
  tileOf(id)?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const flight = fly(id, 'reverse');
  void flight?.landed.then(() => flight.copy.remove());
}

function tileOf(id: string): HTMLImageElement | null {
  return document.querySelector<HTMLImageElement>(`[data-photo="${CSS.escape(id)}"] img`);
}

/** Moves a copy of the tile's picture between tile and window; null if no tile is visible, or the visitor wants reduced motion. */
function fly(id: string, direction: 'normal' | 'reverse') {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return null;
  const tile = tileOf(id);
  if (!tile?.complete || tile.naturalWidth === 0) return null;
  const from = tile.getBoundingClientRect();
  if (from.bottom < 0 || from.top > window.innerHeight) return null;
  // The attributes are the photo's own size.
  const to = fittedBox({ width: Number(tile.getAttribute('width')), height: Number(tile.getAttribute('height')) }, window);
  const copy = new Image();
  copy.src = tile.currentSrc;
  copy.alt = '';
  copy.ariaHidden = 'true';
  Object.assign(copy.style, {
    position: 'fixed',
    left: `${to.left}px`,
    top: `${to.top}px`,
    width: `${to.width}px`,
    height: `${to.height}px`,
    objectFit: 'cover',
    transformOrigin: '0 0',
    pointerEvents: 'none',
    // The copy is above the viewer.
    zIndex: '10000',
  });
  document.body.append(copy);
  const small = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width}, ${from.height / to.height})`;
  const motion = copy.animate([{ transform: small }, { transform: 'none' }], {
    duration: DURATION_MS,
    easing: 'cubic-bezier(0.2, 0, 0, 1)',
    fill: 'both',
    direction,
  });
  return { id, copy, landed: motion.finished.catch(() => undefined) };
}

/** Waits for the viewer's own picture; null if the thumbnail was removed before. */
async function shownPicture(copy: HTMLImageElement): Promise<HTMLImageElement | null> {
  while (copy.isConnected) {
    const picture = document.querySelector<HTMLImageElement>('.yarl__slide_current img');
    if (picture) return picture;
    await new Promise(requestAnimationFrame);
  }
  return null;
}
