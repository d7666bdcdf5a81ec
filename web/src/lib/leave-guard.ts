import { useLayoutEffect } from 'react';

let guarded: { question: string; href: string; path: string } | null = null;

/** Must be called before the router starts, because the window calls its listeners in the order of their registration. */
export function watchBackButton(): void {
  window.addEventListener('popstate', (event) => {
    if (!guarded || window.location.pathname === guarded.path || window.confirm(guarded.question)) return;
    // The router must not see the event; the address is restored.
    event.stopImmediatePropagation();
    window.history.pushState(null, '', guarded.href);
  });
}

/** Asks before the page is left while `active`: by closing or reloading (the browser's words) and by the Back button (ours). */
export function useLeaveGuard(active: boolean, question: string): void {
  // With the page's change itself: a page that says that all is stored must not ask any more.
  useLayoutEffect(() => {
    if (!active) return;
    const unload = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
      // Older browsers need this to ask.
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
