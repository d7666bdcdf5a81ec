import type { Photo } from '@feierbild/contract/entities.ts';
import { readsBackTruly } from '../../../lib/canvas.ts';
import { isBlack, sendStill, stillOf } from '../../../video/still.ts';
import { hasPicture, withPoster } from '../../../video/video.ts';

/** Times of the video in seconds; the first one whose picture is not black gives the still. */
const INSTANTS_S = [1, 0, 2, 4];
/** Limit for an event of the video: a phone that cannot decode its own video fires none. */
const EVENT_TIMEOUT_MS = 10_000;

const drawn = new WeakMap<Blob, Promise<Blob | null>>();
/** The last drawing. Videos are drawn one after the other, because phones have few decoders. */
let last: Promise<unknown> = Promise.resolve();

/** Draws the still of a video, once for each; null if this browser cannot, or falsifies drawn pixels. */
export function posterOf(file: Blob): Promise<Blob | null> {
  let poster = drawn.get(file);
  if (!poster) {
    poster = last.then(() => draw(file)).catch(() => null);
    last = poster;
    drawn.set(file, poster);
  }
  return poster;
}

/** Gives a stored video its poster, and returns the changed photo. A failure is not reported, because the video is safe without. */
export async function sendPoster(file: File, photo: Photo, deviceId: string): Promise<Photo> {
  const poster = await posterOf(file);
  return poster !== null && (await sendStill(poster, photo, deviceId)) ? { ...photo, ...withPoster(photo.id) } : photo;
}

async function draw(file: Blob): Promise<Blob | null> {
  if (!readsBackTruly()) return null;
  const video = document.createElement('video');
  Object.assign(video, { muted: true, playsInline: true, preload: 'auto' });
  const url = URL.createObjectURL(file);
  try {
    const loaded = event(video, 'loadeddata');
    video.src = url;
    // iPhones load no picture before the video plays.
    video.play().then(
      () => video.pause(),
      () => undefined,
    );
    await loaded;
    video.pause();
    if (!hasPicture(video)) return null;
    for (const instant of INSTANTS_S) {
      if (instant > 0 && instant >= video.duration) continue;
      const there = event(video, 'seeked');
      video.currentTime = instant;
      await there;
      if (!isBlack(video)) break;
    }
    return await stillOf(video);
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

function event(video: HTMLVideoElement, name: 'loadeddata' | 'seeked'): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error(name));
    setTimeout(fail, EVENT_TIMEOUT_MS);
    video.addEventListener(name, () => resolve(), { once: true });
    video.addEventListener('error', fail, { once: true });
  });
}
