import { DRAWN_SIZE, SAME_SHAPE } from '@feierbild/contract/constants.ts';
import { coloursOf, drawnWithin, jpegOf } from '../../../lib/canvas.ts';
import { within } from '../../../lib/time-limit.ts';
import type { Size } from './image-size.ts';

/** Each step; a phone that takes longer sends its photo alone, ms. */
const STEP_MS = 3_000;
/** Long sides, pixels, and qualities: if a picture has too many bytes, the next step is tried. The last is taken as it is. */
const STEPS = [
  [DRAWN_SIZE, 0.72],
  [1280, 0.6],
  [1280, 0.4],
  [1024, 0.35],
] as const;
type Steps = readonly (typeof STEPS)[number][];
/** A line that takes less than this in time gets no first step: it would be drawn in vain. */
const SMALL_BYTES = 150_000;
/** A large file with so small a picture was not really drawn. */
const LEAST_BYTES = 10_000;
const LARGE_FILE = 1_000_000;

/**
 * Draws a file at DRAWN_SIZE at most, without its metadata. Resolves with the picture and with a JPEG of it to send, of about `mostBytes`.
 * The JPEG is null if the picture differs from the header, or shows nothing. Null if nothing can be drawn in time.
 */
export async function drawPreview(file: Blob, size: Size | null, mostBytes: number) {
  const steps = STEPS.slice(mostBytes < SMALL_BYTES ? 1 : 0);
  const [largest] = steps[0]!;
  const edge = size ? Math.min(largest, Math.max(size.width, size.height)) : largest;
  // One side alone: of two, taken from a header, all browsers make a squeezed picture where the camera was held upright.
  const side = size && size.height > size.width ? { resizeHeight: edge } : { resizeWidth: edge };
  const decoding = createImageBitmap(file, { ...side, resizeQuality: 'medium' }).catch(() => null);
  const bitmap = await within(STEP_MS, decoding, null);
  // A picture that comes too late must not stay in memory.
  if (!bitmap) {
    void decoding.then((late) => late?.close());
    return null;
  }
  return { bitmap, preview: await within(STEP_MS, encode(bitmap, file, size, steps, mostBytes), null).catch(() => null) };
}

async function encode(bitmap: ImageBitmap, file: Blob, size: Size | null, steps: Steps, mostBytes: number): Promise<Blob | null> {
  const { width, height } = bitmap;
  if (size && Math.abs((width * size.height) / (height * size.width) - 1) > SAME_SHAPE) return null;
  let jpeg: Blob | null = null;
  for (const [edge, quality] of steps) {
    const canvas = drawnWithin(edge, bitmap, bitmap);
    const colours = coloursOf(canvas);
    // A picture of one colour.
    if (!colours || colours.every((value, index) => value === colours[index % 4])) return null;
    jpeg = await jpegOf(canvas, quality);
    if (jpeg?.type !== 'image/jpeg' || (file.size > LARGE_FILE && jpeg.size < LEAST_BYTES)) return null;
    if (jpeg.size <= mostBytes) break;
  }
  return jpeg;
}
