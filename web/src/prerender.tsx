import { berlinDay } from '@feierbild/contract/berlin.ts';
import { tones } from '@feierbild/contract/colours.ts';
import type { DrawnEvent } from '@feierbild/contract/entities.ts';
import { LANGUAGES, type Language } from '@feierbild/contract/languages.ts';
import type { ShownLink } from '@feierbild/contract/link-preview.ts';
import { PHOTOS_PER_PAGE } from '@feierbild/contract/constants.ts';
import { text } from 'node:stream/consumers';
import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerenderToNodeStream } from 'react-dom/static';
import type { Manifest } from 'vite';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { BRAND } from './brand.ts';
import { addressOf, filesOf } from './build-files.ts';
import { JsonScript, LinkMetadata, SearchMetadata, type KnownSite } from './document-metadata.tsx';
import { Frame } from './frame.tsx';
import { Guest } from './guest-app.tsx';
import { GuestGalleryApp } from './guest-gallery-app.tsx';
import type { Site } from './lib/use-site.ts';
import { FOREIGN, type Foreign } from './languages/foreign.ts';
import { publicPages } from './public-pages.ts';
import { documentDe } from './texts/document.de.ts';
import { t } from './texts/guest/guest.ts';
import { galleryTexts } from './texts/guest/gallery.ts';
import { joining } from './texts/guest/join.ts';
import { shell } from './texts/guest/shell.ts';
import { said, speak } from './texts/speech.ts';
import { Waiting } from './ui/spinner.tsx';

interface Wanted {
  /** The path of the page, or of its document (`documentOf`). */
  path: string;
  site: KnownSite;
  /** The build's manifest, which names the files that a page needs. */
  manifest: Manifest;
  /** The event's palette if the browser renders the page. */
  palette: string | null;
  /** The preview of an event's link in messengers; null for other pages and for people. */
  link: ShownLink | null;
  /** The guest's language; null on pages that are German for all. */
  language: Language | null;
  /** Another language, which a line at the top offers. */
  offered: Language | null;
}

/** The typefaces that pages preload; those for rarer letters are added for the languages that often use them. */
const FONTS = ['src/ui/fonts/display.woff2', 'src/ui/fonts/text.woff2'];
const PACKAGES = '../node_modules/@fontsource-variable';
const RARER = [
  `${PACKAGES}/bricolage-grotesque/files/bricolage-grotesque-latin-ext-wght-normal.woff2`,
  `${PACKAGES}/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-wght-normal.woff2`,
];
/** Other alphabets use the system's typefaces (languages/script.css). */
const FONTS_OF: Partial<Record<Language, string[]>> = { tr: [...FONTS, ...RARER], pl: [...FONTS, ...RARER], ru: [], uk: [], ar: [] };

/** The guests' pages, which have entries of their own, because most visitors come for the first time. */
const GUEST_ENTRIES: Record<string, { name: string; App: ComponentType<{ path: string }> }> = {
  '/event': { name: 'guest', App: Guest },
  '/galerie': { name: 'guest-gallery', App: GuestGalleryApp },
};

const OPENING = 'src/pages/guest-gallery/opening.ts';

/** Returns the address of the first photos exactly as the gallery's list requests it (pages/guest-gallery/visit.ts). */
const firstPhotosOf = (code: string): string =>
  `/api/events/${encodeURIComponent(code)}/photos?${String(new URLSearchParams({ after: '0', per_page: String(PHOTOS_PER_PAGE), view: 'gallery' }))}`;

/** The wall, and the pages that lead to it on somebody else's screen: they have an entry of their own for televisions (wall.ts). */
const WALLS = ['/slideshow', '/leinwand', '/tv'];
const WALL = '/slideshow';

/** Returns the paths for the sitemap. */
export function indexedPaths(): string[] {
  return Object.keys(publicPages).filter((path) => !publicPages[path]?.unlisted);
}

/** Returns the path of a page's document: its own if it is public, `/event` or `/galerie` for events, `/slideshow` for walls, else ''. */
export function documentOf(path: string): string {
  if (path in publicPages) return path;
  const first = `/${path.split('/')[1]}`;
  if (WALLS.includes(first)) return WALL;
  return first in GUEST_ENTRIES ? first : '';
}

