import { useLayoutEffect } from 'react';

/** The active guards, the oldest first. */
const guards = new Set<{ question: string; href: string; path: string }>();

/** Asks before Back leaves a guarded page. Must be called before the router starts: listeners run in the order of their registration. */
export function watchBackButton(): void {
  window.addEventListener('popstate', (event) => {
    const [guard] = guards;
    if (!guard || window.location.pathname === guard.path || window.confirm(guard.question)) return;
    // The router must not see the event; the address is restored.
    event.stopImmediatePropagation();
    window.history.pushState(null, '', guard.href);
  });
}

/** Asks before the page is left while `active`: by closing or reloading (the browser's words) and by the Back button (ours). */
export function useLeaveGuard(active: boolean, question: string): void {
  // A layout effect, because a page that says that everything is stored must not ask any more.
  useLayoutEffect(() => {
    if (!active) return;
    const unload = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
      // Older browsers need this to ask.
      event.returnValue = true;
    };
    const guard = { question, href: window.location.href, path: window.location.pathname };
    guards.add(guard);
    window.addEventListener('beforeunload', unload);
    return () => {
      guards.delete(guard);
      window.removeEventListener('beforeunload', unload);
    };
  }, [active, question]);
}
