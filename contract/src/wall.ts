/** Layouts of the slideshow. New photos always get slides of their own. */
export const LAYOUTS = ['single', 'pairs', 'collage', 'mixed'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Range of the brightness, percent. */
export const BRIGHTNESS = { least: 30, most: 100 } as const;
/**
 * The code that is typed on a television: `selector` characters tell current codes apart, the rest is the secret. `minutes` is its
 * lifetime.
 */
export const WALL_CODE = { selector: 3, length: 8, minutes: 15 } as const;
