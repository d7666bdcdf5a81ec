import { PICKER_THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';

/** Draws a small picture of a file, off the page's thread; answers null where the browser can't. */
self.onmessage = async ({ data }: MessageEvent<File>) => {
  let blob: Blob | null = null;
  try {
    // Twice the size: the square is cut out of a landscape's shorter side.
    const bitmap = await createImageBitmap(data, { resizeWidth: 2 * PICKER_THUMBNAIL_SIZE, resizeQuality: 'low' });
    const side = Math.min(bitmap.width, bitmap.height);
    const canvas = new OffscreenCanvas(PICKER_THUMBNAIL_SIZE, PICKER_THUMBNAIL_SIZE);
    const context = canvas.getContext('2d');
    context?.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
  } catch {
    // No picture that this browser reads: the tile stays blank.
  }
  self.postMessage(blob);
};
