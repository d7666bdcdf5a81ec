import { formatInstant, plural } from '../../lib/format.ts';
import { photosAndVideos } from '../../video/counts.ts';

/** The German texts about a photo, wherever it is shown. */
export const photoDe = {
  heart: 'Gefällt mir',
  /** The word for a guest without a name. */
  anonymous: 'Anonym',
  of: (isVideo: boolean, name: string, at: string) => `${isVideo ? 'Video' : 'Foto'}${name ? ` von ${name}` : ''}, ${formatInstant(at)}`,
  states: {
    waiting: 'Wartet auf Freigabe',
    announced: 'Original folgt',
    unreadable: 'Original unlesbar',
    replaced: 'Vorschau ersetzt',
  },
  replaced: 'die zuerst gezeigte Vorschau war ein anderes Bild',
  taken: (time: string) => `aufgenommen ${time}`,
  download: 'Herunterladen',
  details: 'Alle Angaben',
  hearts: (count: number) => plural(count, 'Herz', 'Herzen'),
  counted: photosAndVideos,
};
