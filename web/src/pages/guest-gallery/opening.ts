/**
 * The first questions of the guests' gallery, asked while its code is on its way: the link of the address becomes a session, and the first
 * photos are read, with their pictures. Imports nothing, so that it runs at once. What fails here, the page asks again.
 */

/** Of a link's token: 128 bits. */
const TOKEN_LENGTH = 22;
/** Pictures that are fetched before the code that shows them has come; more would hold it up. */
const FIRST_PICTURES = 3;

/** `data-first` of this script is the address of the first photos. */
function ask(): Promise<unknown> | null {
  if (typeof document === 'undefined') return null;
  const { code = '', first } = document.querySelector<HTMLScriptElement>('script[data-first]')?.dataset ?? {};
  return first === undefined ? null : firstPhotos(code, first).catch(() => null);
}

async function firstPhotos(code: string, first: string): Promise<unknown> {
  const token = location.hash.slice(1);
  if (token.length === TOKEN_LENGTH) {
    const body = JSON.stringify({ code, token });
    // A refused link may be an old one: what the browser has already may open the page.
    await fetch('/auth/gallery/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }
  const answer = await fetch(first, { headers: { accept: 'application/json' } });
  if (!answer.ok) return null;
  const page = (await answer.json()) as { photos?: { thumbnail_url: string }[] };
  for (const { thumbnail_url } of page.photos?.slice(0, FIRST_PICTURES) ?? []) new Image().src = thumbnail_url;
  return page;
}

let asked = ask();

/** The answer about the first photos, once; null where there is none, or none of use. */
export function takeFirstPhotos(): Promise<unknown> | null {
  const taken = asked;
  asked = null;
  return taken;
}
