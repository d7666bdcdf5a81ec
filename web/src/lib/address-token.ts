/** The mark before a token: `#`, which programs on the way may have percent-encoded, once or several times. */
const MARK = /#|%(?:25)*23/;
/**
 * A link's token: 128 bits. Other fragments are anchors within a page. Proofpoint writes `*` for `#`, and ends a link by `__;`; a copied
 * link may have a space before the token, or `&#35;`.
 */
const TOKEN = new RegExp(`(?:^|${MARK.source}|\\*)(?:%\\w\\w|x?\\d\\d;){0,9}([\\w-]{22})(?=__;|(?![\\w-]))`);

/** Finds the token in an address, which a mail gateway may have wrapped into its own, or in a bare token; empty if there is none. */
export const tokenIn = (text: string): string => TOKEN.exec(text)?.[1] ?? '';

/** Finds the token in the page's address; empty if there is none. */
export function tokenInAddress(): string {
  if (typeof window === 'undefined') return '';
  return tokenIn(window.location.pathname + window.location.hash);
}

/** Returns the page's address with another token, or with none. */
export const addressWith = (token: string): string => {
  const { pathname, search } = window.location;
  return (pathname.split(MARK)[0] ?? '') + search + (token && `#${token}`);
};

/** Reads the token and removes it from the address, so that nobody reads it there; without cookies it stays, for a reload. */
export function takeToken(): string {
  const token = tokenInAddress();
  if (token && navigator.cookieEnabled) window.history.replaceState(window.history.state, '', addressWith(''));
  return token;
}
