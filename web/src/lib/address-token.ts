/** The mark before a token: `#`, or what programs on the way make of it, encoded once or more often. */
const MARK = /#|%(?:25)*23/;
/**
 * Of a link's token: 128 bits. Other fragments are places in a page. Proofpoint writes `*` for `#`, and ends a link by `__;`; a copied link may
 * have a space before the token, or `&#35;`.
 */
const TOKEN = new RegExp(`(?:^|${MARK.source}|\\*)(?:%\\w\\w|x?\\d\\d;){0,9}([\\w-]{22})(?=__;|(?![\\w-]))`);

/** The token in an address, also in one that a mail gateway has wrapped into its own, or alone; empty where there is none. */
export const tokenIn = (text: string): string => TOKEN.exec(text)?.[1] ?? '';

/** The token of the page's address. */
export function tokenInAddress(): string {
  if (typeof window === 'undefined') return '';
  return tokenIn(window.location.pathname + window.location.hash);
}

/** The page's address with another token, or with none. */
export const addressWith = (token: string): string => {
  const { pathname, search } = window.location;
  return (pathname.split(MARK)[0] ?? '') + search + (token && `#${token}`);
};

/** The same, taken out of the address, so that nobody reads it there; where the browser keeps no session, the link stays for a reload. */
export function takeToken(): string {
  const token = tokenInAddress();
  if (token && navigator.cookieEnabled) window.history.replaceState(window.history.state, '', addressWith(''));
  return token;
}
