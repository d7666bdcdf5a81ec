import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A picture of the demo: drawn for it, or the operator's own. */
export interface Sample {
  /** Name within the folder of the samples. */
  file: string;
  /** Original file name, as the guest's phone gave it. */
  name: string;
  /** First name of the guest who uploads it. */
  guest: string;
  /** Time of the upload on the demo's evening: `HH:mm` in Berlin. */
  at: string;
}

/** The demo's pictures and where they are. */
export interface SampleFolder {
  folder: string;
  samples: readonly Sample[];
}

/** The demo event's photos in the order of the evening, the oldest first. */
const DRAWN: readonly Sample[] = [
  { file: '01-ringe.jpg', name: 'IMG_2041.jpg', guest: 'Anna', at: '16:02' },
  { file: '02-wiese.jpg', name: 'IMG_5123.jpg', guest: 'Sofia', at: '16:14' },
  { file: '03-anstossen.jpg', name: 'IMG_7719.jpg', guest: 'Tom', at: '16:31' },
  { file: '04-wimpel.jpg', name: 'IMG_0397.jpg', guest: 'Lena', at: '16:48' },
  { file: '05-luftballons.jpg', name: '20260620_170508.jpg', guest: 'Oma Ruth', at: '17:05' },
  { file: '06-rosen.jpg', name: 'PXL_20260620_171925.jpg', guest: 'Mehmet', at: '17:19' },
  { file: '07-polaroids.jpg', name: 'IMG_5138.jpg', guest: 'Sofia', at: '17:36' },
  { file: '08-gedeck.jpg', name: 'IMG_2062.jpg', guest: 'Anna', at: '18:04' },
  { file: '09-regen.jpg', name: 'DSC00196.jpg', guest: 'Jörg', at: '18:20' },
  { file: '10-sonnenuntergang.jpg', name: 'IMG_7740.jpg', guest: 'Tom', at: '19:02' },
  { file: '11-lichterkette.jpg', name: 'IMG-1220.jpg', guest: 'Paul', at: '19:41' },
  { file: '12-gluehbirnen.jpg', name: 'IMG_2074.jpg', guest: 'Anna', at: '20:03' },
  { file: '13-kerzen.jpg', name: '20260620_202224.jpg', guest: 'Oma Ruth', at: '20:22' },
  { file: '14-sekt.jpg', name: 'DSC00211.jpg', guest: 'Jörg', at: '20:35' },
  { file: '15-torte.jpg', name: 'IMG_0430.jpg', guest: 'Lena', at: '20:51' },
  { file: '16-strauss.jpg', name: 'IMG_5165.jpg', guest: 'Sofia', at: '21:04' },
  { file: '17-see.jpg', name: 'IMG_7761.jpg', guest: 'Tom', at: '21:18' },
  { file: '18-erster-tanz.jpg', name: 'PXL_20260620_213349.jpg', guest: 'Mehmet', at: '21:33' },
  { file: '19-cocktails.jpg', name: 'DSC00226.jpg', guest: 'Jörg', at: '21:47' },
  { file: '20-discokugel.jpg', name: 'IMG_0445.jpg', guest: 'Lena', at: '21:58' },
  { file: '21-konfetti.jpg', name: 'IMG-1250.jpg', guest: 'Paul', at: '22:06' },
  { file: '22-arme-hoch.jpg', name: 'IMG_5183.jpg', guest: 'Sofia', at: '22:15' },
  { file: '23-regennacht.jpg', name: 'PXL_20260620_222414.jpg', guest: 'Mehmet', at: '22:24' },
  { file: '24-lichtspuren.jpg', name: 'IMG_2110.jpg', guest: 'Anna', at: '22:37' },
  { file: '25-wunderkerze.jpg', name: 'DSC00244.jpg', guest: 'Jörg', at: '22:45' },
  { file: '26-spalier.jpg', name: 'IMG_7788.jpg', guest: 'Tom', at: '22:58' },
  { file: '27-lampions.jpg', name: '20260620_230722.jpg', guest: 'Oma Ruth', at: '23:07' },
  { file: '28-feuerwerk.jpg', name: 'DSC00253.jpg', guest: 'Jörg', at: '23:21' },
  { file: '29-feuerschale.jpg', name: 'IMG_0472.jpg', guest: 'Lena', at: '23:38' },
  { file: '30-boden.jpg', name: 'PXL_20260620_235013.jpg', guest: 'Mehmet', at: '23:50' },
];

const GUESTS = ['Anna', 'Tom', 'Sofia', 'Lena', 'Jörg', 'Mehmet'];
const PICTURES = /\.(jpe?g|png|webp|gif|avif|hei[cf])$/i;
/** Most pictures of an operator: as many as a visitor scrolls through; each reset stores them anew. */
const MOST_OWN = 60;
/** Begin and end of the evening, in minutes since midnight. */
const BEGIN = 16 * 60;
const END = 23 * 60 + 50;

/** The pictures that ship with the product; tools/draw-samples drew them. */
export const drawnSamples: SampleFolder = { folder: join(import.meta.dirname, 'samples'), samples: DRAWN };

/** Lists the pictures of an operator's folder by name, spread over the evening and six guests. Throws if the folder cannot be read. */
export function ownSamples(folder: string): SampleFolder {
  const files = readdirSync(folder)
    .filter((name) => PICTURES.test(name))
    .toSorted((a, b) => a.localeCompare(b, 'de', { numeric: true }))
    .slice(0, MOST_OWN);
  const samples = files.map((file, n) => {
    const minutes = Math.round(BEGIN + ((END - BEGIN) * n) / Math.max(1, files.length - 1));
    const at = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
    return { file, name: file, guest: GUESTS[n % GUESTS.length] as string, at };
  });
  return { folder, samples };
}
