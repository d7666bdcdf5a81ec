import { join } from 'node:path';

/** The folder of the demo event's sample pictures; tools/draw-samples drew them. */
export const SAMPLES_FOLDER = join(import.meta.dirname, 'samples');

/** A picture of the demo: drawn, never a stranger's. */
export interface Sample {
  /** Name within the folder of the samples. */
  file: string;
  /** Original file name, as the guest's phone gave it. */
  name: string;
  /** First name of the guest who uploads it. */
  guest: string;
  /** Minutes between the upload and the demo's reset. */
  minutesAgo: number;
}

/** The demo event's photos in the order of the evening, the oldest first. */
export const samples: Sample[] = [
  { file: '01-sonnenuntergang.jpg', name: 'IMG_2041.jpg', guest: 'Anna', minutesAgo: 236 },
  { file: '10-berge.jpg', name: 'IMG_7713.jpg', guest: 'Tom', minutesAgo: 209 },
  { file: '02-lichterkette.jpg', name: 'IMG_2047.jpg', guest: 'Anna', minutesAgo: 187 },
  { file: '03-kerzen.jpg', name: '20260620_211204.jpg', guest: 'Oma Ruth', minutesAgo: 148 },
  { file: '04-zelt.jpg', name: 'IMG_7728.jpg', guest: 'Tom', minutesAgo: 127 },
  { file: '11-see.jpg', name: '20260620_220941.jpg', guest: 'Sofia', minutesAgo: 104 },
  { file: '05-konfetti.jpg', name: 'IMG_0388.jpg', guest: 'Lena', minutesAgo: 83 },
  { file: '06-lichtspuren.jpg', name: 'IMG_0402.jpg', guest: 'Lena', minutesAgo: 55 },
  { file: '07-wunderkerze.jpg', name: 'DSC00172.jpg', guest: 'Jörg', minutesAgo: 34 },
  { file: '08-feuerwerk.jpg', name: 'DSC00180.jpg', guest: 'Jörg', minutesAgo: 12 },
  { file: '09-lampions.jpg', name: 'PXL_20260620_213140.jpg', guest: 'Mehmet', minutesAgo: 4 },
];
