import { COPIED_NOTICE } from '@feierbild/contract/constants.ts';
import { useEffect, useState } from 'react';

/** What to say where the share sheet does not open. */
export const BY_COPYING = 'Bitte teilen Sie den Link durch Kopieren';

/**
 * Copies texts and confirms it for a moment (`copied`). `notice` is the German sentence to show, or empty; `say` shows another one.
 * Plain http has no clipboard; there the text is selected in the element `shown`.
 */
export function useCopy() {
  const [{ notice, copied }, set] = useState({ notice: '', copied: false });
  const say = (text: string): void => set({ notice: text, copied: false });
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => set({ notice: '', copied: false }), COPIED_NOTICE);
    return () => clearTimeout(timer);
  }, [notice]);

  /** Returns whether the text was copied. */
  async function copy(text: string, done: string, shown: HTMLElement | null): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
      set({ notice: done, copied: true });
      return true;
    } catch {
      if (shown) window.getSelection()?.selectAllChildren(shown);
      say('Bitte mit Strg+C oder über das Menü kopieren');
      return false;
    }
  }
  return { notice, copied, say, copy };
}
