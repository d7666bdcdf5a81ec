import { useCallback, useEffect, useState } from 'react';
import { call, isRefusal } from '../api/client.ts';

/** The token of a link, which never leaves the fragment of its address but in the body of one call. */
const tokenInAddress = (): string => window.location.hash.slice(1);

/** `opening` until the server has said whether the link of the address, or what this browser has already, opens the page. */
type Entered = { state: 'opening' } | { state: 'open' } | { state: 'failed'; error: unknown };

/**
 * Makes a session of a link: the token of the address is sent once, and taken out of the address, so that nobody reads it there. Without
 * one that is valid `enter` finds out by itself whether the browser may enter. `again` tries once more.
 */
export function useLinkSession(role: 'gallery' | 'helper', code: string, enter: () => Promise<void>): Entered & { again(): void } {
  const [token, setToken] = useState(tokenInAddress);
  const [entered, setEntered] = useState<Entered>({ state: 'opening' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let current = true;
    const work = async (): Promise<void> => {
      if (token !== '') {
        await call(`POST /auth/${role}/login`, { body: { code, token } }).catch((error: unknown) => {
          // The link of an old card: what the browser has already may open the page.
          if (!isRefusal(error, 'invalid_credentials')) throw error;
        });
        const { pathname, search } = window.location;
        window.history.replaceState(window.history.state, '', pathname + search);
      }
      await enter();
    };
    work().then(
      () => current && setEntered({ state: 'open' }),
      (error: unknown) => current && setEntered({ state: 'failed', error }),
    );
    return () => {
      current = false;
    };
  }, [role, code, token, enter, attempt]);
  const again = useCallback((): void => {
    setEntered({ state: 'opening' });
    setAttempt((before) => before + 1);
  }, []);
  useEffect(() => {
    // Another link for the page that is open loads no document.
    const follow = (): void => {
      const other = tokenInAddress();
      if (other === '') return;
      setToken(other);
      again();
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [again]);
  return { ...entered, again };
}
