import { PICKER_THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';

export const THUMBNAIL_QUALITY = 0.8;

/** Draws the middle of a picture into a square of PICKER_THUMBNAIL_SIZE. */
export function drawSquare(
  context: Pick<CanvasDrawImage, 'drawImage'> | null,
  picture: CanvasImageSource,
  { width, height }: { width: number; height: number },
): void {
  const side = Math.min(width, height);
  context?.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, PICKER_THUMBNAIL_SIZE, PICKER_THUMBNAIL_SIZE);
}
