/** The looks that an event may wear; their colours are in `web/src/ui/palettes.css`. */
export const PALETTES = ['beere', 'terrakotta', 'rose', 'salbei', 'lavendel', 'nacht', 'gold', 'petrol'] as const;
export type Palette = (typeof PALETTES)[number];

/** Their accents, for pictures that no page draws; `palettes.test.ts` compares them with the styles. */
export const PALETTE_ACCENTS: Record<Palette, string> = {
  beere: '#a81f4b',
  terrakotta: '#a3441f',
  rose: '#a2486a',
  salbei: '#4d6b3c',
  lavendel: '#6c4aa0',
  nacht: '#24437e',
  gold: '#80590a',
  petrol: '#0d6068',
};
/** The accent without palette and operator's colour. */
export const BRAND_ACCENT = '#a81f4b';

/** Characters of the host's sentence to guests. */
export const WELCOME_LENGTH = 160;
