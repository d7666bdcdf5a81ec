import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import { isSpokenPage } from '@feierbild/contract/languages.ts';
import type { ShownLink } from '@feierbild/contract/link-preview.ts';
import { isPage, respelledPage } from '@feierbild/contract/pages.ts';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { Refusal } from '../lib/errors.ts';
import { acceptedEncoding, ENCODERS } from './compression.ts';
import { escapeMarkup, sendRefusal } from './errors.ts';
import { maybeLinkCrawler } from './crawlers.ts';
import { LANGUAGE_HEADERS, type GuestLanguage, type Spoken } from './guest-language.ts';
import { allowStyle, CONTACT_POLICY } from './headers.ts';
import { keeping, keptFields } from './kept-query.ts';
import { isNavigation, pathOf } from './request.ts';
import { createReleaseAssets } from './release-assets.ts';

/** The results of the web build: the files that browsers load, and the renderer of the documents. */
export interface BuiltPages {
  folder: string;
  renderer: string;
}

/** Exports of the built renderer (web/src/prerender.tsx). */
interface Renderer {
  documentOf(path: string): string;
  indexedPaths(): string[];
  renderDocument(wanted: {
    path: string;
    site: object;
    palette: string | null;
    link: ShownLink | null;
    language: string | null;
    offered: string | null;
    manifest: object;
  }): Promise<{ html: string; indexed: boolean; style: string }>;
}

/** A document, ready to send. */
interface PageDocument {
  indexed: boolean;
  /** Source for the content security policy that allows the document's style; empty: there is no style. */
  style: string;
  etag: string;
  /** The document's bytes by content encoding. */
  encodings: Record<'identity' | keyof typeof ENCODERS, Buffer>;
}

interface Site {
  /** Returns the data of every page. */
  site(): object;
  /** The site's public address; null: the request's host is used. */
  origin: string | null;
  /** Returns the data that renders an event's page (`DrawnEvent`); null: the browser should render it. */
  eventOf(code: string, visit: { address: string; hasPassword: boolean }): Promise<object | null>;
  /** Preview of an event's link in messengers; null: the code opens nothing. */
  linkOf(code: string): Promise<ShownLink | null>;
  /** Chooses the language of a guest's page. */
  languageOf: GuestLanguage;
  /**
   * Palette of an event's pages (null: the operator's colours), and whether they use the language of a guest's phone; null: there is no
   * such event.
   */
  shownAs(code: string, address: string): Promise<ShownAs | null>;
}

interface ShownAs {
  palette: string | null;
  phone_language: boolean;
}

/** Language of all pages except guests'. */
const GERMAN: Spoken = { language: null, offered: null };

/** Path that names the document for unknown paths; no route has it. */
const NOT_FOUND_PATH = '/404';

/** First parts of the paths of event pages that browsers render. Other pages name an event in `?code=`, if they come from one. */
const OF_EVENTS = new Set(['manage', 'gallery', 'galerie', 'freigabe', 'slideshow']);

/** Time for which a rendered event page is reused: many guests open it at the same time. */
const EVENT_CACHE_MS = 60_000;

/** Quality for documents, which are rendered once and sent often. */
const BROTLI_QUALITY = 6;

/**
 * Serves the built pages, and scripts, styles and fonts of neighbouring releases. A request for a page gets its document. If a call has the
 * same path, only navigations get the document. Navigations to unknown paths get the 404 page. Everything under /api is a call.
 */
