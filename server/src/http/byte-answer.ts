import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { free } from '../lib/buffer-handover.ts';
import type { Bytes } from '../lib/bytes.ts';
import { Refusal } from '../lib/errors.ts';

/** Bytes read ahead of a client that is slower than the source: two segments of a sealed blob. */
const READ_AHEAD_BYTES = 512 * 1024;

/** Least speed of reading clients (4 KB/s); clients that are slower for long are disconnected. */
const MIN_BYTES_PER_MS = 4;

/** Bytes [start, end). */
export interface ByteRange {
  start: number;
  end: number;
}

interface ByteHead {
  type: string;
  /** Strong validator, without quotes. */
  etag: string;
  /** Name of the attachment; unset: the answer is none. */
  filename?: string | undefined;
  /** Further headers, Cache-Control among them. */
  headers?: Record<string, string>;
}

export interface ByteSource {
  /** Bytes of the whole source. */
  size: number;
  /**
   * Yields exactly the bytes of the range; handed-over pieces are freed once they are sent. Called only if a body is sent: not for HEAD,
   * 304 or 416.
   */
  open(range: ByteRange): AsyncIterable<Bytes>;
  /** Called once all bytes of the range went out, which is later than their reading by what is buffered. */
  sent?(range: ByteRange): Promise<void>;
}

/**
 * `make` produces expensive bytes, only if a body is sent; HEAD then has no length. `gone` aborts when the client has left. `instead`
 * returns the answer if the source cannot be opened, or throws the meaning of that error.
 */
export type ByteAnswer = ByteHead &
  (ByteSource | { make(gone: AbortSignal): Promise<ByteSource> }) & { instead?(error: unknown): Promise<ByteAnswer> };

/**
 * Answers GET and HEAD with bytes: 200, 206 (one range), 304 (If-None-Match) or Refusal range_unsatisfiable.
 * The first piece is read before the headers are sent, so that a source that cannot be opened gives an error answer; a later
 * failure cuts the connection. The source is closed when the client disconnects or reads too slowly.
 */
export async function sendBytes(reply: FastifyReply, request: FastifyRequest, answer: ByteAnswer): Promise<FastifyReply> {
  return send(reply, request, answer).catch(async (error: unknown) => {
    if (!answer.instead) throw error;
    return sendBytes(reply, request, await answer.instead(error));
  });
}

async function send(reply: FastifyReply, request: FastifyRequest, answer: ByteAnswer): Promise<FastifyReply> {
  const etag = `"${answer.etag}"`;
  const head = {
    etag,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    ...answer.headers,
  };
  if (namesValidator(request.headers['if-none-match'], etag)) return reply.code(304).headers(head).send();

  const content = {
    ...head,
    'content-type': answer.type,
    ...(answer.filename !== undefined && { 'content-disposition': attachment(answer.filename) }),
  };
  if (request.method === 'HEAD') {
    if ('size' in answer) reply.header('content-length', String(answer.size));
    return reply.headers(content).send(Readable.from([]));
  }

  const source = 'make' in answer ? await answer.make(goneOf(reply.raw)) : answer;
  const { size } = source;
  const range = wantedRange(request, etag, size);
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw new Refusal('range_unsatisfiable');
  }
  const { start, end } = range === 'whole' ? { start: 0, end: size } : range;
  const body = await openBody(source, { start, end }, reply.raw);
  const noted = (): unknown =>
    source.sent?.({ start, end }).catch((error: unknown) => request.log.error({ err: error }, 'a sent answer was not noted'));
  reply.raw.once('finish', noted);

  reply.code(range === 'whole' ? 200 : 206).headers({ ...content, 'content-length': String(end - start) });
  if (range !== 'whole') reply.header('content-range', `bytes ${start}-${end - 1}/${size}`);
  return reply.send(body);
}

/**
 * Builds `Content-Disposition: attachment` with a file name (RFC 6266): an ASCII form for old clients and the full name by RFC 8187. The
 * name must not contain paths or control characters (see features/photos/file-names.ts).
 */
export function attachment(filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Tells whether a header such as If-None-Match contains the validator (weak comparison, RFC 9110 § 13.1.2). */
export function namesValidator(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((name) => name.trim().replace(/^W\//, '') === etag);
}

/** Returns a signal that aborts when the connection of an answer closes. */
export function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => gone.abort(new Refusal('unavailable'));
  if (response.destroyed) leave();
  else response.once('close', leave);
  return gone.signal;
}

/** Parses the requested range. Several ranges, other units and malformed ranges are ignored, as RFC 9110 § 14.2 allows. */
function wantedRange(request: FastifyRequest, etag: string, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  // Spaces are allowed behind digits only: two adjacent runs of them would make the expression backtrack.
  const match = /^bytes=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i.exec(request.headers.range ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return 'whole';
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return 'whole';

  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
}

/**
 * Returns the source's only piece, or a stream over its pieces; disconnects a client that reads too slowly. Fails if the source yields too
 * few or too many bytes; always closes the source at its end.
 */
async function openBody({ open }: ByteSource, range: ByteRange, response: ServerResponse): Promise<Readable | Buffer> {
  let slow: NodeJS.Timeout | undefined;
  response.once('close', () => clearTimeout(slow));
  const source = open(range)[Symbol.asyncIterator]();
  let left = range.end - range.start;
  /** Bytes of the last piece. */
  let size = 0;
  let ready: IteratorResult<Bytes> | null = await source.next();
  /** Pieces that may not be sent yet, with their end in the answer. */
  const underway: { piece: Bytes; end: number }[] = [];
  let given = 0;

  const freeUpTo = (sent: number): void => {
    while (underway[0] && underway[0].end <= sent) free((underway.shift() as { piece: Bytes }).piece);
  };
  response.once('finish', () => freeUpTo(given));
  /** Disconnects the client unless it reads everything up to this piece in time. */
  const watch = (): void => {
    slow = setTimeout(() => response.destroy(), (READ_AHEAD_BYTES + size) / MIN_BYTES_PER_MS).unref();
  };
  const takeOver = (piece: Bytes): void => {
    size = piece.length;
    left -= size;
    if (left < 0) throw new Error('a source yielded more bytes than it was asked for');
    given += size;
    underway.push({ piece, end: given });
  };

  if (!ready.done && ready.value.length >= left) {
    // Most single pieces are thumbnails: a stream would cost more than reading and opening them.
    const { value } = ready;
    try {
      takeOver(value);
      if (!(await source.next()).done) throw new Error('a source yielded more bytes than it was asked for');
    } finally {
      await source.return?.();
    }
    watch();
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }

  async function next(): Promise<IteratorResult<Bytes>> {
    clearTimeout(slow);
    // writableLength includes the headers, so this is at most what was sent, never more.
    freeUpTo(given - body.readableLength - response.writableLength);
    const piece = ready ?? (await source.next());
    ready = null;
    if (piece.done && left !== 0) throw new Error(`a source of bytes ended ${left} bytes early`);
    if (!piece.done) takeOver(piece.value);
    watch();
    return piece;
  }
  const close = async (): Promise<IteratorResult<Bytes>> => (await source.return?.()) ?? { done: true, value: undefined };
  const pieces: AsyncIterable<Bytes> = { [Symbol.asyncIterator]: () => ({ next, return: close }) };
  const body = Readable.from(pieces, { objectMode: false, highWaterMark: READ_AHEAD_BYTES });
  return body;
}
