import { berlinDay, feastDay } from '@feierbild/contract/berlin.ts';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/client.ts';

/** The media query for phones. */
const PHONE = '(max-width: 800px) and (pointer: coarse)';
/** Whether this document has shown the list once; a return to the list then stays there. */
let shown = false;

/** Opens „Heute“ when a phone opens the administration while an event runs. */
export function useTodayFirst(): void {
  const [, navigate] = useLocation();
  const open = useEffectEvent(async () => {
    if (shown) return;
    shown = true;
    const { pathname, search } = window.location;
    // A reload of the list stays on the list.
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    if (navigation?.type === 'reload') return;
    if (pathname !== '/admin' || search !== '' || !window.matchMedia(PHONE).matches) return;
    const now = Date.now();
    const { found = 0 } = await call('GET /admin/events', { query: { from: feastDay(now), to: berlinDay(now), page: 1, per_page: 1 } });
    if (found > 0 && window.location.pathname === '/admin' && window.location.search === '') navigate('/admin/heute', { replace: true });
  });
  useEffect(() => {
    // The list fails for the same reason, and says so.
    void open().catch(() => undefined);
  }, []);
}
