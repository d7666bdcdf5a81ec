import './pages/slideshow/old-browsers.ts';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/palettes.css';
import './ui/base.css';
import './pages/slideshow/old-browsers.css';
import type { Site } from './lib/use-site.ts';
import { openCrewLink, openTelevision } from './pages/slideshow/entrance.ts';
import { openSlideshow } from './pages/slideshow/slideshow.ts';

/**
 * The entry of the wall: the document of /slideshow/{code}, and of the pages that lead there on somebody else's screen. Televisions have
 * old browsers and little memory, so it is plain DOM and built for itself (wall-build.ts).
 */
const root = document.getElementById('root') as HTMLElement;
const site = JSON.parse(document.getElementById('site')?.textContent ?? '') as Site;
const [, page = '', code = ''] = window.location.pathname.split('/');

root.textContent = '';
if (page === 'tv') openTelevision(root, site);
else if (page === 'leinwand') openCrewLink(root, decoded(code), site);
else openSlideshow(root, decoded(code), site);

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
