/** How the slideshow puts photos together; new ones have slides of their own. */
export const LAYOUTS = ['single', 'pairs', 'collage', 'mixed'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Percent. */
export const BRIGHTNESS = { least: 30, most: 100 } as const;
/** What is typed on a television: enough to tell the codes of the moment apart, and the secret behind that. */
export const WALL_CODE = { selector: 3, length: 8, minutes: 15 } as const;
