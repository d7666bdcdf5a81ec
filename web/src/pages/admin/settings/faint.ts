import { contrast, GROUNDS } from '@feierbild/contract/colours.ts';

/** Contrast with the page's ground from which a pixel counts as visible; a hairline has more. */
const SEEN = 1.3;
/** Share of the pixels that must be visible. */
const LEAST = 0.01;
const SAMPLES = 4000;

/** Tells whether a picture (RGBA) is hardly visible on the pages' ground, such as a white or nearly transparent one. */
export function isFaint(pixels: Uint8ClampedArray): boolean {
  const count = pixels.length / 4;
  const step = Math.max(1, Math.floor(count / SAMPLES));
  const ground = [1, 3, 5].map((at) => Number.parseInt(GROUNDS.paper.slice(at, at + 2), 16));
  let [seen, looked] = [0, 0];
  for (let n = 0; n < count; n += step, looked++) {
    const alpha = (pixels[4 * n + 3] ?? 0) / 255;
    const mixed = ground.map((below, channel) => Math.round((pixels[4 * n + channel] ?? 0) * alpha + below * (1 - alpha)));
    const colour = `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
    if (contrast(colour, GROUNDS.paper) >= SEEN) seen++;
  }
  return seen < LEAST * looked;
}