/**
 * Renders a document, and tells whether search engines may list it. Public pages and guests' pages of a known event are complete; all
 * others are rendered by the browser.
 */
export async function renderDocument({
  path,
  site: known,
  manifest,
  palette,
  link,
  language: spoken,
  offered,
}: Wanted): Promise<{ html: string; indexed: boolean; style: string }> {
  const site = { ...known, today: berlinDay(Date.now()) };
  const page = publicPages[path];
  const guestEntry = GUEST_ENTRIES[documentOf(path)];
  const drawn = page !== undefined || site.event !== undefined;
  /** The photos of an open gallery are requested while its code loads. */
  const isOpen = site.event !== undefined && 'event' in site.event && site.event.event.gallery?.open === true;
  const photosOf = isOpen && guestEntry?.name === 'guest-gallery' ? (path.split('/')[2] ?? '') : null;
  const entryName = guestEntry?.name ?? 'main';
  const foreign = foreignOf(spoken);
  const language = (foreign && spoken) ?? 'de';
  const modules = [
    // This module sets the language, and then begins the entry.
    ...(foreign ? [`src/languages/${language}/${entryName}.ts`] : []),
    `src/${entryName}.tsx`,
    ...(page?.file ? [`src/pages/${page.file}-page.tsx`] : []),
  ];
  const forWall = documentOf(path) === WALL;
  const { scripts, styles } = forWall ? filesOfWall(manifest) : filesOf(modules, manifest);
  const [entry, ...imports] = scripts;
  // The body is rendered apart from its document, because ids made by React depend on the place in the tree.
  const { body, title } = await inTurn(foreign, async () => ({
    body: drawn ? await draw(path, site) : renderToStaticMarkup(forWall ? <p className="soft">{shell.wait}</p> : <Waiting first />),
    title: titleOf(path, site.event) ?? page?.title ?? BRAND,
  }));
  const { noscript, description } = foreign?.document ?? documentDe;
  const style = known.brand?.accent ? styleOf(known.brand.accent) : '';
  const worn = palette ?? (site.event && 'event' in site.event ? site.event.event.look?.palette : undefined);
  const html = renderToStaticMarkup(
    <html
      lang={language}
      dir={LANGUAGES[language].dir === 'rtl' ? 'rtl' : undefined}
      data-palette={worn ?? undefined}
      data-bar={guestEntry?.name === 'guest' ? '' : undefined}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#faf7f2" />
        {/* Without referrers the browsers of older televisions call the origin of their own requests `null`, which the server refuses. */}
        {forWall && <meta name="referrer" content="same-origin" />}
        <link rel="icon" href="/zeichen.svg" type="image/svg+xml" />
        <link rel="icon" href="/zeichen-192.png" sizes="192x192" type="image/png" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <title>{title === BRAND ? BRAND : `${title} · ${BRAND}`}</title>
        {styles.map((style) => (
          <link key={style} rel="stylesheet" href={style} />
        ))}
        {style && <style dangerouslySetInnerHTML={{ __html: style }} />}
        {/* This script stands before the code, which takes all connections of a browser, and does not wait for the styles. */}
        {photosOf !== null && (
          <script type="module" async src={addressOf(OPENING, manifest)} data-code={photosOf} data-first={firstPhotosOf(photosOf)} />
        )}
        {/* A drawn page can be read without its scripts: one small script loads all others after the first paint. On guests' pages it also
        changes the language before their own code has come. */}
        {drawn || spoken ? (
          <script type="module" async={photosOf !== null} src={addressOf('src/start.ts', manifest)} data-then={scripts.join(' ')} />
        ) : (
          <script type="module" src={entry} />
        )}
        {(drawn || guestEntry) &&
          (FONTS_OF[language] ?? FONTS).map((name) => (
            <link key={name} rel="preload" as="font" type="font/woff2" crossOrigin="" href={addressOf(name, manifest)} />
          ))}
        {!drawn && spoken && <link rel="modulepreload" href={entry} />}
        {(!drawn || photosOf !== null) && imports.map((script) => <link key={script} rel="modulepreload" href={script} />)}
        {!drawn && entryName === 'guest' && <meta name="description" content={description} />}
        {link && <LinkMetadata link={link} origin={site.origin} />}
        {page?.description && <SearchMetadata path={path} title={title} description={page.description} site={site} />}
      </head>
      <body>
        {offered && <Offer language={offered} />}
        {/* The browser hydrates a page that the server drew. */}
        <div id="root" data-drawn={drawn ? '' : undefined} dangerouslySetInnerHTML={{ __html: body }} />
        <JsonScript id="site" type="application/json" value={site} />
        <noscript>
          <p>{noscript}</p>
        </noscript>
        {spoken && <Languages shown={language} />}
      </body>
    </html>,
  );
  return { html: `<!doctype html>${html}`, indexed: page !== undefined && !page.unlisted, style };
}

