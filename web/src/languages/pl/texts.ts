import type { Spoken } from '../spoken.ts';
import { unkept, guest, later, uploadErrors } from './event.ts';
import { gallery } from './gallery.ts';
import { download, join } from './pages.ts';
import { cookies, fileErrors, photo } from './photo.ts';
import { privacy } from './privacy.ts';
import { release } from './release.ts';
import { report, video } from './report.ts';
import { errors, locale, shell } from './shell.ts';

export { card } from './card.ts';
export { document } from './document.ts';

export const texts: Spoken = {
  locale,
  shell,
  errors: { ...errors, ...uploadErrors, ...fileErrors },
  guest,
  later,
  gallery,
  photo,
  release,
  join,
  download,
  privacy,
  report,
  video,
  cookies,
  unkept,
};
