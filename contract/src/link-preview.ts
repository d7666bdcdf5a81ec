/** Pixels of the picture that messengers show of a link. */
export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

/** What messengers show of an event's link: its title and picture, or the brand alone. */
export const LINK_PREVIEWS = ['event', 'brand'] as const;
export type LinkPreview = (typeof LINK_PREVIEWS)[number];

/** What messengers show of a link. */
export interface ShownLink {
  title: string;
  description: string;
  /** A path. */
  picture: string;
}
