/** The looks that an event may wear; their colours are in `web/src/ui/palettes.css`. */
export const PALETTES = ['beere', 'terrakotta', 'rose', 'salbei', 'lavendel', 'nacht', 'gold', 'petrol'] as const;
export type Palette = (typeof PALETTES)[number];

/** Characters of the host's sentence to guests. */
export const WELCOME_LENGTH = 160;
