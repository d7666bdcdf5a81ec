import { useCallback, useEffect, useState } from 'react';
import { call, isRefusal } from '../api/client.ts';
import { takeToken, tokenInAddress } from './address-token.ts';

/** `opening` until the server has said whether the link of the address, or what this browser has already, opens the page. */
type Entered = { state: 'opening' } | { state: 'open' } | { state: 'failed'; error: unknown };

type LinkSession = Entered & {
  /** How often it was tried again. */
  attempt: number;
  again(): void;
  /** Without a token the link may have lost it on the way. */
  token: string;
  /** Tries one that was typed. */
  give(token: string): void;
};

/**
 * Makes a session of a link: the token of the address is sent once, and taken out of the address, so that nobody reads it there. Without
 * one that is valid `enter` finds out by itself whether the browser may enter. `again` tries once more. `opened`: whether the link was used
 * before this code came, and let the browser in; asked at the first attempt.
 */
export function useLinkSession(
  role: 'gallery' | 'helper',
  code: string,
  enter: () => Promise<void>,
  opened?: () => Promise<boolean>,
): LinkSession {
  const [token, setToken] = useState(tokenInAddress);
  const [entered, setEntered] = useState<Entered>({ state: 'opening' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let current = true;
    const work = async (): Promise<void> => {
      if (attempt === 0 && (await opened?.())) {
        takeToken();
        return;
      }
      if (token !== '') {
        await call(`POST /auth/${role}/login`, { body: { code, token } }).catch((error: unknown) => {
          // The link of an old card: what the browser has already may open the page.
          if (!isRefusal(error, 'invalid_credentials')) throw error;
        });
        takeToken();
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
  }, [role, code, token, enter, opened, attempt]);
  const again = useCallback((): void => {
    setEntered({ state: 'opening' });
    setAttempt((before) => before + 1);
  }, []);
  const give = useCallback(
    (other: string): void => {
      setToken(other);
      again();
    },
    [again],
  );
  useEffect(() => {
    // Another link for the page that is open loads no document.
    const follow = (): void => {
      const other = tokenInAddress();
      if (other !== '') give(other);
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [give]);
  return { ...entered, attempt, again, token, give };
}
