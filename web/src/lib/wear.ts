import type { Palette } from '@feierbild/contract/palettes.ts';

/** Lets the page wear an event's colours, null: the operator's. */
export function wear(palette: Palette | null): void {
  const { dataset } = document.documentElement;
  if (palette === null) delete dataset.palette;
  else dataset.palette = palette;
}
