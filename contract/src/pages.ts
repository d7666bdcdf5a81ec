/** The pages of the site. The server answers navigations to them with the pages' document, and to other paths with the 404 page. */
export const pages = [
  '/',
  '/join',
  '/securejoin',
  '/login',
  '/create',
  '/event',
  '/event/:code',
  '/download',
  '/download/:token',
  '/agb',
  '/impressum',
  '/kontakt',
  '/barrierefreiheit',
  '/datenschutz',
  '/gallery/:code',
  '/slideshow/:code',
  '/leinwand/:code',
  '/tv',
  '/galerie/:code',
  '/freigabe/:code',
  '/einladung/:code',
  '/abmelden/:token',
  '/loeschprotokoll/:code',
  '/manage',
  '/manage/:code',
  '/manage/:code/karten',
  '/manage/:code/leinwand',
  '/admin',
  '/admin/*',
  '/auth/admin',
  '/auth/admin/*',
] as const;

const patterns = pages.map((page) => {
  const source = `^${page.replace('/*', '/.+').replace(/:[a-z]+/g, '[^/]+')}/?$`;
  return { page, exact: new RegExp(source), anyCase: new RegExp(source, 'i') };
});

/** Paths below the pages' that are no pages: files and calendars for programs that know no login and accept any type. */
const NO_PAGES = new Set(['/admin/calendar.ics', '/admin/events.csv']);

/** Tells whether a path (without query) is a page of the site. */
export function isPage(path: string): boolean {
  return !NO_PAGES.has(path) && patterns.some(({ exact }) => exact.test(path));
}

/**
 * Finds the page for a path (without query) that differs only in upper and lower case; parameters stay as they are. Null: there is none.
 */
export function respelledPage(path: string): string | null {
  const meant = patterns.find(({ anyCase }) => anyCase.test(path));
  if (!meant || isPage(path)) return null;
  const words = meant.page.split('/');
  return path
    .split('/')
    .map((part, n) => (words[n] === undefined || /^[:*]/.test(words[n]) ? part : words[n]))
    .join('/');
}
