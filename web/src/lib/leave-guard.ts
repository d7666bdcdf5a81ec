import { useEffect } from 'react';

let guarded: { question: string; href: string; path: string } | null = null;

/** Call before the router starts: the window tells its listeners in the order they came, and after the router it is too late. */
export function watchBackButton(): void {
  window.addEventListener('popstate', (event) => {
    if (!guarded || window.location.pathname === guarded.path || window.confirm(guarded.question)) return;
    // The router hears of nothing, and the address is what it was.
    event.stopImmediatePropagation();
    window.history.pushState(null, '', guarded.href);
  });
}

/** Asks before the page is left while `active`: by closing or reloading (the browser's words) and by the Back button (ours). */
export function useLeaveGuard(active: boolean, question: string): void {
  useEffect(() => {
    if (!active) return;
    const unload = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
      // Older browsers ask only because of this.
      event.returnValue = true;
    };
    guarded = { question, href: window.location.href, path: window.location.pathname };
    window.addEventListener('beforeunload', unload);
    return () => {
      guarded = null;
      window.removeEventListener('beforeunload', unload);
    };
  }, [active, question]);
}
