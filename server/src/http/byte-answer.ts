import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Bytes } from '../lib/bytes.ts';
import { Refusal } from '../lib/errors.ts';

/** Bytes fetched ahead of a client that is slower than the source: two segments of a sealed blob. */
const AHEAD = 512 * 1024;

/** Who takes less in the long run loses the connection, bytes per ms (4 KB/s). */
const PACE = 4;

/** Bytes [start, end). */
export interface ByteRange {
  start: number;
  end: number;
}

export interface ByteAnswer {
  /** Bytes of the whole. */
  size: number;
  type: string;
  /** Strong validator, without quotes. */
  etag: string;
  /** The Content-Disposition header (see content-disposition.ts). */
  disposition?: string;
  /** Further headers, Cache-Control among them. */
  headers?: Record<string, string>;
  /** Yields exactly the bytes of the range. Called only where a body goes out: not for HEAD, 304 or 416. */
  open(range: ByteRange): AsyncIterable<Bytes>;
}

/**
 * Answers GET and HEAD with bytes: 200, 206 (one range), 304 (If-None-Match) or Refusal range_unsatisfiable.
 * The first piece is fetched before the head goes out, so that what cannot be opened is still an error answer; a later
 * failure cuts the connection. The source is closed when the client goes away, and when it takes next to nothing.
 */
export async function sendBytes(reply: FastifyReply, request: FastifyRequest, answer: ByteAnswer): Promise<FastifyReply> {
  const { size, type, disposition } = answer;
  const etag = `"${answer.etag}"`;
  const head = headOf(answer);

  if (namesValidator(request.headers['if-none-match'], etag)) return reply.code(304).headers(head).send();

  const range = request.method === 'HEAD' ? 'whole' : wantedRange(request, etag, size);
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw new Refusal('range_unsatisfiable');
  }
  const { start, end } = range === 'whole' ? { start: 0, end: size } : range;
  const body = request.method === 'HEAD' ? Readable.from([]) : await openBody(answer, { start, end }, endSlowReader(reply.raw));

  reply.code(range === 'whole' ? 200 : 206).headers(head);
  reply.headers({ 'content-type': type, 'content-length': String(end - start) });
  if (disposition !== undefined) reply.header('content-disposition', disposition);
  if (range !== 'whole') reply.header('content-range', `bytes ${start}-${end - 1}/${size}`);
  return reply.send(body);
}

/**
 * Answers what needs none of the bytes, where they are costly to make: HEAD, without their length, and 304. Null where the body
 * is asked for.
 */
export function sendWithoutBytes(
  reply: FastifyReply,
  request: FastifyRequest,
  answer: Pick<ByteAnswer, 'etag' | 'type' | 'disposition' | 'headers'>,
): FastifyReply | null {
  const head = headOf(answer);
  if (namesValidator(request.headers['if-none-match'], head.etag)) return reply.code(304).headers(head).send();
  if (request.method !== 'HEAD') return null;
  reply.headers({ ...head, 'content-type': answer.type });
  if (answer.disposition !== undefined) reply.header('content-disposition', answer.disposition);
  return reply.send(Readable.from([]));
}

function headOf({ etag, headers = {} }: Pick<ByteAnswer, 'etag' | 'headers'>) {
  return {
    etag: `"${etag}"`,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    ...headers,
  };
}

/** True where an If-None-Match header names the validator (weak comparison, RFC 9110 § 13.1.2). */
function namesValidator(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((name) => name.trim().replace(/^W\//, '') === etag);
}

/** The one range asked for. Several ranges, other units and malformed ones count as none, as RFC 9110 § 14.2 allows. */
function wantedRange(request: FastifyRequest, etag: string, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(request.headers.range ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return 'whole';
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return 'whole';

  const [first, last] = [match[1] as string, match[2] as string];
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** To be told of each piece: cuts the connection when the client lets it wait. Asking for the next one ends the waiting. */
interface SlowReader {
  wait(bytes: number): void;
  stop(): void;
}

function endSlowReader(response: ServerResponse): SlowReader {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  response.once('close', stop);
  return {
    stop,
    wait(bytes) {
      // Before it, what was fetched ahead has to go.
      timer = setTimeout(() => response.destroy(), (AHEAD + bytes) / PACE).unref();
    },
  };
}

/** A stream over the source that fails rather than ends short or long, and closes the source whenever it ends itself. */
async function openBody(answer: ByteAnswer, range: ByteRange, reader: SlowReader): Promise<Readable> {
  const source = answer.open(range)[Symbol.asyncIterator]();
  let left = range.end - range.start;
  /** Of the last piece. */
  let size = 0;
  let ready: IteratorResult<Bytes> | null = await source.next();

  const read = async (stream: Readable): Promise<void> => {
    reader.stop();
    const piece = ready ?? (await source.next());
    ready = null;
    if (piece.done) {
      if (left !== 0) throw new Error(`a source of bytes ended ${left} bytes early`);
      reader.wait(size);
      stream.push(null);
      return;
    }
    size = piece.value.length;
    left -= size;
    if (left < 0) throw new Error('a source yielded more bytes than it was asked for');
    reader.wait(size);
    stream.push(piece.value);
  };

  return new Readable({
    highWaterMark: AHEAD,
    read() {
      read(this).catch((error: Error) => this.destroy(error));
    },
    destroy(error, done) {
      const closed = source.return?.() ?? Promise.resolve();
      closed.then(
        () => done(error),
        (cause: Error) => done(error ?? cause),
      );
    },
  });
}
