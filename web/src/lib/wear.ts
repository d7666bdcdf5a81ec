import type { Palette } from '@feierbild/contract/palettes.ts';

/** Shows the document in an event's palette; null means the operator's. */
export function wear(palette: Palette | null): void {
  const { dataset } = document.documentElement;
  if (palette === null) delete dataset.palette;
  else dataset.palette = palette;
}
