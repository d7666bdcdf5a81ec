import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dropRest, withConnection } from '../../http/body.ts';
import { namesValidator, sendBytes } from '../../http/byte-answer.ts';
import { piecesOf } from '../../http/form.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { Refusal } from '../../lib/errors.ts';
import { collect } from '../../lib/stages.ts';
import type { Photos } from '../photos/photos.ts';
import { anyFile } from './dav-media.ts';
import type { Booth, Dav } from './dav.ts';
import { cleanPath } from './dav-names.ts';
import type { DavFile } from './dav-sessions.ts';
import { allSet, lockAnswer, multistatus, readProps } from './dav-xml.ts';

/** Most bytes of a body that is read whole, XML or JSON. */
const TEXT_BYTES = 64 * 1024;
/** Validity of a lock; clients renew it before. */
const LOCK_S = 3600;
const XML = 'application/xml; charset=utf-8';
const OWN_METHODS = ['PROPFIND', 'PROPPATCH', 'MKCOL', 'MOVE', 'LOCK', 'UNLOCK'];
const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', ...OWN_METHODS];
/** Methods of WebDAV and its extensions that are refused after the login, with our sentence. */
const REFUSED_METHODS = ['PATCH', 'COPY', 'REPORT', 'SEARCH', 'ACL', 'BIND', 'REBIND', 'UNBIND', 'MKCALENDAR'];
const LEVELS = { dav: '1, 2', 'ms-author-via': 'DAV', allow: ['OPTIONS', ...METHODS].join(', ') };

interface Deps {
  dav: Dav;
  photos: Pick<Photos, 'read'>;
  /** Whether only https is served. */
  secure: boolean;
}

