import { text } from 'node:stream/consumers';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import { StrictMode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerenderToNodeStream } from 'react-dom/static';
import type { Manifest } from 'vite';
import { Router } from 'wouter';
import { App, BRAND } from './app.tsx';
import { SiteContext, type Site } from './lib/use-site.ts';
import { publicPages } from './public-pages.ts';
import { Waiting } from './ui/spinner.tsx';

interface Wanted {
  path: string;
  /** The server draws anew each day, which is therefore known here. */
  site: Omit<Site, 'today'>;
  /** The built document, still empty. */
  template: string;
  /** The build's manifest: which files a page needs. */
  manifest: Manifest;
}

interface PageDocument {
  html: string;
  /** Whether search engines may list it. */
  indexed: boolean;
}

/** Whether a path has a document of its own; all others are drawn by the browser. */
export function isPublicPage(path: string): boolean {
  return path in publicPages;
}

/** Paths for the sitemap. */
export function indexedPaths(): string[] {
  return Object.keys(publicPages).filter((path) => publicPages[path]?.indexed);
}

/** The whole document of a public page, and of the page for unknown paths. */
export async function renderPage(wanted: Wanted): Promise<PageDocument> {
  const { path } = wanted;
  const site = ofToday(wanted.site);
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <SiteContext value={site}>
        <Router ssrPath={path}>
          <App />
        </Router>
      </SiteContext>
    </StrictMode>,
    // Larger parts would else be moved into place by inline scripts, which the policy forbids.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  );
  const body = await text(prelude);
  return {
    html: scriptsLast(fill(wanted.template, { title: titleOf(body), head: headOf(wanted), body, site, drawn: true }), wanted.manifest),
    indexed: publicPages[path]?.indexed ?? false,
  };
}

function ofToday(site: Omit<Site, 'today'>): Site {
  return { ...site, today: berlinDay(Date.now()) };
}

/** Pages drawn by the browser that have a document of their own, because most who open one come for the first time. */
const FIRST_VISITS: Record<string, { module: string; description: string }> = {
  '/event': {
    module: 'src/pages/event/event-page.tsx',
    description: 'Fotos vom Handy zum Event hochladen: in voller Qualität, verschlüsselt, ohne Konto und ohne App.',
  },
};

/** Which document a page without one of its own gets: `/event` for each event, '' for the rest. */
export function sharedDocument(path: string): string {
  const [, first = ''] = path.split('/');
  return `/${first}` in FIRST_VISITS ? `/${first}` : '';
}

/** The document of pages that the browser draws: a word that it is on its way, with the operator's data, and the page's code on the way where it is known. */
export function emptyPage({ path, site, template, manifest }: Wanted): string {
  const page = FIRST_VISITS[path];
  const head = page ? [descriptionOf(page.description), ...preloads(page.module, template, manifest)].join('') : '';
  return fill(template, { title: BRAND, head, body: renderToStaticMarkup(<Waiting first />), site: ofToday(site) });
}

/** The page can be read without its scripts: all of them give way to one that fetches them after the first picture. */
function scriptsLast(html: string, manifest: Manifest): string {
  const script = /<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>/;
  const preload = /<link rel="modulepreload"[^>]* href="([^"]+)">/g;
  const files = [script.exec(html)?.[1], ...Array.from(html.matchAll(preload), ([, href]) => href)];
  return html
    .replaceAll(preload, '')
    .replace(script, `<script type="module" src="/${fileOf(manifest, 'src/start.ts').file}" data-then="${files.join(' ')}"></script>`);
}

/** `drawn`: the body is the page itself, which the browser takes over as it stands. */
function fill(template: string, parts: { title: string; head: string; body: string; site: Site; drawn?: boolean }): string {
  const data = `<script type="application/json" id="site">${json(parts.site)}</script>`;
  return template
    .replace(/<title>.*<\/title>/, () => `<title>${parts.title}</title>`)
    .replace('</head>', () => `${parts.head}</head>`)
    .replace('<div id="root"></div>', () => `<div id="root"${parts.drawn ? ' data-drawn' : ''}>${parts.body}</div>${data}`);
}

/** Named after its headline, as the browser names it after a change of page. */
function titleOf(body: string): string {
  const headline = /<h1[^>]*>(.*?)<\/h1>/s.exec(body)?.[1]?.replace(/<[^>]*>/g, '');
  return headline ? `${headline} · ${BRAND}` : BRAND;
}

function headOf({ path, site, template, manifest }: Wanted): string {
  const page = publicPages[path];
  if (!page) return '';
  // What is shared needs whole addresses.
  const { origin } = site;
  const address = `${origin ?? ''}${path}`;
  return [
    descriptionOf(page.description),
    `<link rel="canonical" href="${escape(address)}">`,
    `<meta property="og:site_name" content="${BRAND}">`,
    '<meta property="og:type" content="website">',
    '<meta property="og:locale" content="de_DE">',
    `<meta property="og:description" content="${escape(page.description)}">`,
    ...(origin
      ? [
          `<meta property="og:url" content="${escape(address)}">`,
          `<meta property="og:image" content="${escape(origin)}/vorschau.png">`,
          '<meta name="twitter:card" content="summary_large_image">',
        ]
      : []),
    ...preloads(page.module, template, manifest),
    ...(path === '/' || path === '/kontakt' ? [`<script type="application/ld+json">${json(businessData(site))}</script>`] : []),
  ].join('');
}

function descriptionOf(text: string): string {
  return `<meta name="description" content="${escape(text)}">`;
}

/** The typefaces and the page's code, on the way before they are asked for. */
function preloads(module: string, template: string, manifest: Manifest): string[] {
  return [
    ...fontsOf(manifest).map((file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`),
    ...scriptsOf(module, manifest)
      .filter((file) => !template.includes(file))
      .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ];
}

/** The typefaces that every page needs; those for rarer letters are left out. */
function fontsOf(manifest: Manifest): string[] {
  return ['src/ui/fonts/display.woff2', 'src/ui/fonts/text.woff2'].map((name) => fileOf(manifest, name).file);
}

function fileOf(manifest: Manifest, name: string): Manifest[string] {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the manifest of the pages`);
  return chunk;
}

/** The scripts that a page needs beyond those of the document. */
function scriptsOf(module: string, manifest: Manifest): string[] {
  const scripts = new Set<string>();
  const visit = (name: string): void => {
    const chunk = fileOf(manifest, name);
    if (chunk.isEntry || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  visit(module);
  return [...scripts];
}

/** The operator for search engines, by schema.org. */
function businessData({ business: { identity, contact, map }, origin }: Wanted['site']): object {
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
    geo: { '@type': 'GeoCoordinates', latitude: map.lat, longitude: map.lon },
  };
}

function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function escape(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
