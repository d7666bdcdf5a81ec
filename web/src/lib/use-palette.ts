import type { Palette } from '@feierbild/contract/palettes.ts';
import { useLayoutEffect } from 'react';
import { wear } from './wear.ts';

/** Lets the page wear an event's colours, null: the operator's. While they are not known it wears those that the document came with. */
export function usePalette(palette: Palette | null | undefined): void {
  useLayoutEffect(() => {
    if (palette !== undefined) wear(palette);
  }, [palette]);
}
