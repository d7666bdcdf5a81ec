import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { handOver } from '../lib/buffer-handover.ts';
import type { Bytes } from '../lib/bytes.ts';
import { decodeText } from '../lib/decode-text.ts';
import { Refusal } from '../lib/errors.ts';
import { decodeHeaderText } from '../lib/header-text.ts';

/** Of a body that comes faster than it is read, so much is kept, and what the system has read besides. */
const AHEAD_BYTES = 128 * 1024;
const MOST_PARTS = 9;
const PART_HEAD_BYTES = 8 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;
const FOLD = /\r\n[ \t]+/g;
/** Lines of a part's head. An expression's own ends of lines (`m`) would be those of names, too: U+2028 is one. */
const DISPOSITION = /(?:^|\n)content-disposition:\s*form-data\s*(;[^\r\n]*)/i;
const TYPE_OF_BYTES = /(?:^|\n)content-type:\s*(?:application\/octet-stream|image\/|video\/)/i;
/** What browsers escape in names (WHATWG), and nothing else. */
const ESCAPED: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' };
const PARAMETER = /;\s*([^=;\s"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs;

/** A part of a form. Its bytes can be read until the next part is asked for. */
export interface FormPart {
  /** Empty where it has none. */
  name: string;
  /** Null of a field. */
  filename: string | null;
  bytes: AsyncIterable<Bytes>;
}

/** Leaves the bodies of forms to their handlers. */
export function takeForms(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  // What a mail program sends to end a kind of mail (RFC 8058) says nothing beyond its address.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined));
}

/** A request's body in pieces as they come, which are handed over. Throws Refusal upload_incomplete where it breaks off. */
export async function* piecesOf(request: IncomingMessage): AsyncGenerator<Bytes> {
  const pieces: Bytes[] = [];
  let aheadBytes = 0;
  let arrived = Promise.withResolvers<void>();
  const wake = (): void => arrived.resolve();
  // Node's own iterator would copy pieces that come together into a new one.
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

/** The parts of a request's form. Throws Refusal file_missing where it has none, invalid_input, upload_incomplete. */
export function formOf({ headers, raw }: FastifyRequest, mostParts?: number): AsyncGenerator<FormPart> {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data/i.test(type)) throw new Refusal('file_missing');
  return readForm(type, piecesOf(raw), mostParts);
}

/**
 * The one file of a multipart form, named `file`, in memory: for small files only. Throws Refusal file_missing, too_large,
 * upload_incomplete, invalid_input.
 */
export async function readFormFile(request: FastifyRequest, maxBytes: number): Promise<Bytes> {
  for await (const part of formOf(request)) {
    // Nothing is read before it: a field has no end of its own.
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

/** The parts of a form of type multipart/form-data (RFC 7578), as its bytes come. */
export async function* readForm(type: string, source: AsyncIterable<Bytes>, mostParts = MOST_PARTS): AsyncGenerator<FormPart> {
  const boundary = parametersOf(type).get('boundary');
  if (!boundary) throw new Refusal('invalid_input');
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const body = source[Symbol.asyncIterator]();
  /** The unread bytes; they begin with a line's end, so that a delimiter at the very beginning follows one, too. */
  let rest: Buffer = Buffer.from('\r\n');
  let inPart = true;

  /** Whether there was more. */
  async function more(): Promise<boolean> {
    const { done, value } = await body.next();
    if (!done) rest = rest.length === 0 ? Buffer.from(value.buffer, value.byteOffset, value.length) : Buffer.concat([rest, value]);
    return !done;
  }

  /** The bytes before a mark; the mark is taken, too. */
  async function* before(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = rest.indexOf(mark);
      const piece = rest.subarray(0, at < 0 ? rest.length - begunLength(rest, mark) : at);
      // A copy, because the reader of the piece may free its buffer.
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
    // Libraries for mail fold long lines.
    return decodeText(Buffer.concat(head)).replaceAll(FOLD, ' ');
  }

  try {
    // A body of no bytes is a form of no parts.
    if (!(await more())) return;
    for (let parts = 0; ; parts++) {
      if (inPart) for await (const _ of before(delimiter));
      while (rest.length < 2) if (!(await more())) throw new Refusal('upload_incomplete');
      if (rest.toString('latin1', 0, 2) === '--') return;
      // Lines that end without a carriage return are no form's: no delimiter would be found, and a repeat would bring the same.
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

/** How many bytes at the end may be the beginning of a mark, which begins with a carriage return. */
function begunLength(bytes: Buffer, mark: Buffer): number {
  let at = bytes.indexOf(CARRIAGE_RETURN, Math.max(0, bytes.length - mark.length + 1));
  while (at >= 0 && bytes.compare(mark, 0, bytes.length - at, at) !== 0) at = bytes.indexOf(CARRIAGE_RETURN, at + 1);
  return at < 0 ? 0 : bytes.length - at;
}

/** The parameters of a header by their names in small letters; `name*` (RFC 8187) replaces `name`. */
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

/** A text whose letters beyond ASCII are escaped in the encoding of this name; of an unknown one it is guessed. */
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
