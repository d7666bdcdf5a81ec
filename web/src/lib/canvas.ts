type Canvas = HTMLCanvasElement | OffscreenCanvas;
type Sides = { width: number; height: number };

/** Edge of the small copy whose colours are read, pixels. */
const SAMPLE = 16;
const SQUARE_QUALITY = 0.8;

/** Makes a canvas element on pages, because older browsers have no OffscreenCanvas. */
const canvasOf = (width: number, height: number): Canvas =>
  'document' in self ? Object.assign(document.createElement('canvas'), { width, height }) : new OffscreenCanvas(width, height);
const contextOf = (canvas: Canvas): CanvasRenderingContext2D | null => (canvas as HTMLCanvasElement).getContext('2d');

/** Fills a canvas with white: transparent pixels would be black in a JPEG. */
function onWhite(canvas: Canvas): CanvasRenderingContext2D | null {
  const context = contextOf(canvas);
  if (context) {
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  return context;
}

/** Draws a picture of these sides so that its longer one is `edge` pixels at most. */
export function drawnWithin(edge: number, picture: CanvasImageSource, { width, height }: Sides): Canvas {
  const scale = Math.min(1, edge / Math.max(width, height));
  const canvas = canvasOf(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  onWhite(canvas)?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Encodes the middle of a picture of these sides as a square JPEG, `edge` pixels wide and high. */
export function squareOf(edge: number, picture: CanvasImageSource, { width, height }: Sides): Promise<Blob | null> {
  const side = Math.min(width, height);
  const canvas = canvasOf(edge, edge);
  onWhite(canvas)?.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, edge, edge);
  return jpegOf(canvas, SQUARE_QUALITY);
}

/** Encodes a JPEG; null where this browser cannot. */
export function jpegOf(canvas: Canvas, quality: number): Promise<Blob | null> {
  if ('convertToBlob' in canvas) return canvas.convertToBlob({ type: 'image/jpeg', quality });
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}

/** Reads red, green, blue and opacity of each pixel of a small copy; null where this browser has no canvas context. */
export const coloursOf = (picture: CanvasImageSource) => sample((context) => context.drawImage(picture, 0, 0, SAMPLE, SAMPLE));

/** Tells whether a canvas returns the drawn pixels: browsers that prevent tracking return noise instead. */
export function readsBackTruly(): boolean {
  const colours = sample((context) => {
    context.fillStyle = '#4080c0';
    context.fillRect(0, 0, SAMPLE, SAMPLE);
  });
  return colours !== null && colours.every((value, index) => value === [0x40, 0x80, 0xc0, 0xff][index % 4]);
}

function sample(draw: (context: CanvasRenderingContext2D) => void): Uint8ClampedArray | null {
  const context = contextOf(canvasOf(SAMPLE, SAMPLE));
  if (!context) return null;
  draw(context);
  return context.getImageData(0, 0, SAMPLE, SAMPLE).data;
}
