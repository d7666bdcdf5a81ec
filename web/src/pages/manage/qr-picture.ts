/** Edge of the saved picture, and its quiet zone, without which readers miss a code; pixels. */
const EDGE = 1024;
const QUIET = 96;

/** Converts a drawn code to a PNG, black on white, with its quiet zone. Throws if the browser cannot draw it. */
export async function pictureOfQr(drawn: SVGSVGElement): Promise<Blob> {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('width', String(EDGE - 2 * QUIET));
  copy.setAttribute('height', String(EDGE - 2 * QUIET));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: EDGE, height: EDGE });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser has no canvas');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, EDGE, EDGE);
  context.imageSmoothingEnabled = false;
  context.drawImage(image, QUIET, QUIET);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('this browser does not write the picture');
  return blob;
}
