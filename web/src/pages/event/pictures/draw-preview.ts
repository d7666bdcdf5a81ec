import { DRAWN_SIZE, SAME_SHAPE } from '@feierbild/contract/constants.ts';
import { coloursOf, drawnWithin, jpegOf } from '../../../lib/canvas.ts';
import { within } from '../../../lib/time-limit.ts';
import type { Size } from './image-size.ts';

/** Limit of decoding and of encoding; a slower phone sends its photo without a preview. */
const STEP_MS = 3_000;
/** Long sides in pixels, and qualities. If a picture has too many bytes, the next step is tried; the last one always counts. */
const STEPS = [
  [DRAWN_SIZE, 0.72],
  [1280, 0.6],
  [1280, 0.4],
  [1024, 0.35],
] as const;
type Steps = readonly (typeof STEPS)[number][];
/** Size of a preview below which the first step is skipped, because it would be too large. */
const SMALL_BYTES = 150_000;
/** Smallest plausible JPEG of a file larger than LARGE_FILE, bytes; a smaller one shows that the file was not really drawn. */
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
  // Only one side is given: with both, all browsers squeeze a picture whose header says that the camera was held upright.
  const side = size && size.height > size.width ? { resizeHeight: edge } : { resizeWidth: edge };
  const decoding = createImageBitmap(file, { ...side, resizeQuality: 'medium' }).catch(() => null);
  const bitmap = await within(STEP_MS, decoding, null);
  // A bitmap that comes too late must not stay in memory.
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
    // A picture of a single colour shows nothing.
    if (!colours || colours.every((value, index) => value === colours[index % 4])) return null;
    jpeg = await jpegOf(canvas, quality);
    if (jpeg?.type !== 'image/jpeg' || (file.size > LARGE_FILE && jpeg.size < LEAST_BYTES)) return null;
    if (jpeg.size <= mostBytes) break;
  }
  return jpeg;
}
