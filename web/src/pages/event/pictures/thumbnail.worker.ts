import { PICKER_THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import { serve } from '../../../lib/work.ts';
import { readsBackTruly, squareOf } from '../../../lib/canvas.ts';
import { drawPreview } from './draw-preview.ts';
import { sizeOf, type Size } from './image-size.ts';

/** The page's request: a file's size, or a small picture of it and a preview of `previewBytes` (0: no preview). */
export type Order = { read: File } | { draw: File; size: Size | null; previewBytes: number };

/** The worker's answer, with null for a size that it cannot read, and for a picture that it cannot draw. */
export type Answer = { size: Size | null } | { picture: Blob | null; preview: Blob | null };

serve(async (order: Order): Promise<Answer> => ('read' in order ? { size: await sizeOf(order.read) } : draw(order)));

let truly: boolean | undefined;

async function draw({ draw: file, size, previewBytes }: Extract<Order, { draw: File }>): Promise<Answer> {
  const drawn = previewBytes > 0 && (truly ??= readsBackTruly()) ? await drawPreview(file, size, previewBytes) : null;
  // The bitmap has twice the size, because a landscape's shorter side gives the square.
  const bitmap = drawn?.bitmap ?? (await createImageBitmap(file, { resizeWidth: 2 * PICKER_THUMBNAIL_SIZE, resizeQuality: 'low' }));
  const picture = await squareOf(PICKER_THUMBNAIL_SIZE, bitmap, bitmap);
  bitmap.close();
  return { picture, preview: drawn?.preview ?? null };
}
