/** The palettes of events; their colours are in `web/src/ui/palettes.css`. */
export const PALETTES = ['beere', 'terrakotta', 'rose', 'salbei', 'lavendel', 'nacht', 'gold', 'petrol'] as const;
export type Palette = (typeof PALETTES)[number];

/** The palettes' accents, for pictures that the server draws; `palettes.test.ts` compares them with the styles. */
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
/** The accent if neither a palette nor the operator's colour is set. */
export const BRAND_ACCENT = '#a81f4b';

/** Longest welcome of the host to guests, characters. */
export const WELCOME_LENGTH = 160;
