import { BRAND } from '../brand.ts';

let headline: string | null = null;
let left = 0;

/** Sets the window's title: the page's headline and, while photos are being sent, the number left. */
export function setTitle(changes: { headline?: string | null; left?: number }): void {
  if (changes.headline !== undefined) headline = changes.headline;
  left = changes.left ?? left;
  const title = `${left > 0 ? `(${left}) ` : ''}${headline === null ? '' : `${headline} · `}${BRAND}`;
  if (document.title !== title) document.title = title;
}
