import { hear, said } from '../speech.ts';
import { galleryDe } from './gallery.de.ts';

/** What every language has to say. */
export type GalleryTexts = typeof galleryDe;

/** The texts of the guests' gallery, in the language of this page. */
export let galleryTexts: GalleryTexts = galleryDe;
hear(() => (galleryTexts = said('gallery', galleryDe)));