/** One request of a booth; `path` is in the event's folder, `root` is that folder's address. */
interface Visit {
  booth: Booth;
  path: string;
  root: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Binds WebDAV (RFC 4918) at `/dav/{eventCode}/`, as far as the software of photo booths uses it (docs/fotobox.md). The protocol is outside
 * of the contract: a refusal answers its code's status, and its sentence as text.
 */
export async function davRoutes(app: FastifyInstance, { dav, photos, secure }: Deps): Promise<void> {
  for (const method of [...OWN_METHODS, ...REFUSED_METHODS])
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  // Windows first asks the server's root whether it speaks WebDAV.
  app.route({ method: 'OPTIONS', url: '/', handler: async (_, reply) => reply.headers(LEVELS).code(200).send() });

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Handlers read the bodies themselves.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const config = { textErrors: true };
    for (const url of ['/dav', '/dav/', '/dav/:code', '/dav/:code/*']) {
      scope.route({ method: 'OPTIONS', url, config, handler: async (_, reply) => reply.headers(LEVELS).code(200).send() });
      scope.route({
        method: [...METHODS, ...REFUSED_METHODS],
        url,
        config,
        exposeHeadRoute: false,
        handler: (request, reply) => answer(request, reply).finally(() => dropRest(request)),
      });
    }
  });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store');
    if (secure && request.protocol !== 'https') throw new Refusal('https_required');
    const { code } = request.params as { code?: string };
    const onlySends = request.method === 'POST';
    const basic = basicOf(request.headers.authorization) ?? (onlySends ? inAddress(request, code) : null);
    // Windows walks down from `/dav`, where no code is in the address; the user's name then tells the event.
    const login = { code: code ?? basic?.user ?? '', basic, address: request.ip, software: request.headers['user-agent'] ?? '', onlySends };
    const booth = await dav.open(login).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'booth_login')
        reply.header('www-authenticate', 'Basic realm="Feierbild", charset="UTF-8"');
      throw error;
    });
    const root = code === undefined ? '/dav' : `/dav/${encodeURIComponent(code)}`;
    const visit = { booth, path: pathIn(request.originalUrl), root, request, reply };
    if ((code === undefined && request.method !== 'PROPFIND') || REFUSED_METHODS.includes(request.method))
      throw new Refusal('booth_forbidden');
    if (['DELETE', 'MOVE'].includes(request.method)) mustBeMeant(visit);
    switch (request.method) {
      case 'PROPFIND':
        return propfind(visit, code === undefined);
      case 'PROPPATCH':
        return sendXml(reply.code(207), allSet(hrefOf(visit, visit.path, false), readProps(await readText(request)) ?? []));
      case 'PUT':
        return put(visit);
      case 'POST':
        return post(visit);
      case 'MKCOL':
        dav.makeFolder(booth, visit.path);
        return reply.code(201).send();
      case 'MOVE':
        return move(visit);
      case 'DELETE':
        await dav.remove(booth, visit.path);
        return reply.code(204).send();
      case 'LOCK':
        return lock(visit);
      case 'UNLOCK':
        return reply.code(204).send();
      default:
        return get(visit);
    }
  }

  /** Checks `If-Match`. Not called for `PUT`: a picture never replaces another, and a forgotten folder matches nothing. */
  function mustBeMeant({ booth, path, request }: Visit): void {
    const wanted = request.headers['if-match'];
    if (wanted === undefined) return;
    const [found] = dav.list(booth, path, 0) ?? [];
    if (!found || !namesValidator(wanted, `"${etagOf(found[1])}"`)) throw new Refusal('file_changed');
  }

  async function propfind(visit: Visit, alone: boolean): Promise<FastifyReply> {
    // RFC 4918 takes a missing depth for infinity; here it means 1.
    const { depth = '1' } = visit.request.headers;
    const [, steps, isWithoutRoot] = /^(?:([01])|1(, ?noroot))$/i.exec(String(depth)) ?? [];
    const wanted = readProps(await readText(visit.request));
    if (!steps && !isWithoutRoot) throw new Refusal('booth_forbidden');
    const found = dav.list(visit.booth, visit.path, alone || steps === '0' ? 0 : 1);
    if (!found) throw new Refusal('not_found');
    const shown = found.slice(isWithoutRoot ? 1 : 0).map(([path, file]) => {
      const { size, modified, folder } = file;
      return { href: hrefOf(visit, path, folder), size, modified, folder, etag: etagOf(file) };
    });
    return sendXml(visit.reply.code(207), Readable.from(multistatus(shown, wanted)));
  }

  async function put({ booth, path, request, reply }: Visit): Promise<FastifyReply> {
    const isNew = await withConnection(request, reply, (connection, length) => {
      const contentLength = request.headers['transfer-encoding'] === undefined ? (length ?? 0) : null;
      const isNewName = request.headers['if-none-match'] === '*';
      const isPart = request.headers['content-range'] !== undefined;
      return dav.put(booth, { path, contentLength, connection, isNewName, isPart, bytes: piecesOf(request.raw) });
    });
    return reply.code(isNew ? 201 : 204).send();
  }

  /** Stores a picture from software that has no folder: a form with the picture, or a report in JSON with its address. */
  async function post({ booth, request, reply }: Visit): Promise<FastifyReply> {
    const type = request.headers['content-type'] ?? '';
    const isForm = /^multipart\/form-data/i.test(type);
    const stored = isForm
      ? await withConnection(request, reply, (connection, contentLength) =>
          dav.takeForm(booth, { form: anyFile(request), contentLength, connection }),
        )
      : await dav.takeReported(booth, jsonOf(await readText(request, /json/i.test(type) ? 'too_large' : 'file_missing')));
    return reply.code(stored.status).type('text/plain; charset=utf-8').send('OK\n');
  }

  async function move({ booth, path, request, reply }: Visit): Promise<FastifyReply> {
    const { destination = '', overwrite } = request.headers;
    const { pathname = '' } = URL.parse(escaped(String(destination)), 'http://here') ?? {};
    const [, dir = '', code = ''] = pathname.split('/').map(decoded);
    if (dir !== 'dav' || cleanEventCode(code) !== booth.event.code) throw new Refusal('booth_forbidden');
    const isNew = await dav.move(booth, path, pathIn(pathname), !/^f$/i.test(String(overwrite)));
    return reply.code(isNew ? 201 : 204).send();
  }

  async function lock(visit: Visit): Promise<FastifyReply> {
    const { request, reply, path } = visit;
    readProps(await readText(request));
    // A client that renews a lock names it in `If`.
    const token = /<((?:urn|opaquelocktoken):[\w:-]{1,100})>/.exec(String(request.headers.if ?? ''))?.[1] ?? `urn:uuid:${randomUUID()}`;
    reply.header('lock-token', `<${token}>`);
    return sendXml(reply.code(200), lockAnswer(hrefOf(visit, path, false), token, LOCK_S));
  }

  async function get({ booth, path, request, reply }: Visit): Promise<FastifyReply> {
    const [file] = dav.list(booth, path, 0) ?? [];
    if (file?.[1].folder || (file?.[1].size === 0 && file[1].photoId === null)) return reply.code(200).send('');
    const found = await dav.photo(booth, path);
    const { id, type, size } = found.row;
    return sendBytes(reply, request, {
      type,
      size,
      etag: id,
      headers: { 'cache-control': 'no-store' },
      open: (range) => photos.read(found, 'original', range),
    });
  }
}

