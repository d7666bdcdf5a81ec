import type { SyntheticEvent } from 'react';

/** Behind what is transparent in a photo. */
export const WHITE = '#fff';

/** Of a photo that has come: until then its place keeps the page's colour. */
export function layOnWhite({ currentTarget }: SyntheticEvent<HTMLImageElement>): void {
  currentTarget.style.background = WHITE;
}
