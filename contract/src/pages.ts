/** The pages of the site. The server answers navigations to them with the pages' document, to others with the 404 page. */
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
  '/datenschutz',
  '/gallery/:code',
  '/slideshow/:code',
  '/manage',
  '/manage/:code',
  '/manage/:code/karten',
  '/admin',
  '/admin/*',
  '/auth/admin',
  '/auth/admin/*',
] as const;

const patterns = pages.map((page) => new RegExp(`^${page.replace('/*', '/.+').replace(/:[a-z]+/g, '[^/]+')}/?$`));

/** True where a path (without query) is a page of the site. */
export function isPage(path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}
