/** Edge of the small copy whose opacity is read, pixels: enough for largely transparent pictures, and little work for a television. */
const LOOKED_AT_PX = 32;
const OPAQUE = 250;

/**
 * Puts white behind a transparent picture, as a phone's preview does: on the wall's black, black lines would be invisible.
 */
export function putOnPaper(image: HTMLImageElement): void {
  if (isTransparent(image)) image.style.background = '#fff';
}

function isTransparent(image: HTMLImageElement): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = LOOKED_AT_PX;
  const context = canvas.getContext('2d');
  if (!context) return false;
  context.drawImage(image, 0, 0, LOOKED_AT_PX, LOOKED_AT_PX);
  return context.getImageData(0, 0, LOOKED_AT_PX, LOOKED_AT_PX).data.some((value, n) => n % 4 === 3 && value < OPAQUE);
}
