import { hear, said } from '../speech.ts';
import { galleryDe } from './gallery.de.ts';

/** The texts that every language has to supply. */
export type GalleryTexts = typeof galleryDe;

/** The texts of the guests' gallery, in the language of this page. */
export let galleryTexts: GalleryTexts = galleryDe;
hear(() => (galleryTexts = said('gallery', galleryDe)));
