import { berlinDay } from '@feierbild/contract/berlin.ts';
import { tones } from '@feierbild/contract/colours.ts';
import type { DrawnEvent } from '@feierbild/contract/entities.ts';
import { text } from 'node:stream/consumers';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerenderToNodeStream } from 'react-dom/static';
import type { Manifest } from 'vite';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { BRAND } from './brand.ts';
import { addressOf, filesOf } from './build-files.ts';
import { Frame } from './frame.tsx';
import { Guest } from './guest-app.tsx';
import type { Site } from './lib/use-site.ts';
import { publicPages } from './public-pages.ts';
import { join } from './texts.ts';
import { t } from './texts/guest/guest.ts';
import { Waiting } from './ui/spinner.tsx';

interface Wanted {
  /** As `documentOf` names it. */
  path: string;
  /** The server renders again each day, so the date is known here. */
  site: Omit<Site, 'today'>;
  /** The build's manifest: which files a page needs. */
  manifest: Manifest;
  /** Of the event that the page is about, where the browser draws it. */
  palette: string | null;
}

/** The typefaces that every page needs; those for rarer letters are left out. */
const FONTS = ['src/ui/fonts/display.woff2', 'src/ui/fonts/text.woff2'];

/** Where the guests' pages are: they have a program of their own, because most visitors come for the first time. */
const GUESTS = '/event';
const GUESTS_DESCRIPTION = 'Fotos vom Handy zum Event hochladen: in voller Qualität, verschlüsselt, ohne Konto und ohne App.';

/** Paths for the sitemap. */
export function indexedPaths(): string[] {
  return Object.keys(publicPages).filter((path) => !publicPages[path]?.unlisted);
}

/** The path whose document a page gets: its own where it is public, `/event` for each event, '' for the rest. */
export function documentOf(path: string): string {
  if (path in publicPages) return path;
  return path.split('/')[1] === GUESTS.slice(1) ? GUESTS : '';
}

/** The HTML of a document, and whether search engines may list it. Paths of public pages are complete, all others are drawn by the browser. */
export async function renderDocument({
  path,
  site: known,
  manifest,
  palette,
}: Wanted): Promise<{ html: string; indexed: boolean; style: string }> {
  const site = { ...known, today: berlinDay(Date.now()) };
  const page = publicPages[path];
  const forGuests = documentOf(path) === GUESTS;
  const drawn = page !== undefined || site.event !== undefined;
  const modules = [forGuests ? 'src/guest.tsx' : 'src/main.tsx', ...(page?.file ? [`src/pages/${page.file}-page.tsx`] : [])];
  const { scripts, styles } = filesOf(modules, manifest);
  const [entry, ...imports] = scripts;
  const title = page?.title ?? (site.event ? titleOf(site.event) : BRAND);
  // Apart from its document, because ids made by React depend on the place in the tree.
  const body = drawn ? await draw(path, site) : renderToStaticMarkup(<Waiting first />);
  const style = known.brand?.accent ? styleOf(known.brand.accent) : '';
  const worn = palette ?? (site.event && 'event' in site.event ? site.event.event.look?.palette : undefined);
  const html = renderToStaticMarkup(
    <html lang="de" data-palette={worn ?? undefined}>
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
        {style && <style dangerouslySetInnerHTML={{ __html: style }} />}
        {/* A drawn page can be read without its scripts: one small script loads all others after the first paint. */}
        {drawn ? (
          <script type="module" src={addressOf('src/start.ts', manifest)} data-then={scripts.join(' ')} />
        ) : (
          <script type="module" src={entry} />
        )}
        {(drawn || forGuests) &&
          FONTS.map((name) => (
            <link key={name} rel="preload" as="font" type="font/woff2" crossOrigin="" href={addressOf(name, manifest)} />
          ))}
        {!drawn && imports.map((script) => <link key={script} rel="modulepreload" href={script} />)}
        {!drawn && forGuests && <meta name="description" content={GUESTS_DESCRIPTION} />}
        {page?.description && <SearchFacts path={path} description={page.description} site={site} />}
      </head>
      <body>
        {/* What the server drew, the browser hydrates instead of drawing it anew. */}
        <div id="root" data-drawn={drawn ? '' : undefined} dangerouslySetInnerHTML={{ __html: body }} />
        <JsonScript id="site" type="application/json" value={site} />
        <noscript>
          <p>Zum Beitreten, Hochladen und Verwalten braucht diese Seite JavaScript.</p>
        </noscript>
      </body>
    </html>,
  );
  return { html: `<!doctype html>${html}`, indexed: page !== undefined && !page.unlisted, style };
}

/** The operator's colour, where no palette is worn. In the document itself, so that nothing is drawn in another one first. */
function styleOf(colour: string): string {
  const { accent, deep, soft, light } = tones(colour);
  return `html:not([data-palette]){--accent:${accent};--accent-deep:${deep};--accent-soft:${soft};--accent-light:${light}}`;
}

function titleOf(drawn: DrawnEvent): string {
  if ('refused' in drawn) return drawn.refused.fields?.opens_on ? 'Noch nicht geöffnet' : join.failed;
  return drawn.locked ? t.page.password : drawn.event.title;
}

async function draw(path: string, site: Site): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <Frame site={site}>
      {documentOf(path) === GUESTS ? (
        <Guest path={path} />
      ) : (
        <Router ssrPath={path}>
          <App />
        </Router>
      )}
    </Frame>,
    // React would move larger parts into place by inline scripts, which the content security policy forbids.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  );
  return text(prelude);
}

/** What search engines and messengers show of a page. */
function SearchFacts({ path, description, site }: { path: string; description: string; site: Wanted['site'] }) {
  // Previews of shared links need absolute URLs.
  const { origin } = site;
  const address = `${origin ?? ''}${path}`;
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      <meta property="og:site_name" content={BRAND} />
      <meta property="og:type" content="website" />
      <meta property="og:locale" content="de_DE" />
      <meta property="og:description" content={description} />
      {origin && (
        <>
          <meta property="og:url" content={address} />
          <meta property="og:image" content={`${origin}/vorschau.png`} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {(path === '/' || path === '/kontakt') && <JsonScript type="application/ld+json" value={businessFacts(site)} />}
    </>
  );
}

/** The operator for search engines, by schema.org. */
function businessFacts({ business: { identity, contact, map }, origin }: Wanted['site']): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'LocalBusiness',
    name: identity.brand,
    ...(origin ? { url: `${origin}/`, image: `${origin}/vorschau.png` } : {}),
    telephone: contact.phone?.e164,
    email: contact.email,
    address: {
      '@type': 'PostalAddress',
      streetAddress: identity.street,
      postalCode: identity.zip,
      addressLocality: identity.city,
      addressCountry: 'DE',
    },
    ...(map && { geo: { '@type': 'GeoCoordinates', latitude: map.lat, longitude: map.lon } }),
  };
}

/** Data in a script element. Every `<` is escaped, because the element ends at the first `</script`. */
function JsonScript({ value, ...attributes }: { value: unknown; id?: string; type: string }) {
  return <script {...attributes} dangerouslySetInnerHTML={{ __html: JSON.stringify(value).replaceAll('<', '\\u003c') }} />;
}
