import { PREVIEW_SIZE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { within } from '../../lib/time-limit.ts';
import { arrange } from './arrange.ts';
import type { Pictures } from './pictures.ts';

/** Factor by which an enlarged preview still looks sharp from where people stand. */
const ENLARGED = 1.1;
/** Limit for decoding, after which a picture is drawn all the same: some browsers never report it as decoded. */
const DECODE_MS = 10_000;

/** Returns the address of the large picture of a photo alone on this screen; null if the preview has enough pixels, or all there are. */
function largeFor({ id, width, height, video, state }: Photo): string | null {
  if (video || state === 'announced' || Math.max(width, height) <= PREVIEW_SIZE) return null;
  const [place] = arrange([width / height], { width: window.innerWidth, height: window.innerHeight }, 0);
  const drawn = place ? Math.max(place.width, place.height) * window.devicePixelRatio : 0;
  return drawn > ENLARGED * PREVIEW_SIZE ? `/api/photos/${id}/large` : null;
}

/**
 * Loads large pictures one at a time: the server makes one at a time, and other pictures need the line, too. A failed one is requested
 * again at the photo's next turn. `changed` is called when another one is loaded, or when they are switched on or off.
 */
export function createLargePictures({ load, drop }: Pick<Pictures, 'load' | 'drop'>, changed: () => void) {
  let on = false;
  let alone: readonly Photo[] = [];
  let queue: string[] = [];
  let loading: string | null = null;
  const there = new Set<string>();

  async function work(): Promise<void> {
    if (loading !== null) return;
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      loading = url;
      const isLoaded = await load(url)
        .then(
          // The picture is decoded before it is drawn, so that no frame waits for it.
          (image) => within(DECODE_MS, image.decode(), undefined).then(() => true),
        )
        .catch(() => false);
      loading = null;
      if (!isLoaded) continue;
      there.add(url);
      if (wanted().includes(url)) changed();
      else forget();
    }
  }

  const wanted = (): string[] => (on ? alone.flatMap((photo) => largeFor(photo) ?? []) : []);

  /** Drops the pictures that are not wanted any more. */
  function forget(): void {
    const urls = wanted();
    for (const url of there) {
      if (urls.includes(url)) continue;
      there.delete(url);
      drop(url);
    }
  }

  function ask(): void {
    forget();
    queue = wanted().filter((url) => !there.has(url) && url !== loading);
    void work();
  }

  return {
    /** Switches large pictures on or off, as the host wishes. */
    turn(value: boolean): void {
      if (on === value) return;
      on = value;
      ask();
      changed();
    },
    /** Sets the photos that stand alone, now and next. */
    want(photos: readonly Photo[]): void {
      alone = photos;
      ask();
    },
    /** Returns the address of a photo's large picture once it is loaded. */
    of(photo: Photo): string | null {
      const url = largeFor(photo);
      return url !== null && there.has(url) ? url : null;
    },
  };
}