function sendXml(reply: FastifyReply, xml: string | Readable): FastifyReply {
  return reply.type(XML).send(xml);
}

const etagOf = ({ photoId, modified }: DavFile): string => photoId ?? String(modified);

/** Returns a path's address; that of a folder ends with a slash. */
function hrefOf({ root }: Pick<Visit, 'root'>, path: string, folder: boolean): string {
  const parts = path === '' ? [] : path.split('/').map((name) => encodeURIComponent(name).replaceAll("'", '%27'));
  return [root, ...parts].join('/') + (folder ? '/' : '');
}

/** Reads a body as text. Throws Refusal `tooLong` beyond TEXT_BYTES. */
async function readText(request: FastifyRequest, tooLong: ErrorCode = 'too_large'): Promise<string> {
  let left = TEXT_BYTES;
  async function* bounded(): AsyncGenerator<Bytes> {
    for await (const piece of piecesOf(request.raw)) {
      left -= piece.length;
      if (left < 0) throw new Refusal(tooLong);
      yield piece;
    }
  }
  return decodeText(await collect(bounded()));
}

/** Parses a report. Throws Refusal `file_missing` for anything but JSON, such as a bare picture. */
function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) throw new Refusal('file_missing');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refusal('invalid_input', { cause });
  }
}

/** Reads the password from the address, for software that has no other setting. */
function inAddress({ query }: FastifyRequest, code: string | undefined): { user: string; password: string } | null {
  const { password } = query as { password?: string | string[] };
  return code !== undefined && typeof password === 'string' ? { user: code, password: password.normalize('NFC') } : null;
}

/** Reads Basic authentication (RFC 7617); names and passwords in UTF-8, or as Windows writes them. */
function basicOf(header: string | undefined): { user: string; password: string } | null {
  const [, base64] = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(header ?? '') ?? [];
  const [, user, password] = /^([^:]*):(.*)$/s.exec(decodeText(Buffer.from(base64 ?? '', 'base64'))) ?? [];
  return user === undefined || password === undefined ? null : { user, password: password.normalize('NFC') };
}

/** Decodes a path's escaped bytes as UTF-8 or, from old programs, as Windows-1252. */
function decoded(path: string): string {
  const bytes = path.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeText(Buffer.from(bytes, 'latin1'));
}

/** Escapes an address's bytes beyond ASCII, which some programs leave as they are. */
function escaped(address: string): string {
  return address.replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}

/** Returns the path of an address after `/dav/{eventCode}/`. */
function pathIn(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return cleanPath(decoded(path.split('/').slice(3).join('/')));
}
