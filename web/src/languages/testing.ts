import { documentDe } from '../texts/document.de.ts';
import { cookielessDe } from '../texts/guest/cookieless.de.ts';
import { cookiesDe } from '../texts/guest/cookies.de.ts';
import { guestDe } from '../texts/guest/de.ts';
import { downloadDe } from '../texts/guest/download.de.ts';
import { galleryDe } from '../texts/guest/gallery.de.ts';
import { joinDe } from '../texts/guest/join.de.ts';
import { laterDe } from '../texts/guest/later.de.ts';
import { photoDe } from '../texts/guest/photo.de.ts';
import { releaseDe } from '../texts/guest/release.de.ts';
import { reportDe } from '../texts/guest/report.de.ts';
import { shellDe } from '../texts/guest/shell.de.ts';
import { videoDe } from '../texts/guest/video.de.ts';

/** The German catalogues, by their names. */
export const GERMAN = {
  shell: shellDe,
  guest: guestDe,
  later: laterDe,
  gallery: galleryDe,
  photo: photoDe,
  release: releaseDe,
  join: joinDe,
  download: downloadDe,
  report: reportDe,
  video: videoDe,
  cookies: cookiesDe,
  unkept: cookielessDe,
  document: documentDe,
};

const DAY = ['2026-05-17'];
const INSTANT = ['2026-05-17T19:04:00Z'];
const ONE = { photos: 1, videos: 0 };
const COUNTS = [[ONE], [{ photos: 3, videos: 1 }], [{ photos: 0, videos: 7 }]];
const NUMBERS = [[1], [2], [5], [21]];
const FILE = ['IMG_1.jpg'];
const EACH_FILE = [
  [false, 'IMG_1.jpg'],
  [true, 'IMG_1.jpg'],
];

/** Arguments for the texts that are functions; the results have each grammatical form of each language. */
const SAMPLES: Record<string, readonly (readonly unknown[])[]> = {
  'shell.withId': [['…', '1a2b3c4d']],
  'shell.hints.opens': [DAY],
  'shell.hints.ended': [DAY],
  'guest.page.opensOn': [DAY],
  'guest.form.perDevice': NUMBERS,
  'guest.form.own': [[5]],
  'guest.bar.consent': [[false], [true]],
  'guest.bar.seenBy.released': [[null], [30]],
  'guest.bar.seenBy.from': [INSTANT],
  'guest.bar.send': [[5]],
  'guest.bar.running': [[5]],
  'guest.status.chooseAgain': COUNTS,
  'guest.status.gone': [[1], [5]],
  'guest.status.paused': COUNTS,
  'guest.status.safe': [[2, 5]],
  'guest.status.shown': NUMBERS,
  'guest.status.elsewhere': [[2, 5]],
  'guest.status.requests': [[['1a2b']], [['1a2b', '3c4d']]],
  'guest.thanks.title': [[''], ['Ayşe']],
  'guest.thanks.all': COUNTS,
  'guest.thanks.partly': [
    [1, { photos: 5, videos: 0 }],
    [2, { photos: 3, videos: 2 }],
    [2, { photos: 0, videos: 3 }],
  ],
  'guest.tile.view': [FILE],
  'guest.said.progress': [[40]],
  'guest.said.failed': [[2]],
  'later.inApp.title': [[''], ['Instagram']],
  'later.failures.files': NUMBERS,
  'later.failures.counted': COUNTS,
  'later.failures.because': [['IMG_1.jpg', '…']],
  'later.failures.more': [
    [['IMG_1.jpg', 'IMG_2.jpg'], 0],
    [['IMG_1.jpg', 'IMG_2.jpg'], 3],
  ],
  'later.mine.photo': [FILE],
  'later.mine.video': [FILE],
  'later.mine.delete': [[false], [true]],
  'later.mine.deleteText': EACH_FILE,
  'gallery.grid.hour': [[21]],
  'gallery.gallery.closedUntil': [INSTANT],
  'gallery.gallery.counted': NUMBERS,
  'gallery.gallery.all': [[5]],
  'gallery.gallery.own': [[5]],
  'gallery.gallery.loved': [[5]],
  'gallery.gallery.loading': [[2, 5]],
  'photo.of': [
    [false, '', '2026-05-17T19:04:00Z'],
    [false, 'Ayşe', '2026-05-17T19:04:00Z'],
    [true, 'Ayşe', '2026-05-17T19:04:00Z'],
  ],
  'photo.taken': [['…']],
  'photo.hearts': NUMBERS,
  'photo.counted': COUNTS,
  'release.waiting': NUMBERS,
  'release.showAll': NUMBERS,
  'release.showAllTitle': NUMBERS,
  'release.from': [
    ['', '2026-05-17T19:04:00Z'],
    ['Ayşe', '2026-05-17T19:04:00Z'],
  ],
  'release.notSent': NUMBERS,
  'release.elsewhere': NUMBERS,
  'download.failed': [['…']],
  'download.status': [[404]],
  'report.arrivedText': [INSTANT],
  'privacy.rights': [['post@beispiel.example']],
};

/** Returns all texts of catalogues by keys; a function gives a text for each sample. Throws for a function without samples. */
export function sayAll(texts: object, path = ''): Record<string, string> {
  const lines = Object.entries(texts).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const key = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string') return [[key, value]];
    if (typeof value !== 'function') return Object.entries(sayAll(value as object, key));
    const samples = SAMPLES[key];
    if (!samples) throw new Error(`${key} has no samples`);
    return samples.map((sample): [string, string] => [
      `${key}(${JSON.stringify(sample).slice(1, -1)})`,
      (value as (...sample: readonly unknown[]) => string)(...sample),
    ]);
  });
  return Object.fromEntries(lines);
}

/** Makes catalogues of a pseudo language: German in brackets, 40 % longer. */
export function pseudo<T extends object>(texts: T): T {
  const longer = (text: string): string => `⟦${text}${'~'.repeat(Math.ceil(text.length * 0.4))}⟧`;
  const of = (value: unknown): unknown => {
    if (typeof value === 'string') return longer(value);
    if (typeof value === 'function') return (...sample: unknown[]) => longer((value as (...given: unknown[]) => string)(...sample));
    return pseudo(value as object);
  };
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, of(value)])) as T;
}
