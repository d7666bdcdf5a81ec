/**
 * Begins the pages that the server draws, which can be read without code: on a slow line words, styles and typefaces come
 * first, the code after the first picture. `data-then` of this script names its files, the one to run first. Imports nothing,
 * so that it is on the page at once.
 */

// Whoever sends a form before the page's code is there is not sent away: ui/form.tsx sends it then. On the way down, because
// React lets nothing come back up from what it has not taken over yet; and no further, because it would do so itself, a
// second time, where it is about to.
addEventListener(
  'submit',
  (event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    if (form.method !== 'dialog' || form.dataset.live !== undefined) return;
    event.stopImmediatePropagation();
    form.dataset.early = '';
  },
  { capture: true },
);

const { then = '' } = document.querySelector<HTMLScriptElement>('script[data-then]')?.dataset ?? {};
const files = then.split(' ');
const [main = ''] = files;

/** After everything else has been loaded, ms. */
const LATEST = 1000;
/** Until a file that did not come is asked for again, ms; sooner where the browser says that the network is back. */
const PAUSE = 3000;

let begun = false;
async function begin(): Promise<void> {
  if (begun) return;
  begun = true;
  await Promise.all(files.map(have));
  await import(/* @vite-ignore */ main);
}

/**
 * Brings a file into the browser's cache, however often it takes. Most browsers remember for good that a module could not be
 * had (https://github.com/whatwg/html/issues/6768), so nothing is imported that has not arrived.
 */
async function have(file: string): Promise<void> {
  while (!(await arrives(file))) {
    await new Promise<void>((again) => {
      addEventListener('online', () => again(), { once: true });
      setTimeout(again, PAUSE);
    });
  }
}

async function arrives(file: string): Promise<boolean> {
  try {
    const answer = await fetch(file);
    await answer.blob();
    return answer.ok;
  } catch {
    return false;
  }
}

// A tab in the background paints nothing.
if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes('paint')) void begin();
else {
  new PerformanceObserver(() => void begin()).observe({ type: 'paint', buffered: true });
  addEventListener('visibilitychange', () => void begin());
  // Where a browser never tells of its painting, a page must not stay without its code.
  addEventListener('load', () => setTimeout(() => void begin(), LATEST));
}

export {};
