import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { handOver } from '../lib/buffer-handover.ts';
import type { Bytes } from '../lib/bytes.ts';
import { decodeText } from '../lib/decode-text.ts';
import { Refusal } from '../lib/errors.ts';
import { decodeHeaderText } from '../lib/header-text.ts';

/** Bytes buffered of a body that comes faster than it is read, beside those in the system's buffer. */
const AHEAD_BYTES = 128 * 1024;
const MOST_PARTS = 9;
const PART_HEAD_BYTES = 8 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;
const FOLD = /\r\n[ \t]+/g;
/** The expressions match lines of a part's head. They avoid the flag `m`, for which U+2028 in a name would end a line, too. */
const DISPOSITION = /(?:^|\n)content-disposition:\s*form-data\s*(;[^\r\n]*)/i;
const TYPE_OF_BYTES = /(?:^|\n)content-type:\s*(?:application\/octet-stream|image\/|video\/)/i;
/** The only escapes that browsers use in names (WHATWG). */
const ESCAPED: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' };
const PARAMETER = /;\s*([^=;\s"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs;

/** A part of a form. Its bytes can be read until the next part is requested. */
export interface FormPart {
  /** Empty if the part has no name. */
  name: string;
  /** Null for a field. */
  filename: string | null;
  bytes: AsyncIterable<Bytes>;
}

/** Leaves the bodies of forms to their handlers. */
export function takeForms(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  // A mail program's form to unsubscribe (RFC 8058) adds nothing to the address.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined));
}

/** Yields a request's body in handed-over pieces as they come. Throws Refusal upload_incomplete if it breaks off. */
export async function* piecesOf(request: IncomingMessage): AsyncGenerator<Bytes> {
  const pieces: Bytes[] = [];
  let aheadBytes = 0;
  let arrived = Promise.withResolvers<void>();
  const wake = (): void => arrived.resolve();
  // Node's own iterator would copy pieces that arrive together into a new one.
  const keep = (piece: Bytes): void => {
    pieces.push(piece);
    aheadBytes += piece.length;
    if (aheadBytes > AHEAD_BYTES) request.pause();
    wake();
  };
  request.on('data', keep).on('end', wake).on('close', wake);
  try {
    for (;;) {
      const piece = pieces.shift();
      if (piece) {
        aheadBytes -= piece.length;
        if (aheadBytes <= AHEAD_BYTES / 2) request.resume();
        yield handOver(piece);
      } else if (request.readableEnded) return;
      else if (request.destroyed) throw new Refusal('upload_incomplete', { cause: request.errored });
      else {
        await arrived.promise;
        arrived = Promise.withResolvers();
      }
    }
  } finally {
    request.off('data', keep).off('end', wake).off('close', wake);
    if (!request.readableEnded) request.pause();
  }
}

/** Reads the parts of a request's form. Throws Refusal file_missing if the request has no form, invalid_input, upload_incomplete. */
export function formOf({ headers, raw }: FastifyRequest, mostParts?: number): AsyncGenerator<FormPart> {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data/i.test(type)) throw new Refusal('file_missing');
  return readForm(type, piecesOf(raw), mostParts);
}

/**
 * Reads the only file of a multipart form, named `file`, into memory: for small files. Throws Refusal file_missing, too_large,
 * upload_incomplete, invalid_input.
 */
export async function readFormFile(request: FastifyRequest, maxBytes: number): Promise<Bytes> {
  for await (const part of formOf(request)) {
    // The file must come first: fields before it could be of any length.
    if (part.name !== 'file' || part.filename === null) break;
    const pieces: Bytes[] = [];
    let size = 0;
    for await (const piece of part.bytes) {
      size += piece.length;
      if (size > maxBytes) throw new Refusal('too_large');
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
  throw new Refusal('file_missing');
}

/** Yields the parts of a form of type multipart/form-data (RFC 7578), as its bytes come. */
export async function* readForm(type: string, source: AsyncIterable<Bytes>, mostParts = MOST_PARTS): AsyncGenerator<FormPart> {
  const boundary = parametersOf(type).get('boundary');
  if (!boundary) throw new Refusal('invalid_input');
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const body = source[Symbol.asyncIterator]();
  /** The unread bytes. They start with a line break, so that a delimiter at the very beginning follows one, too. */
  let rest: Buffer = Buffer.from('\r\n');
  let inPart = true;

  /** Reads on; false at the end of the body. */
  async function more(): Promise<boolean> {
    const { done, value } = await body.next();
    if (!done) rest = rest.length === 0 ? Buffer.from(value.buffer, value.byteOffset, value.length) : Buffer.concat([rest, value]);
    return !done;
  }

  /** Yields the bytes before a mark; consumes the mark, too. */
  async function* before(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = rest.indexOf(mark);
      const piece = rest.subarray(0, at < 0 ? rest.length - begunLength(rest, mark) : at);
      // The reader of the piece may free its buffer, so the rest is copied.
      rest = Buffer.from(rest.subarray(at < 0 ? piece.length : at + mark.length));
      if (at >= 0) inPart = false;
      if (piece.length > 0) yield piece;
      if (at >= 0) return;
      if (!(await more())) throw new Refusal('upload_incomplete');
    }
  }

  async function readHead(): Promise<string> {
    const head: Buffer[] = [];
    let length = 0;
    for await (const piece of before(HEAD_END)) {
      head.push(piece);
      length += piece.length;
      if (length > PART_HEAD_BYTES) throw new Refusal('invalid_input');
    }
    // Mail libraries fold long lines.
    return decodeText(Buffer.concat(head)).replaceAll(FOLD, ' ');
  }

  try {
    // An empty body is a form without parts.
    if (!(await more())) return;
    for (let parts = 0; ; parts++) {
      if (inPart) for await (const _ of before(delimiter));
      while (rest.length < 2) if (!(await more())) throw new Refusal('upload_incomplete');
      if (rest.toString('latin1', 0, 2) === '--') return;
      // A form's lines end with a carriage return. Without it no delimiter would be found, and a retry would fail again.
      if (parts === mostParts || rest[0] === LINE_FEED) throw new Refusal('invalid_input');
      const head = await readHead();
      const found = parametersOf(DISPOSITION.exec(head)?.[1] ?? '');
      const isBytes = TYPE_OF_BYTES.test(head);
      inPart = true;
      yield { name: found.get('name') ?? '', filename: found.get('filename') ?? (isBytes ? '' : null), bytes: before(delimiter) };
    }
  } finally {
    await body.return?.();
  }
}

/** Counts the bytes at the end that may begin a mark, which starts with a carriage return. */
function begunLength(bytes: Buffer, mark: Buffer): number {
  let at = bytes.indexOf(CARRIAGE_RETURN, Math.max(0, bytes.length - mark.length + 1));
  while (at >= 0 && bytes.compare(mark, 0, bytes.length - at, at) !== 0) at = bytes.indexOf(CARRIAGE_RETURN, at + 1);
  return at < 0 ? 0 : bytes.length - at;
}

/** Parses the parameters of a header by lower-case name; `name*` (RFC 8187) replaces `name`. */
function parametersOf(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of header.matchAll(PARAMETER))
    found.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1').replace(/%(?:22|0[DA])/gi, unescaped) ?? plain.trim());
  for (const [name, value] of found) {
    if (!name.endsWith('*')) continue;
    const [, letters = '', encoded = value] = /^([^']*)'[^']*'(.*)$/.exec(value) ?? [];
    found.set(name.slice(0, -1), /^(?:utf-8)?$/i.test(letters) ? decodeHeaderText(encoded) : decodeEscaped(encoded, letters));
  }
  return found;
}

const unescaped = (sign: string): string => ESCAPED[sign.toUpperCase()] as string;

/** Decodes a text whose non-ASCII letters are percent-encoded in this encoding; an unknown encoding is guessed. */
function decodeEscaped(text: string, encoding: string): string {
  const bytes = Buffer.from(
    text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return decodeText(bytes);
  }
}
