/**
 * Starts the pages that the server draws, which can be read without code: on a slow line text, styles and fonts load first,
 * the code after the first paint. `data-then` of this script lists its files, the main one first. Imports nothing, so that
 * it runs at once.
 */

// A form that is sent before the page's code runs must not be sent by the browser; ui/form.tsx sends it later. The listener uses
// the capture phase, because React stops submit events of elements that it has not hydrated. React handles forms marked `live`.
// A form that changes the language keeps the address's other parameters.
addEventListener(
  'submit',
  (event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const pressed = (event as SubmitEvent).submitter as HTMLButtonElement | null;
    if (pressed?.name === 'lang') {
      const search = new URLSearchParams(location.search);
      search.set('lang', pressed.value);
      location.search = String(search);
    }
    if (form.method !== 'dialog' || form.dataset.live !== undefined) return;
    event.stopImmediatePropagation();
    form.dataset.early = '';
  },
  { capture: true },
);

// Where cookies are blocked, a link to another page for guests keeps the address's choice of a language. From a page that is not German it
// names the event, since the event's host may want the language of the guest's phone.
addEventListener(
  'click',
  ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null;
    const [, page, ofEvent] = /^\/(event|galerie|join|securejoin|datenschutz)(\/|$)/.exec(link?.pathname ?? '') ?? [];
    if (!link || !page || link.origin !== location.origin) return;
    const here = new URLSearchParams(location.search);
    const search = new URLSearchParams(link.search);
    const before = String(search);
    const code = /^\/(?:event|galerie|freigabe)\/([^/]+)/.exec(location.pathname)?.[1] ?? here.get('code');
    const kept = {
      lang: navigator.cookieEnabled ? null : here.get('lang'),
      code: ofEvent || document.documentElement.lang === 'de' ? null : code,
    };
    for (const [name, value] of Object.entries(kept)) if (value && !search.has(name)) search.set(name, value);
    if (String(search) !== before) link.search = String(search);
  },
  { capture: true },
);

const { then = '' } = document.querySelector<HTMLScriptElement>('script[data-then]')?.dataset ?? {};
const files = then.split(' ');
const [main = ''] = files;

/** Time after the load event after which the code is fetched even without a paint. */
const PAINT_TIMEOUT_MS = 1000;
/** Pause before a file that did not arrive is requested again; it ends when the browser reports that the network is back. */
const RETRY_MS = 3000;
/** Silence after which a connection counts as dead and the file is requested anew. */
const SILENCE_MS = 30_000;

let started = false;
async function start(): Promise<void> {
  if (started) return;
  started = true;
  await Promise.all(files.map(fetchUntilItArrives));
  await import(/* @vite-ignore */ main);
}

/**
 * Brings a file into the browser's cache, however many attempts it takes. Nothing is imported before it has arrived, because
 * most browsers never ask again for a module that failed (https://github.com/whatwg/html/issues/6768).
 */
async function fetchUntilItArrives(file: string): Promise<void> {
  for (;;) {
    const status = await statusOf(file);
    if (status === 200) return;
    if (status === 404) reloadOnce();
    await new Promise<void>((again) => {
      addEventListener('online', () => again(), { once: true });
      setTimeout(again, RETRY_MS);
    });
  }
}

/** Loads the whole file. Returns its HTTP status, or 0 if it did not arrive. */
async function statusOf(file: string): Promise<number> {
  const ending = new AbortController();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => ending.abort(), SILENCE_MS);
  };
  try {
    heard();
    const { status, body } = await fetch(file, { signal: ending.signal });
    for (const reader = body?.getReader(); reader && !(await reader.read()).done;) heard();
    return status;
  } catch {
    return 0;
  } finally {
    clearTimeout(silence);
  }
}

/** Reloads once: a missing file belongs to an older version, and a fresh document names the right one. The history entry notes it. */
function reloadOnce(): void {
  const { reloadedFor } = (history.state ?? {}) as { reloadedFor?: string };
  if (reloadedFor === main) return;
  history.replaceState({ reloadedFor: main }, '');
  location.reload();
}

// A tab in the background paints nothing.
if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes('paint')) void start();
else {
  new PerformanceObserver(() => void start()).observe({ type: 'paint', buffered: true });
  addEventListener('visibilitychange', () => void start());
  // Some browsers never report their painting.
  addEventListener('load', () => setTimeout(() => void start(), PAINT_TIMEOUT_MS));
}

export {};
