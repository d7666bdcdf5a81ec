import { isSpokenPage } from '@feierbild/contract/languages.ts';
import { navigate } from 'wouter/use-browser-location';

/** Tells whether this document can show a page: each document has the texts of one language, and only guests' pages have several. */
export function isWithinDocument(path: string): boolean {
  return document.documentElement.lang === 'de' && isSpokenPage(path) === isSpokenPage(window.location.pathname);
}

/** Opens a page, within this document where possible. */
export function openPage(address: string): void {
  if (isWithinDocument(address.split(/[?#]/, 1)[0] ?? '')) navigate(address);
  else window.location.assign(address);
}
