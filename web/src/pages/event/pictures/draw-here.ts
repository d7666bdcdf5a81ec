import { PICKER_THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import { within } from '../../../lib/time-limit.ts';
import { drawSquare, THUMBNAIL_QUALITY } from './draw-square.ts';

/** A picture that is not decoded by then is left out, ms. */
const DECODE_MS = 15_000;

/** A small picture of a file, drawn on the page's own thread; null where this browser cannot draw it. */
export function drawHere(file: File): Promise<Blob | null> {
  const url = URL.createObjectURL(file);
  return within(DECODE_MS, draw(url), null)
    .catch(() => null)
    .finally(() => URL.revokeObjectURL(url));
}

async function draw(url: string): Promise<Blob | null> {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = PICKER_THUMBNAIL_SIZE;
  drawSquare(canvas.getContext('2d'), picture, { width: picture.naturalWidth, height: picture.naturalHeight });
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', THUMBNAIL_QUALITY));
}
