import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { guardTyped, holdsTyped } from './typed.ts';
import { useLeaveGuard } from './leave-guard.ts';

/** Here, so that guests, who have no session, do not load it. */
const SESSION_ENDED =
  'Ihre Anmeldung ist abgelaufen. Was Sie eingegeben haben, steht noch hier: Melden Sie sich in einem neuen Fenster an, dann speichern Sie noch einmal.';
const QUESTION = 'Die Eingaben sind noch nicht gespeichert. Trotzdem verlassen?';

/** The question before a form is closed with something in it that was not sent; whether it may be. */
export const mayLoseTyped = (leave = 'schließen'): boolean =>
  window.confirm(`Die Eingaben sind noch nicht gespeichert. Trotzdem ${leave}?`);

/** Are told when something is typed, and when it no longer would be lost. */
const listeners = new Set<() => void>();
function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
const tell = (): void => listeners.forEach((listener) => listener());

/**
 * Asks before typed text (`active`) is lost, by a link to another page, and as `useLeaveGuard` by closing, reloading and Back. An ended
 * session leaves such a page where it is.
 */
export function useTypedGuard(active: boolean, question = QUESTION): void {
  useLeaveGuard(active, question);
  useEffect(() => {
    if (!active) return;
    const ask = (event: MouseEvent): void => {
      const link = (event.target as Element).closest('a');
      if (!link || link.target !== '' || link.hasAttribute('download') || event.ctrlKey || event.metaKey || event.shiftKey) return;
      // A place of this page, or another document, which the browser asks about.
      if (link.origin !== window.location.origin || link.pathname === window.location.pathname) return;
      if (window.confirm(question)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const release = guardTyped(SESSION_ENDED);
    tell();
    document.addEventListener('click', ask, { capture: true });
    return () => {
      release();
      tell();
      document.removeEventListener('click', ask, { capture: true });
    };
  }, [active, question]);
}

interface WhileTyped<Read> {
  shown: Read;
  /** What is changed by the next save. */
  base: Read;
  /** Shows another one at once. */
  take(this: void, read: Read): void;
  /** The server has answered this to a save of what is shown: what was typed meanwhile stays. */
  saved(this: void, read: Read): void;
}

/**
 * What a page shows of something that is read again and again: the newest, but while something is typed what was there before, so that
 * nothing typed vanishes with it.
 */
export function useWhileTyped<Read>(newest: Read): WhileTyped<Read> {
  const isTyped = useSyncExternalStore(listen, holdsTyped, () => false);
  const [{ shown, base }, set] = useState({ shown: newest, base: newest });
  const take = (read: Read): void => set({ shown: read, base: read });
  useLayoutEffect(() => {
    if (shown === undefined || !isTyped) set({ shown: newest, base: newest });
  }, [shown, newest, isTyped]);
  return { shown, base, take, saved: (read) => set((before) => ({ ...before, base: read })) };
}
