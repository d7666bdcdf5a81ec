import { useCallback, useEffect, useState } from 'react';
import { call, isRefusal } from '../api/client.ts';
import { takeToken, tokenInAddress } from './address-token.ts';

/** `opening` until the server has said whether the link in the address, or this browser's session, opens the page. */
type Entered = { state: 'opening' } | { state: 'open' } | { state: 'failed'; error: unknown };

type LinkSession = Entered & {
  /** Number of repetitions. */
  attempt: number;
  again(): void;
  /** The link's token; empty if the link has lost it on the way. */
  token: string;
  /** Tries a typed token. */
  give(token: string): void;
};

/**
 * Makes a session of a link: sends the address's token once, and removes it from the address, so that nobody reads it there. Without a
 * valid token, `enter` finds out whether the browser may enter. `again` tries once more. `opened` is asked at the first attempt whether
 * the link was used before this code came, and let the browser in.
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
          // The link may be from an old card; the browser's earlier session may still open the page.
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
    // A further link to the open page changes only the fragment, and loads no document.
    const follow = (): void => {
      const other = tokenInAddress();
      if (other !== '') give(other);
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [give]);
  return { ...entered, attempt, again, token, give };
}