/** Returns the wall's files, which are built apart from the others (wall-build.ts). */
const filesOfWall = (manifest: Manifest) => ({
  scripts: [addressOf('src/wall.ts', manifest)],
  styles: [addressOf('src/wall.css', manifest)],
});

/** Returns the style of the operator's colour for pages without a palette. The document contains it, so that no other colour flashes. */
function styleOf(colour: string): string {
  const { accent, deep, soft, light } = tones(colour);
  return `html:not([data-palette]){--accent:${accent};--accent-deep:${deep};--accent-soft:${soft};--accent-light:${light}}`;
}

/** Returns the title in the language that is being rendered; null where the page's own German title applies. */
function titleOf(path: string, drawn: DrawnEvent | undefined): string | null {
  if (path === '/join' || path === '/securejoin') return joining.title;
  if (path === '/datenschutz') return said<{ title: string } | null>('privacy', null)?.title ?? null;
  if (!drawn) return null;
  if ('refused' in drawn) {
    if (documentOf(path) === '/galerie') return galleryTexts.gallery.noAccess;
    return drawn.refused.fields?.opens_on ? t.page.notOpen : t.page.notFound;
  }
  return drawn.locked ? t.page.password : drawn.event.title;
}

/** The last rendering that began. */
let before: Promise<unknown> = Promise.resolve();

/** Runs renderings one after the other, because the texts of a language are modules' state. */
async function inTurn<T>(foreign: Foreign | null, work: () => Promise<T>): Promise<T> {
  const turn = before.then(async () => {
    speak(foreign?.texts ?? {});
    return work();
  });
  before = turn.catch(() => undefined);
  return turn;
}

/**
 * Offers a page in the language of the visitor's phone. It is a form, because a form, unlike a link, keeps the address's fragment (a
 * gallery's key), even before any code has come. The server adds the address's other parameters (pages.ts).
 */
function Offer({ language }: { language: Language }) {
  const words = foreignOf(language);
  return (
    words && (
      <form method="get" className="offer" lang={language} dir={LANGUAGES[language].dir}>
        <button name="lang" value={language}>
          {words.document.offer}
        </button>
      </form>
    )
  );
}

const foreignOf = (language: Language | null): Foreign | null =>
  language === null || language === 'de' ? null : (FOREIGN[language] ?? null);
const NAMES = Object.entries(LANGUAGES).filter(([language]) => language === 'de' || language in FOREIGN);

/** Lists every language by its own name, at the document's end. */
function Languages({ shown }: { shown: Language }) {
  const { languages } = foreignOf(shown)?.document ?? documentDe;
  return (
    <nav aria-label={languages}>
      <form method="get" className="languages">
        {NAMES.map(([language, { name, dir }]) => (
          <button key={language} name="lang" value={language} lang={language} dir={dir} aria-current={language === shown || undefined}>
            {name}
          </button>
        ))}
      </form>
    </nav>
  );
}

async function draw(path: string, site: Site): Promise<string> {
  const GuestApp = GUEST_ENTRIES[documentOf(path)]?.App;
  const { prelude } = await prerenderToNodeStream(
    <Frame site={site}>
      {GuestApp ? (
        <GuestApp path={path} />
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
