import { POSTER_BYTES, POSTER_SIZE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { hasPicture } from '../../../video/video.ts';

/** Where a still picture is looked for, one after the other, until one is not black: seconds. */
const INSTANTS_S = [1, 0, 2, 4];
/** A phone that cannot decode its own video answers nothing at all, ms. */
const EVENT_TIMEOUT_MS = 10_000;
const QUALITIES = [0.8, 0.6, 0.4];
/** Of 255, on average: a fade from black, a hand before the lens. */
const BLACK = 16;
/** Edge of the small picture in which brightness is measured, pixels. */
const SAMPLE = 16;

const drawn = new WeakMap<Blob, Promise<Blob | null>>();
/** One after the other: phones have few decoders. */
let last: Promise<unknown> = Promise.resolve();

/** A still picture of a video, drawn by this browser, once for each; null where it cannot, or falsifies what is drawn. */
export function posterOf(file: Blob): Promise<Blob | null> {
  let poster = drawn.get(file);
  if (!poster) {
    poster = last.then(() => draw(file)).catch(() => null);
    last = poster;
    drawn.set(file, poster);
  }
  return poster;
}

/** Gives a stored video its poster; whether the server has one now. The video is safe without, so that nobody hears of a failure. */
export async function sendPoster(file: Blob, photo: Photo, deviceId: string): Promise<boolean> {
  const poster = await posterOf(file);
  if (!poster) return false;
  const form = new FormData();
  form.append('file', poster, 'poster.jpg');
  const request = { method: 'PUT', body: form, headers: { 'device-id': deviceId } };
  return fetch(`/api/photos/${photo.id}/poster`, request).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function draw(file: Blob): Promise<Blob | null> {
  if (!readsBackTruly()) return null;
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  const url = URL.createObjectURL(file);
  try {
    const loaded = event(video, 'loadeddata');
    video.src = url;
    // iPhones load no picture before they play.
    video.play().then(
      () => video.pause(),
      () => undefined,
    );
    await loaded;
    video.pause();
    if (!hasPicture(video)) return null;
    const canvas = document.createElement('canvas');
    const scale = Math.min(1, POSTER_SIZE / Math.max(video.videoWidth, video.videoHeight));
    canvas.width = Math.max(1, Math.round(video.videoWidth * scale));
    canvas.height = Math.max(1, Math.round(video.videoHeight * scale));
    for (const instant of INSTANTS_S) {
      if (instant > 0 && instant >= video.duration) continue;
      const there = event(video, 'seeked');
      video.currentTime = instant;
      await there;
      canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
      if (!isBlack(canvas)) break;
    }
    for (const quality of QUALITIES) {
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
      if (blob && blob.size <= POSTER_BYTES) return blob;
    }
    return null;
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

function isBlack(canvas: HTMLCanvasElement): boolean {
  const small = document.createElement('canvas');
  small.width = small.height = SAMPLE;
  const context = small.getContext('2d');
  if (!context) return false;
  context.drawImage(canvas, 0, 0, SAMPLE, SAMPLE);
  const { data } = context.getImageData(0, 0, SAMPLE, SAMPLE);
  return data.reduce((sum, value, index) => (index % 4 === 3 ? sum : sum + value), 0) / (SAMPLE * SAMPLE * 3) < BLACK;
}

/** Browsers against tracking answer noise for what was drawn. */
function readsBackTruly(): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SAMPLE;
  const context = canvas.getContext('2d');
  if (!context) return false;
  context.fillStyle = '#4080c0';
  context.fillRect(0, 0, SAMPLE, SAMPLE);
  const { data } = context.getImageData(0, 0, SAMPLE, SAMPLE);
  return data.every((value, index) => value === [0x40, 0x80, 0xc0, 0xff][index % 4]);
}
