import { useCallback, useEffect, useState } from 'react';
import { addressWith, tokenInAddress } from './address-token.ts';

interface Entry {
  token?: string;
}
const entry = (): Entry => (window.history.state ?? {}) as Entry;

/**
 * Returns the token of a page that uses it more than once, and a function that takes a typed one. `'entry'` moves the token from the
 * address into the history entry, where a reload finds it. `'address'` leaves it behind its `#`, for a link that its reader keeps.
 */
export function useLinkToken(kept: 'entry' | 'address'): [token: string, give: (token: string) => void] {
  const [token, setToken] = useState(() => tokenInAddress() || (entry().token ?? ''));
  const give = useCallback((other: string): void => setToken(other), []);
  useEffect(() => {
    if (token === '') return;
    if (kept === 'entry') window.history.replaceState({ ...entry(), token }, '', addressWith(''));
    else window.history.replaceState(window.history.state, '', addressWith(token));
  }, [kept, token]);
  useEffect(() => {
    // A further link to the open page changes only the fragment, and loads no document.
    const follow = (): void => give(tokenInAddress() || token);
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [give, token]);
  return [token, give];
}
