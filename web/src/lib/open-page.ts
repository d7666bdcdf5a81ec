import { isSpokenPage } from '@feierbild/contract/languages.ts';
import { navigate } from 'wouter/use-browser-location';
import { queryParameter } from './query.ts';

/** Tells whether this document can show a page: each document has the texts of one language, and only guests' pages have several. */
export function isWithinDocument(path: string): boolean {
  return document.documentElement.lang === 'de' && isSpokenPage(path) === isSpokenPage(window.location.pathname);
}

/** Opens a page, within this document where possible. Without cookies it gets the language in the address, as from links (start.ts). */
export function openPage(address: string): void {
  const to = new URL(address, window.location.href);
  const language = queryParameter('lang');
  if (language && !navigator.cookieEnabled) to.searchParams.set('lang', language);
  if (isWithinDocument(to.pathname)) navigate(to.pathname + to.search + to.hash);
  else window.location.assign(to);
}
