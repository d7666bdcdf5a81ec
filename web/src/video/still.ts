import { POSTER_BYTES, POSTER_SIZE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { inTime } from '../api/client.ts';
import { coloursOf, drawnWithin, jpegOf, readsBackTruly } from '../lib/canvas.ts';

const QUALITIES = [0.8, 0.6, 0.4];
/** Average brightness, of 255: below it is a fade from black, a hand before the lens. */
const BLACK = 16;
/** For sending one, ms: it is a few hundred kilobytes. */
const TIMEOUT_MS = 60_000;

/** Whether there is next to nothing to be seen on it. */
export function isBlack(picture: CanvasImageSource): boolean {
  const colours = coloursOf(picture);
  if (!colours) return false;
  return colours.reduce((sum, value, index) => (index % 4 === 3 ? sum : sum + value), 0) / (colours.length * (3 / 4)) < BLACK;
}

/** The frame that a video shows, as a JPEG that the server takes; null where there is none so small. */
export async function stillOf(video: HTMLVideoElement): Promise<Blob | null> {
  const frame = drawnWithin(POSTER_SIZE, video, { width: video.videoWidth, height: video.videoHeight });
  for (const quality of QUALITIES) {
    const blob = await jpegOf(frame, quality);
    if (blob && blob.size <= POSTER_BYTES) return blob;
  }
  return null;
}

/** Gives a stored video its still; whether the server has one now. It is shown without one, too, so that nobody hears of a failure. */
export function sendStill(still: Blob, { id }: Photo, deviceId?: string): Promise<boolean> {
  const form = new FormData();
  form.append('file', still, 'poster.jpg');
  const headers = deviceId === undefined ? {} : { 'device-id': deviceId };
  return inTime(TIMEOUT_MS, (signal) => fetch(`/api/photos/${id}/poster`, { method: 'PUT', body: form, headers, signal })).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Whether the server has a still of a video; what it draws in place of one shows nothing of it. */
export const hasStill = ({ preview_url }: Photo): boolean => preview_url.endsWith('?poster');

/** Videos that this page has drawn, by their ids. */
const drawn = new Set<string>();

/** For a video that plays: gives it its still where the server has none, by the first frame that is not black. */
export function addStill(video: HTMLVideoElement, photo: Photo): void {
  if (drawn.has(photo.id) || hasStill(photo) || video.videoWidth === 0 || isBlack(video)) return;
  drawn.add(photo.id);
  if (!readsBackTruly()) return;
  void stillOf(video).then((still) => still && sendStill(still, photo));
}
