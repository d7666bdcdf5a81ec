import type { Palette } from '@feierbild/contract/palettes.ts';
import { useLayoutEffect } from 'react';
import { wear } from './wear.ts';

/** Shows the page in an event's palette; null means the operator's. Until it is known, the document's own palette stays. */
export function usePalette(palette: Palette | null | undefined): void {
  useLayoutEffect(() => {
    if (palette !== undefined) wear(palette);
  }, [palette]);
}
