import { useEffect } from 'react';

const QUESTION = 'Es werden noch Fotos hochgeladen. Möchten Sie die Seite trotzdem verlassen?';

/** Asks before the page is left while `active`: by closing or reloading (the browser's words) and by the Back button (ours). */
export function useLeaveGuard(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const here = window.location.href;
    const path = window.location.pathname;
    const unload = (event: BeforeUnloadEvent): void => event.preventDefault();
    const back = (event: PopStateEvent): void => {
      if (window.location.pathname === path || window.confirm(QUESTION)) return;
      // Before the router hears of it, the address is what it was.
      event.stopImmediatePropagation();
      window.history.pushState(null, '', here);
    };
    window.addEventListener('beforeunload', unload);
    window.addEventListener('popstate', back, true);
    return () => {
      window.removeEventListener('beforeunload', unload);
      window.removeEventListener('popstate', back, true);
    };
  }, [active]);
}
