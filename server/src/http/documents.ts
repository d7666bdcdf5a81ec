import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { berlinDay } from '@feierbild/contract/berlin.ts';

/** Where the build put the pages: what browsers load, and the program that draws public pages. */
export interface BuiltPages {
  folder: string;
  renderer: string;
}

/** What the built program offers (web/src/prerender.tsx). */
interface Renderer {
  isPublicPage(path: string): boolean;
  indexedPaths(): string[];
  renderPage(wanted: Wanted): Promise<{ html: string; indexed: boolean }>;
  sharedDocument(path: string): string;
  emptyPage(wanted: Wanted): string;
}

interface Wanted {
  path: string;
  site: object;
  template: string;
  manifest: object;
}

/** A document, ready to send. */
export interface PageDocument {
  indexed: boolean;
  etag: string;
  /** The same bytes by content encoding. */
  encodings: { identity: Buffer; gzip: Buffer; br: Buffer };
}

export interface Documents {
  /** The document of a page; public ones are complete, all others are drawn by the browser. */
  page(path: string): Promise<PageDocument>;
  /** What unknown paths get. */
  missing(): Promise<PageDocument>;
  /** Paths that search engines may list. */
  indexed(): Promise<string[]>;
}

/** No route has this path. */
const MISSING = '/404';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Draws each public page once a day, and again when the site's data or the build changed. The data's `origin` is the site's
 * public address, without a slash at its end, or null; never the request's, which a visitor could choose.
 */
export function createDocuments(built: BuiltPages, { site }: { site(): { origin: string | null } }): Documents {
  const renderer = import(built.renderer) as Promise<Renderer>;
  // Awaited where a page is asked for; without this a missing build would end the process before it can say so.
  renderer.catch(() => undefined);
  const file = join(built.folder, 'index.html');
  const drawn = new Map<string, Promise<PageDocument>>();
  let drawnFor = '';

  async function draw(path: string, data: object): Promise<PageDocument> {
    const [template, manifest] = await Promise.all([readFile(file, 'utf8'), readFile(join(built.folder, '.vite/manifest.json'), 'utf8')]);
    const { isPublicPage, renderPage, emptyPage } = await renderer;
    const wanted = { path, site: data, template, manifest: JSON.parse(manifest) as object };
    const { html, indexed } =
      isPublicPage(path) || path === MISSING ? await renderPage(wanted) : { html: emptyPage(wanted), indexed: false };
    const identity = Buffer.from(html);
    const [gz, br] = await Promise.all([
      zip(identity),
      brotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } }),
    ]);
    const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
    return { indexed, etag, encodings: { identity, gzip: gz, br } };
  }

  async function documentOf(path: string): Promise<PageDocument> {
    const data = site();
    const madeAt = (await stat(file)).mtimeMs;
    const current = `${madeAt} ${berlinDay(Date.now())} ${JSON.stringify(data)}`;
    if (current !== drawnFor) {
      drawn.clear();
      drawnFor = current;
    }
    let document = drawn.get(path);
    if (!document) {
      document = draw(path, data);
      drawn.set(path, document);
      document.catch(() => drawn.delete(path));
    }
    return document;
  }

  return {
    async page(path) {
      const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
      const { isPublicPage, sharedDocument } = await renderer;
      return documentOf(isPublicPage(plain) ? plain : sharedDocument(plain));
    },
    missing: () => documentOf(MISSING),
    indexed: async () => (await renderer).indexedPaths(),
  };
}
