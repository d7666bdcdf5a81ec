import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { guardTyped, holdsTyped } from './typed.ts';
import { useLeaveGuard } from './leave-guard.ts';

/** Here, so that guests, who have no session, do not load it. */
const SESSION_ENDED =
  'Ihre Anmeldung ist abgelaufen. Was Sie eingegeben haben, steht noch hier: Melden Sie sich in einem neuen Fenster an, dann speichern Sie noch einmal.';
const QUESTION = 'Die Eingaben sind noch nicht gespeichert. Trotzdem verlassen?';

/** The question before a form is closed with something in it that was not sent; whether it may be. */
export const mayLoseTyped = (): boolean => window.confirm('Die Eingaben sind noch nicht gespeichert. Trotzdem schließen?');

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

/**
 * What a page shows of something that is read again and again: the newest, but while something is typed what was there before, so that
 * nothing typed vanishes with it. `take` shows another one at once.
 */
export function useWhileTyped<Read>(newest: Read): { shown: Read; take(read: Read): void } {
  const isTyped = useSyncExternalStore(listen, holdsTyped, () => false);
  const [shown, take] = useState(newest);
  useLayoutEffect(() => {
    if (shown === undefined || !isTyped) take(newest);
  }, [shown, newest, isTyped]);
  return { shown, take };
}
