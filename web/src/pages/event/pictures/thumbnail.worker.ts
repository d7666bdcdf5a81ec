import { PICKER_THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import { serve } from '../../../lib/work.ts';
import { drawSquare, THUMBNAIL_QUALITY } from './draw-square.ts';
import { pixelsOf } from './image-size.ts';

/** What the page asks for: a file's number of pixels, or a small picture of it. */
export type Order = { read: File } | { draw: File };

/** Null where this browser cannot tell. */
export type Answer = { pixels: number | null } | { picture: Blob };

serve(async (order: Order): Promise<Answer> =>
  'read' in order ? { pixels: await pixelsOf(order.read) } : { picture: await draw(order.draw) },
);

async function draw(file: File): Promise<Blob> {
  // Twice the size: the square is cut out of a landscape's shorter side.
  const bitmap = await createImageBitmap(file, { resizeWidth: 2 * PICKER_THUMBNAIL_SIZE, resizeQuality: 'low' });
  const canvas = new OffscreenCanvas(PICKER_THUMBNAIL_SIZE, PICKER_THUMBNAIL_SIZE);
  drawSquare(canvas.getContext('2d'), bitmap, bitmap);
  bitmap.close();
  return await canvas.convertToBlob({ type: 'image/jpeg', quality: THUMBNAIL_QUALITY });
}