export async function servePages(
  app: FastifyInstance,
  built: BuiltPages,
  { site, origin, eventOf, linkOf, languageOf, shownAs }: Site,
): Promise<void> {
  const documents = createDocuments(built, () => ({ ...site(), origin }));
  await app.register(fastifyStatic, {
    root: built.folder,
    index: false,
    // Compressed files are only sent under the name of the original file.
    globIgnore: ['**/*.{br,gz}'],
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const hashed = /[\\/]assets[\\/]/.test(path);
      // Icons and pictures keep their names when they change, so they are not cached for long.
      const still = /\.(avif|webp|png|svg|webmanifest)$/.test(path) ? 'public, max-age=86400' : 'no-cache';
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : still);
    },
  });

  // This release's files have routes of their own, which come before this one.
  const findAsset = createReleaseAssets(built.folder);
  app.get('/assets/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const place = await findAsset(name).catch(() => null);
    if (place === null) reply.callNotFound();
    else reply.sendFile(name, place);
    return reply;
  });

  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return;
    const path = pathOf(request);
    if (!isPage(path)) {
      // The router in the browser ignores upper and lower case.
      const page = request.is404 ? respelledPage(path) : null;
      return page === null ? undefined : reply.redirect(page + request.url.slice(path.length), 301);
    }
    reply.header('vary', 'Accept, User-Agent');
    if (!request.is404 && !isNavigation(request)) return;
    if (path === '/kontakt') reply.header('content-security-policy', CONTACT_POLICY);
    if (request.url !== request.originalUrl) return send(request, reply.code(404), await documents.page(path));
    const speaks = isSpokenPage(path);
    if (speaks) reply.header('vary', `Accept, Accept-Encoding, User-Agent, ${LANGUAGE_HEADERS}`);
    const event = await eventPage(request, path, (ofEvent) => languageOf(request, reply, ofEvent));
    // Only this browser may cache event pages.
    if (event) return send(request, reply, event, 'private, no-cache');
    const shown = await shownOf(request, path);
    const spoken = speaks ? languageOf(request, reply, shown?.phone_language) : GERMAN;
    const palette = shown?.palette ?? null;
    return send(request, reply, await documents.page(path, spoken, palette), palette === null ? undefined : 'private, no-cache');
  });

  /** Renders the guests' page or gallery of an event. Null: another page, or the browser should render it. */
  async function eventPage(request: FastifyRequest, path: string, spokenOf: (ofEvent: boolean) => Spoken): Promise<PageDocument | null> {
    const [, first, ref, ...rest] = path.split('/');
    if ((first !== 'event' && first !== 'galerie') || !ref || rest.some(Boolean)) return null;
    const code = cleanEventCode(decodeURIComponent(ref));
    // The gallery's link is its key.
    const hasPassword = first === 'galerie' || Boolean((request.query as { password?: string }).password);
    const event = await eventOf(code, { address: request.ip, hasPassword });
    if (!event) return null;
    const link = 'event' in event ? await shownLink(request, code) : null;
    // All wrong codes get the same page.
    return documents.event(`/${first}/${'event' in event ? code : 'unbekannt'}`, event, spokenOf('phone_language' in event), link);
  }

  /** Returns a messenger's preview of an event's link; null for people's browsers, and while the database is down. */
  async function shownLink(request: FastifyRequest, code: string): Promise<ShownLink | null> {
    return maybeLinkCrawler(request) ? linkOf(code).catch(() => null) : null;
  }

  /** Finds the look of the event of a page. While the database is down, the page looks as without an event. */
  async function shownOf(request: FastifyRequest, path: string): Promise<ShownAs | null> {
    const [, first = '', inPath = ''] = path.split('/');
    const { code } = request.query as { code?: unknown };
    const ofEvent = OF_EVENTS.has(first);
    const named = ofEvent ? inPath : isSpokenPage(path) && typeof code === 'string' ? code : '';
    if (!isEventCode(cleanEventCode(named))) return null;
    const shown = await shownAs(named, request.ip).catch(() => null);
    return shown && { ...shown, palette: ofEvent ? shown.palette : null };
  }

  app.setNotFoundHandler(async (request, reply) => {
    if (isNavigation(request) && !pathOf(request).startsWith('/api')) {
      return send(request, reply.code(404), await documents.missing());
    }
    return sendRefusal(request, reply, new Refusal('not_found'));
  });

  const originOf = (request: FastifyRequest): string => origin ?? `${request.protocol}://${request.host}`;
  app.get('/robots.txt', async (request, reply) => {
    return reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nAllow: /api/link-previews/\nDisallow: /api/\n\nSitemap: ${originOf(request)}/sitemap.xml\n`);
  });
  app.get('/sitemap.xml', async (request, reply) => {
    const urls = (await documents.indexed()).map((path) => `<url><loc>${escapeMarkup(originOf(request) + path)}</loc></url>`);
    return reply.type('application/xml; charset=utf-8').send(`${XML_HEAD}<urlset xmlns="${SITEMAP}">${urls.join('')}</urlset>\n`);
  });
}

/** Returns a source of the content security policy that allows this text alone. */
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Makes an entity tag of these contents. */
const markOf = (contents: string | Buffer): string => `"${createHash('sha256').update(contents).digest('base64url').slice(0, 22)}"`;

const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { indexed, style, etag: drawn, encodings }: PageDocument,
  caching = 'no-cache',
): Promise<FastifyReply> {
  const vary = String(reply.getHeader('vary') ?? '');
  const isSpoken = vary.includes(LANGUAGE_HEADERS);
  const kept = isSpoken ? keptFields(request.url) : '';
  const etag = kept === '' ? drawn : markOf(drawn + kept);
  reply.headers({ vary: isSpoken ? vary : 'Accept, Accept-Encoding, User-Agent', 'cache-control': caching, etag });
  if (style) reply.header('content-security-policy', allowStyle(String(reply.getHeader('content-security-policy')), style));
  if (!indexed) reply.header('x-robots-tag', 'noindex, nofollow');
  if (reply.statusCode === 200 && request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  const encoding = acceptedEncoding(request) ?? 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  reply.type('text/html; charset=utf-8');
  if (kept === '') return reply.send(encodings[encoding]);
  // This document is not cached: visitors choose its contents by their address.
  const html = Buffer.from(keeping(encodings.identity.toString(), kept));
  return reply.send(encoding === 'identity' ? html : await ENCODERS[encoding](html));
}

/**
 * Renders each public page once a day, and again when the site's data or the build changed. The data's `origin` is the site's
 * public address without a trailing slash, or null. It is never taken from the request, because a visitor could choose it.
 */
function createDocuments(built: BuiltPages, site: () => { origin: string | null }) {
  const renderer = import(built.renderer) as Promise<Renderer>;
  // The import is awaited for each page. Without this line a missing build would end the process by an unhandled rejection.
  renderer.catch(() => undefined);
  const manifestFile = join(built.folder, '.vite/manifest.json');
  const drawn = createSingleFlight<PageDocument>({ successMs: Infinity });
  const events = createSingleFlight<PageDocument>({ successMs: EVENT_CACHE_MS });
  let drawnFor = '';

  async function draw(path: string, data: object, spoken: Spoken, palette: string | null, link: ShownLink | null): Promise<PageDocument> {
    const { renderDocument } = await renderer;
    const { html, indexed, style } = await renderDocument({
      path,
      site: data,
      palette,
      link,
      ...spoken,
      manifest: JSON.parse(await readFile(manifestFile, 'utf8')) as object,
    });
    const identity = Buffer.from(html);
    const [gz, br] = await Promise.all([ENCODERS.gzip(identity), ENCODERS.br(identity, BROTLI_QUALITY)]);
    return { indexed, style: style && hashOf(style), etag: markOf(identity), encodings: { identity, gzip: gz, br } };
  }

  /** Returns the site's data. If they or the build changed, all documents are rendered again. */
  async function currentSite(): Promise<object> {
    const data = site();
    const madeAt = (await stat(manifestFile)).mtimeMs;
    const wanted = `${madeAt} ${berlinDay(Date.now())} ${JSON.stringify(data)}`;
    if (wanted !== drawnFor) {
      drawn.forget();
      events.forget();
      drawnFor = wanted;
    }
    return data;
  }

  async function drawnDocument(path: string, spoken = GERMAN, palette: string | null = null): Promise<PageDocument> {
    const data = await currentSite();
    return drawn.run(`${path} ${palette} ${JSON.stringify(spoken)}`, () => draw(path, data, spoken, palette, null));
  }

  return {
    /** Returns the document of a page. Public pages are rendered completely, all others are rendered by the browser. */
    async page(path: string, spoken = GERMAN, palette: string | null = null): Promise<PageDocument> {
      const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
      return drawnDocument((await renderer).documentOf(plain), spoken, palette);
    },
    /** Renders a guests' page with the event's data (`event`, see `DrawnEvent`). */
    async event(path: string, event: object, spoken: Spoken, link: ShownLink | null): Promise<PageDocument> {
      const data = await currentSite();
      return events.run(`${path} ${JSON.stringify([event, spoken, link])}`, () => draw(path, { ...data, event }, spoken, null, link));
    },
    /** Returns the document for unknown paths. */
    missing: (): Promise<PageDocument> => drawnDocument(NOT_FOUND_PATH),
    /** Lists the paths that search engines may list. */
    indexed: async (): Promise<string[]> => (await renderer).indexedPaths(),
  };
}
