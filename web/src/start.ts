/**
 * Begins the pages that the server draws, which can be read without code: on a slow line words, styles and typefaces come
 * first, the code after the first picture. `data-then` of this script names its files, the one to run first. Imports nothing,
 * so that it is on the page at once.
 */

// Whoever sends a form before the page's code is there is not sent away: ui/form.tsx sends it then.
addEventListener('submit', (event) => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  (event.target as HTMLFormElement).dataset.early = '';
});

const { then = '' } = document.querySelector<HTMLScriptElement>('script[data-then]')?.dataset ?? {};
const [main = '', ...rest] = then.split(' ');

/** After everything else has been loaded, ms. */
const LATEST = 1000;

let begun = false;
function begin(): void {
  if (begun) return;
  begun = true;
  for (const href of rest) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  void import(/* @vite-ignore */ main);
}

// A tab in the background paints nothing.
if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes('paint')) begin();
else {
  new PerformanceObserver(begin).observe({ type: 'paint', buffered: true });
  addEventListener('visibilitychange', begin);
  // Where a browser never tells of its painting, a page must not stay without its code.
  addEventListener('load', () => setTimeout(begin, LATEST));
}

export {};
