import { hear, said } from '../speech.ts';
import { videoDe } from './video.de.ts';

/** The texts that every language has to supply. */
export type VideoTexts = typeof videoDe;

/** The texts of videos, in the language of this page. */
export let filmed: VideoTexts = videoDe;
hear(() => (filmed = said('video', videoDe)));
