import { POSTER_BYTES, POSTER_SIZE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { inTime } from '../api/client.ts';

const QUALITIES = [0.8, 0.6, 0.4];
/** Of 255, on average: a fade from black, a hand before the lens. */
const BLACK = 16;
/** Edge of the small picture in which brightness is measured, pixels. */
const SAMPLE = 16;
/** For sending one, ms: it is a few hundred kilobytes. */
const TIMEOUT_MS = 60_000;

/** The frame that a video shows, as large as a still may be. */
export function drawFrame(video: HTMLVideoElement): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const scale = Math.min(1, POSTER_SIZE / Math.max(video.videoWidth, video.videoHeight));
  canvas.width = Math.max(1, Math.round(video.videoWidth * scale));
  canvas.height = Math.max(1, Math.round(video.videoHeight * scale));
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Whether there is next to nothing to be seen on it. */
export function isBlack(picture: CanvasImageSource): boolean {
  const small = document.createElement('canvas');
  small.width = small.height = SAMPLE;
  const context = small.getContext('2d');
  if (!context) return false;
  context.drawImage(picture, 0, 0, SAMPLE, SAMPLE);
  const { data } = context.getImageData(0, 0, SAMPLE, SAMPLE);
  return data.reduce((sum, value, index) => (index % 4 === 3 ? sum : sum + value), 0) / (SAMPLE * SAMPLE * 3) < BLACK;
}

/** The frame as a JPEG that the server takes; null where there is none so small. */
export async function jpegOf(frame: HTMLCanvasElement): Promise<Blob | null> {
  for (const quality of QUALITIES) {
    const blob = await new Promise<Blob | null>((resolve) => frame.toBlob(resolve, 'image/jpeg', quality));
    if (blob && blob.size <= POSTER_BYTES) return blob;
  }
  return null;
}

/** Browsers against tracking answer noise for what was drawn. */
export function readsBackTruly(): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SAMPLE;
  const context = canvas.getContext('2d');
  if (!context) return false;
  context.fillStyle = '#4080c0';
  context.fillRect(0, 0, SAMPLE, SAMPLE);
  const { data } = context.getImageData(0, 0, SAMPLE, SAMPLE);
  return data.every((value, index) => value === [0x40, 0x80, 0xc0, 0xff][index % 4]);
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

/** Whether the server has a still of a video already. */
const hasStill = ({ preview_url }: Photo): boolean => preview_url.endsWith('?poster');

/** Videos that this page has drawn, by their ids. */
const drawn = new Set<string>();

/** For a video that plays: gives it its still where the server has none, by the first frame that is not black. */
export function addStill(video: HTMLVideoElement, photo: Photo): void {
  if (drawn.has(photo.id) || hasStill(photo) || video.videoWidth === 0 || isBlack(video)) return;
  drawn.add(photo.id);
  if (!readsBackTruly()) return;
  void jpegOf(drawFrame(video)).then((still) => still && sendStill(still, photo));
}
