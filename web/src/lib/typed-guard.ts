import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { guardTyped, holdsTyped } from './typed.ts';
import { useLeaveGuard } from './leave-guard.ts';

/** Stands in this file so that guests, who have no session, do not load it. */
const SESSION_ENDED =
  'Ihre Anmeldung ist abgelaufen. Was Sie eingegeben haben, steht noch hier: Melden Sie sich in einem neuen Fenster an, dann speichern Sie noch einmal.';
const QUESTION = 'Die Eingaben sind noch nicht gespeichert. Trotzdem verlassen?';

/** Asks before a form with unsent input is closed; returns whether it may be. */
export const mayLoseTyped = (leave = 'schließen'): boolean =>
  window.confirm(`Die Eingaben sind noch nicht gespeichert. Trotzdem ${leave}?`);

/** Called when typed text begins to need a guard, and when it needs none any more. */
const listeners = new Set<() => void>();
function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
const tell = (): void => listeners.forEach((listener) => listener());

/**
 * Asks before typed text is lost while `active`: by a link to another page, and, as `useLeaveGuard`, by closing, reloading and Back. Such
 * a page stays open when the session has ended.
 */
export function useTypedGuard(active: boolean, question = QUESTION): void {
  useLeaveGuard(active, question);
  useEffect(() => {
    if (!active) return;
    const ask = (event: MouseEvent): void => {
      const link = (event.target as Element).closest('a');
      if (!link || link.target !== '' || link.hasAttribute('download') || event.ctrlKey || event.metaKey || event.shiftKey) return;
      // A link to an anchor of this page loses nothing; before a link to another site the browser asks.
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
  /** The version that the next save changes. */
  base: Read;
  /** Shows another version at once. */
  take(this: void, read: Read): void;
  /** Takes the server's answer to a save as the new `base`; text typed meanwhile stays. */
  saved(this: void, read: Read): void;
}

/**
 * Returns the version that a page shows of data that are read again and again: the newest, but an earlier one while something is typed,
 * so that no typed text vanishes.
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
