/**
 * Makes the first requests of the guests' gallery while its code loads: the address's link becomes a session, and the first photos are
 * read, with their pictures. Imports nothing, so that it runs at once. The page repeats failed requests.
 */

/** Length of a link's token: 128 bits as base64url. */
const TOKEN_LENGTH = 22;
/** Number of pictures that are loaded before the code that shows them; more would delay it. */
const FIRST_PICTURES = 3;

/** Reads the first photos, whose address is in `data-first` of this script; null without one. */
function ask(): Promise<unknown> | null {
  if (typeof document === 'undefined') return null;
  const { code = '', first } = document.querySelector<HTMLScriptElement>('script[data-first]')?.dataset ?? {};
  return first === undefined ? null : firstPhotos(code, first).catch(() => null);
}

async function firstPhotos(code: string, first: string): Promise<unknown> {
  const token = location.hash.slice(1);
  if (token.length === TOKEN_LENGTH) {
    const body = JSON.stringify({ code, token });
    // A refused link may be an old one; the browser's earlier session may still open the page.
    await fetch('/auth/gallery/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }
  const answer = await fetch(first, { headers: { accept: 'application/json' } });
  if (!answer.ok) return null;
  const page = (await answer.json()) as { photos?: { thumbnail_url: string }[] };
  for (const { thumbnail_url } of page.photos?.slice(0, FIRST_PICTURES) ?? []) new Image().src = thumbnail_url;
  return page;
}

let asked = ask();

/** Returns the answer about the first photos, only once; null or a null answer if there is none of use. */
export function takeFirstPhotos(): Promise<unknown> | null {
  const taken = asked;
  asked = null;
  return taken;
}
