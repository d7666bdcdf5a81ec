/** Size of the picture that messengers show of a link, pixels. */
export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

/** Link previews that a host can choose: the event's title and picture, or the brand alone. */
export const LINK_PREVIEWS = ['event', 'brand'] as const;
export type LinkPreview = (typeof LINK_PREVIEWS)[number];

/** A link's preview in messengers. */
export interface ShownLink {
  title: string;
  description: string;
  /** Path of the picture. */
  picture: string;
}
