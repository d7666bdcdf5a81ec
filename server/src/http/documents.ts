import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { ENCODERS } from './compression.ts';

/** The results of the web build: the files that browsers load, and the program that renders the documents. */
export interface BuiltPages {
  folder: string;
  renderer: string;
}

/** What the built program exports (web/src/prerender.tsx). */
interface Renderer {
  documentOf(path: string): string;
  indexedPaths(): string[];
  renderDocument(wanted: { path: string; site: object; manifest: object }): Promise<{ html: string; indexed: boolean }>;
}

/** A document, ready to send. */
export interface PageDocument {
  indexed: boolean;
  etag: string;
  /** The same bytes by content encoding. */
  encodings: Record<'identity' | keyof typeof ENCODERS, Buffer>;
}

/** Names the document for unknown paths; no route has this path. */
const NOT_FOUND_PATH = '/404';

/** How long a rendered event page is reused: many guests open it at the same time. */
const EVENT_CACHE_MS = 60_000;

/** Of documents, which are rendered once and sent often. */
const BROTLI_QUALITY = 6;

/**
 * Renders each public page once a day, and again when the site's data or the build changed. The data's `origin` is the site's
 * public address without a trailing slash, or null. It is never taken from the request, because a visitor could choose it.
 */
export function createDocuments(built: BuiltPages, site: () => { origin: string | null }) {
  const renderer = import(built.renderer) as Promise<Renderer>;
  // Awaited for each page. Without this line a missing build would end the process by an unhandled rejection.
  renderer.catch(() => undefined);
  const manifestFile = join(built.folder, '.vite/manifest.json');
  const drawn = createSingleFlight<PageDocument>({ successMs: Infinity });
  const events = createSingleFlight<PageDocument>({ successMs: EVENT_CACHE_MS });
  let drawnFor = '';

  async function draw(path: string, data: object): Promise<PageDocument> {
    const { renderDocument } = await renderer;
    const { html, indexed } = await renderDocument({
      path,
      site: data,
      manifest: JSON.parse(await readFile(manifestFile, 'utf8')) as object,
    });
    const identity = Buffer.from(html);
    const [gz, br] = await Promise.all([ENCODERS.gzip(identity), ENCODERS.br(identity, BROTLI_QUALITY)]);
    const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
    return { indexed, etag, encodings: { identity, gzip: gz, br } };
  }

  /** The site's data. If they or the build changed, all documents are rendered again. */
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

  async function drawnDocument(path: string): Promise<PageDocument> {
    const data = await currentSite();
    return drawn.run(path, () => draw(path, data));
  }

  return {
    /** The document of a page. Public pages are rendered completely, all others are rendered by the browser. */
    async page(path: string): Promise<PageDocument> {
      const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
      return drawnDocument((await renderer).documentOf(plain));
    },
    /** The guests' page of an event, rendered with the event's data (`event`, see `DrawnEvent`). */
    async event(code: string, event: object): Promise<PageDocument> {
      const data = await currentSite();
      return events.run(`${code} ${JSON.stringify(event)}`, () => draw(`/event/${code}`, { ...data, event }));
    },
    /** The document for unknown paths. */
    missing: (): Promise<PageDocument> => drawnDocument(NOT_FOUND_PATH),
    /** Paths that search engines may list. */
    indexed: async (): Promise<string[]> => (await renderer).indexedPaths(),
  };
}
