import { isSpokenPage } from '@feierbild/contract/languages.ts';
import { navigate } from 'wouter/use-browser-location';

/** Whether a page is shown in this document: another language's texts come with documents, and pages of guests know the language that one has chosen. */
export function isWithinDocument(path: string): boolean {
  return document.documentElement.lang === 'de' && isSpokenPage(path) === isSpokenPage(window.location.pathname);
}

/** Opens a page by its address. */
export function openPage(address: string): void {
  if (isWithinDocument(address.split(/[?#]/, 1)[0] ?? '')) navigate(address);
  else window.location.assign(address);
}
