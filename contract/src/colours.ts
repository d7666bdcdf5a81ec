/** Contrast by WCAG 2.2, and the tones that pages make of an operator's colour. Colours are `#rrggbb`. */

type Triple = [number, number, number];

/** The grounds below colours: the pages' paper and its deeper tone, the second colour, and dark areas (cards, the wall). */
export const GROUNDS = { paper: '#faf7f2', deep: '#f1ebe1', pine: '#1f5b4e', dark: '#1d1418' } as const;
/** Least contrast of text by WCAG 2.2 AA. */
export const AA = 4.5;

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Returns the contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Tells whether text of this colour is legible on paper, and white text on this colour. */
export const isReadable = (colour: string): boolean => contrast(colour, GROUNDS.paper) >= AA && contrast(colour, '#ffffff') >= AA;

/** Explains the refusal of a colour and names the nearest legible one, in German. */
export function tooLight(colour: string): string {
  const found = (Math.floor(contrast(colour, GROUNDS.paper) * 10) / 10).toFixed(1).replace('.', ',');
  return `Auf hellem Grund ist diese Farbe schlecht zu lesen (Kontrast ${found}, nötig sind 4,5). Die nächste, die passt: ${readable(colour)}`;
}

/** Returns the nearest legible colour: the same hue, only darker. */
export const readable = (colour: string): string => tone(colour, 0, isReadable);

/** Returns the legible tones of a colour: itself, `deep` for text and hovering, `soft` as a ground, and `light` for dark areas. */
export function tones(colour: string) {
  const [lightness, a, b] = toOklab(colour);
  const soft = toHex([0.94, a * 0.2, b * 0.2]);
  const darker = toHex([Math.max(0, lightness - 0.075), a, b]);
  return {
    accent: colour.toLowerCase(),
    deep: tone(darker, 0, (one) => [soft, GROUNDS.deep].every((ground) => contrast(one, ground) >= AA)),
    soft,
    light: tone(colour, 1, (one) => [GROUNDS.pine, GROUNDS.dark].every((ground) => contrast(one, ground) >= AA)),
  };
}

/** Returns the nearest tone towards black (0) or white (1) that fits; black or white itself must fit. */
function tone(colour: string, end: 0 | 1, fits: (colour: string) => boolean): string {
  if (fits(colour)) return colour.toLowerCase();
  const [lightness, a, b] = toOklab(colour);
  const at = (share: number): string => toHex([lightness + (end - lightness) * share, a * (1 - share), b * (1 - share)]);
  let [misses, hits] = [0, 1];
  for (let step = 0; step < 20; step++) {
    const middle = (misses + hits) / 2;
    if (fits(at(middle))) hits = middle;
    else misses = middle;
  }
  return at(hits);
}

function luminance(colour: string): number {
  const [red, green, blue] = linear(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Converts sRGB to linear light, from 0 to 1. */
function linear(colour: string): Triple {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  return parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as Triple;
}

/** Converts to Oklab (https://bottosson.github.io/posts/oklab/): lightness from 0 to 1, and two axes of hue. */
function toOklab(colour: string): Triple {
  const [red, green, blue] = linear(colour);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Converts from Oklab, clipped to sRGB. */
function toHex([lightness, a, b]: Triple): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const parts = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const bytes = parts.map((part) =>
    Math.round(255 * Math.min(1, Math.max(0, part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055))),
  );
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
