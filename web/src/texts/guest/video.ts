import { hear, said } from '../speech.ts';
import { videoDe } from './video.de.ts';

/** What every language has to say. */
export type VideoTexts = typeof videoDe;

/** The texts of videos, in the language of this page. */
export let filmed: VideoTexts = videoDe;
hear(() => (filmed = said('video', videoDe)));
