import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { BRAND } from './brand.ts';
import type { Site } from './lib/use-site.ts';

interface DocumentParts {
  title: string;
  site: Site;
  /** Addresses of its style sheets, in order. */
  styles: string[];
  /** Further elements of the head: scripts, preloads, descriptions. */
  head: ReactNode;
  /** HTML of the page, drawn by React. */
  body: string;
  /** The body is the page itself: the browser hydrates it instead of drawing it anew. */
  drawn: boolean;
}

/** The whole HTML of a document. The page is rendered apart from it, because ids made by React depend on the place in the tree. */
export function documentHtml({ title, site, styles, head, body, drawn }: DocumentParts): string {
  const html = renderToStaticMarkup(
    <html lang="de">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#faf7f2" />
        <link rel="icon" href="/zeichen.svg" type="image/svg+xml" />
        <link rel="icon" href="/zeichen-192.png" sizes="192x192" type="image/png" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <title>{title === BRAND ? BRAND : `${title} · ${BRAND}`}</title>
        {styles.map((style) => (
          <link key={style} rel="stylesheet" href={style} />
        ))}
        {head}
      </head>
      <body>
        <div id="root" data-drawn={drawn ? '' : undefined} dangerouslySetInnerHTML={{ __html: body }} />
        <JsonScript id="site" type="application/json" value={site} />
        <noscript>
          <p>Zum Beitreten, Hochladen und Verwalten braucht diese Seite JavaScript.</p>
        </noscript>
      </body>
    </html>,
  );
  return `<!doctype html>${html}`;
}

/** Data in a script element. Every `<` is escaped, because the element ends at the first `</script`. */
export function JsonScript({ value, ...attributes }: { value: unknown; id?: string; type: string }) {
  return <script {...attributes} dangerouslySetInnerHTML={{ __html: JSON.stringify(value).replaceAll('<', '\\u003c') }} />;
}
