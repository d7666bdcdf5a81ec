import { POSTER_BYTES, POSTER_SIZE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { inTime } from '../api/client.ts';
import { coloursOf, drawnWithin, jpegOf, readsBackTruly } from '../lib/canvas.ts';

const QUALITIES = [0.8, 0.6, 0.4];
/** Average brightness, 0 to 255, below which a frame is a fade from black, or a hand before the lens. */
const BLACK = 16;
/** Limit for sending a still, which has a few hundred kilobytes. */
const TIMEOUT_MS = 60_000;

/** Tells whether a picture is nearly black. */
export function isBlack(picture: CanvasImageSource): boolean {
  const colours = coloursOf(picture);
  if (!colours) return false;
  return colours.reduce((sum, value, index) => (index % 4 === 3 ? sum : sum + value), 0) / (colours.length * (3 / 4)) < BLACK;
}

/** Encodes a video's current frame as a JPEG that the server accepts; null if none is small enough. */
export async function stillOf(video: HTMLVideoElement): Promise<Blob | null> {
  const frame = drawnWithin(POSTER_SIZE, video, { width: video.videoWidth, height: video.videoHeight });
  for (const quality of QUALITIES) {
    const blob = await jpegOf(frame, quality);
    if (blob && blob.size <= POSTER_BYTES) return blob;
  }
  return null;
}

/** Sends the still of a stored video. Returns whether the server took it. A failure is not reported: the video is shown without a still. */
export function sendStill(still: Blob, { id }: Photo, deviceId?: string): Promise<boolean> {
  const form = new FormData();
  form.append('file', still, 'poster.jpg');
  const headers = deviceId === undefined ? {} : { 'device-id': deviceId };
  return inTime(TIMEOUT_MS, (signal) => fetch(`/api/photos/${id}/poster`, { method: 'PUT', body: form, headers, signal })).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Tells whether the server has a still of a video; its placeholder shows nothing of the video. */
export const hasStill = ({ preview_url }: Photo): boolean => preview_url.endsWith('?poster');

/** Ids of the videos whose still this page has drawn. */
const drawn = new Set<string>();

/** Sends the first frame that is not black of a playing video, if the server has no still of it. */
export function addStill(video: HTMLVideoElement, photo: Photo): void {
  if (drawn.has(photo.id) || hasStill(photo) || video.videoWidth === 0 || isBlack(video)) return;
  drawn.add(photo.id);
  if (!readsBackTruly()) return;
  void stillOf(video).then((still) => still && sendStill(still, photo));
}
