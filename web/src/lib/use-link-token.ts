import { useCallback, useEffect, useState } from 'react';
import { addressWith, tokenInAddress } from './address-token.ts';

interface Entry {
  token?: string;
}
const entry = (): Entry => (window.history.state ?? {}) as Entry;

/**
 * The token of a page that uses it more than once. `kept: 'entry'`: it moves from the address into the history's entry, so that a reload
 * finds it. `'address'`: it stays behind its `#`, for a link that its reader keeps. The function takes a typed token.
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
    // Another link for the page that is open loads no document.
    const follow = (): void => give(tokenInAddress() || token);
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [give, token]);
  return [token, give];
}
