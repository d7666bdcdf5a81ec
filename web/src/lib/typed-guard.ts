import { useEffect } from 'react';
import { guardTyped } from './typed.ts';
import { useLeaveGuard } from './leave-guard.ts';

/** Here, so that guests, who have no session, do not load it. */
const SESSION_ENDED =
  'Ihre Anmeldung ist abgelaufen. Was Sie eingegeben haben, steht noch hier: Melden Sie sich in einem neuen Fenster an, dann speichern Sie noch einmal.';
const QUESTION = 'Die Eingaben sind noch nicht gespeichert. Trotzdem verlassen?';

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
    document.addEventListener('click', ask, { capture: true });
    return () => {
      release();
      document.removeEventListener('click', ask, { capture: true });
    };
  }, [active, question]);
}
