import { galleryDe } from './gallery.de.ts';

/** What every language has to say. */
export type GalleryTexts = typeof galleryDe;

/** The texts of the guests' gallery and of the page of its release, in the language of this page. */
export const galleryTexts: GalleryTexts = galleryDe;
