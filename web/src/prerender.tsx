import { text } from 'node:stream/consumers';
import { StrictMode } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import type { Manifest } from 'vite';
import { Router } from 'wouter';
import { App, BRAND } from './app.tsx';
import { SiteContext, type Site } from './lib/use-site.ts';
import { publicPages } from './public-pages.ts';

interface Wanted {
  path: string;
  site: Site;
  /** The site's address where it is known, without a slash at its end: what is shared needs whole addresses. */
  origin: string | null;
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
  const { path, site } = wanted;
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
    html: fill(wanted.template, { title: titleOf(body), head: headOf(wanted), body, site }),
    indexed: publicPages[path]?.indexed ?? false,
  };
}

/** The document of all other pages: empty, with the operator's data. */
export function emptyPage(template: string, site: Site): string {
  return fill(template, { title: BRAND, head: '', body: '', site });
}

function fill(template: string, parts: { title: string; head: string; body: string; site: Site }): string {
  const data = `<script type="application/json" id="site">${json(parts.site)}</script>`;
  return template
    .replace(/<title>.*<\/title>/, () => `<title>${parts.title}</title>`)
    .replace('</head>', () => `${parts.head}</head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${parts.body}</div>${data}`);
}

/** Named after its headline, as the browser names it after a change of page. */
function titleOf(body: string): string {
  const headline = /<h1[^>]*>(.*?)<\/h1>/s.exec(body)?.[1]?.replace(/<[^>]*>/g, '');
  return headline ? `${headline} · ${BRAND}` : BRAND;
}

function headOf({ path, site, origin, template, manifest }: Wanted): string {
  const page = publicPages[path];
  if (!page) return '';
  const address = `${origin ?? ''}${path}`;
  return [
    `<meta name="description" content="${escape(page.description)}">`,
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
    ...filesOf(page.module, manifest)
      .filter((file) => !template.includes(file))
      .map(linkTo),
    ...(path === '/' || path === '/kontakt' ? [`<script type="application/ld+json">${json(businessData(site, origin))}</script>`] : []),
  ].join('');
}

/** The page's own styles, and its code on the way before it is asked for. */
function filesOf(module: string, manifest: Manifest): string[] {
  const styles = new Set<string>();
  const scripts = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`${name} is not in the manifest of the pages`);
    if (chunk.isEntry || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    chunk.css?.forEach((file) => styles.add(file));
    chunk.imports?.forEach(visit);
  };
  visit(module);
  return [...styles, ...scripts];
}

function linkTo(file: string): string {
  return `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="/${file}">`;
}

/** The operator for search engines, by schema.org. */
function businessData({ business: { identity, contact, map } }: Site, origin: string | null): object {
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
