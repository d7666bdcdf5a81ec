import { text } from 'node:stream/consumers';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerenderToNodeStream } from 'react-dom/static';
import type { Manifest } from 'vite';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { Frame } from './frame.tsx';
import { BRAND } from './brand.ts';
import { addressOf, filesOf } from './build-files.ts';
import { documentHtml, JsonScript } from './document.tsx';
import { type DrawnEvent, type Site } from './lib/use-site.ts';
import { publicPages } from './public-pages.ts';
import { Guest } from './guest-app.tsx';
import { join, upload } from './texts.ts';
import { Waiting } from './ui/spinner.tsx';

interface Wanted {
  /** As `documentOf` names it. */
  path: string;
  /** The server renders again each day, so the date is known here. */
  site: Omit<Site, 'today'>;
  /** The build's manifest: which files a page needs. */
  manifest: Manifest;
}

const FONTS = ['src/ui/fonts/display.woff2', 'src/ui/fonts/text.woff2'];

/** Where the guests' pages are: they have a program of their own, because most visitors come for the first time. */
const GUESTS = '/event';
const GUESTS_DESCRIPTION = 'Fotos vom Handy zum Event hochladen: in voller Qualität, verschlüsselt, ohne Konto und ohne App.';

/** Paths for the sitemap. */
export function indexedPaths(): string[] {
  return Object.keys(publicPages).filter((path) => publicPages[path]?.indexed);
}

/** The path whose document a page gets: its own where it is public, `/event` for each event, '' for the rest. */
export function documentOf(path: string): string {
  if (path in publicPages) return path;
  return path.split('/')[1] === GUESTS.slice(1) ? GUESTS : '';
}

/** The HTML of a document, and whether search engines may list it. Paths of public pages are complete, all others are drawn by the browser. */
export async function renderDocument({ path, site: known, manifest }: Wanted): Promise<{ html: string; indexed: boolean }> {
  const site = { ...known, today: berlinDay(Date.now()) };
  const page = publicPages[path];
  const forGuests = documentOf(path) === GUESTS;
  const drawn = page !== undefined || site.event !== undefined;
  const modules = [forGuests ? 'src/guest.tsx' : 'src/main.tsx', ...(page?.module ? [page.module] : [])];
  const { scripts, styles } = filesOf(modules, manifest);
  const [entry, ...imports] = scripts;
  const html = documentHtml({
    site,
    styles,
    title: page?.title ?? (site.event ? titleOf(site.event) : BRAND),
    head: (
      <>
        {/* A drawn page can be read without its scripts: one small script loads all others after the first paint. */}
        {drawn ? (
          <script type="module" src={addressOf('src/start.ts', manifest)} data-then={scripts.join(' ')} />
        ) : (
          <script type="module" src={entry} />
        )}
        {(drawn || forGuests) && <FontPreloads manifest={manifest} />}
        {!drawn && imports.map((script) => <link key={script} rel="modulepreload" href={script} />)}
        {!drawn && forGuests && <meta name="description" content={GUESTS_DESCRIPTION} />}
        {page?.description && <SearchFacts path={path} description={page.description} site={site} />}
      </>
    ),
    body: drawn ? await draw(path, site) : renderToStaticMarkup(<Waiting first />),
    drawn,
  });
  return { html, indexed: page?.indexed === true };
}

function titleOf(drawn: DrawnEvent): string {
  if ('refused' in drawn) return drawn.refused.fields?.opens_on ? 'Noch nicht geöffnet' : join.failed;
  return drawn.locked ? upload.passwordTitle : drawn.event.title;
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

/** The typefaces that every page needs; those for rarer letters are left out. */
function FontPreloads({ manifest }: { manifest: Manifest }) {
  return FONTS.map((name) => <link key={name} rel="preload" as="font" type="font/woff2" crossOrigin="" href={addressOf(name, manifest)} />);
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
    telephone: contact.phone.e164,
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
