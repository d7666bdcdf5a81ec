import type { SyntheticEvent } from 'react';

/** Behind what is transparent in a photo. */
export const ON_WHITE = { background: '#fff' };

/** Of a photo that has come: until then its place keeps the page's colour. */
export function layOnWhite({ currentTarget }: SyntheticEvent<HTMLImageElement>): void {
  Object.assign(currentTarget.style, ON_WHITE);
}
