import type { FastifyRequest } from 'fastify';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';

/** Bytes of a form around its file: fields, part headers, delimiters. */
export const FORM_OVERHEAD = 32 * 1024;

/** Who has been awaited for so many silences in all must have sent PACE bytes for each ms of them (1 KB/s). */
const SILENCES = 3;
const PACE = 1;

const FIELDS = 8;
const FIELD_BYTES = 1024;

export type FormPart =
  | { kind: 'field'; name: string; value: string }
  | {
      kind: 'file';
      filename: string;
      /** Throws Refusal too_large or upload_incomplete. */
      bytes: AsyncIterable<Bytes>;
    };

/** What @fastify/multipart says of forms that are not ours; anything else is a connection that broke. */
const MALFORMED = new Set([
  'FST_PARTS_LIMIT',
  'FST_FILES_LIMIT',
  'FST_FIELDS_LIMIT',
  'FST_PROTO_VIOLATION',
  'FST_INVALID_MULTIPART_CONTENT_TYPE',
  'FST_INVALID_JSON_FIELD_ERROR',
]);

/**
 * The parts of an upload's form as they stream in: at most one file, named `file`, of at most `maxBytes`, and a few short
 * fields. A sender who is awaited for `stall` ms without a sign of the file, or for as long in all until the parts begin,
 * loses the connection, and so does one who sends a byte now and then. Throws Refusal invalid_input, file_missing (no form
 * at all), too_large or upload_incomplete.
 */
export async function* readForm(
  request: FastifyRequest,
  { maxBytes, stall }: { maxBytes: number; stall: number },
): AsyncGenerator<FormPart> {
  if (!request.isMultipart()) throw new Refusal('file_missing');
  // Nothing would ever tell the reader of a connection that ended while the form waited for its turn.
  if (request.raw.destroyed) throw new Refusal('upload_incomplete');
  const parts = request.parts({
    throwFileSizeLimit: false,
    limits: {
      files: 1,
      // One more than allowed, so that the count below sees that it was too much.
      fileSize: maxBytes + 1,
      fields: FIELDS,
      parts: FIELDS + 1,
      fieldSize: FIELD_BYTES,
      fieldNameSize: 100,
      headerPairs: 20,
      headerSize: 8 * 1024,
    },
  } as Parameters<FastifyRequest['parts']>[0]);
  /** ms that the sender was awaited, without the time in which it waited for us. */
  let waited = 0;
  const awaited = async <T>(next: Promise<T>, patience = stall): Promise<T> => {
    const timer = setTimeout(() => request.raw.destroy(), patience);
    const from = performance.now();
    try {
      return await next;
    } catch (error) {
      return refuse(error);
    } finally {
      clearTimeout(timer);
      waited += performance.now() - from;
    }
  };
  /** ms that are left for all that is not the file. */
  let patience = stall;
  const nextPart = async () => {
    const before = waited;
    const part = await awaited(parts.next(), patience);
    patience = Math.max(0, patience - (waited - before));
    return part;
  };
  const keepUp = (size: number): void => {
    if (waited < SILENCES * stall || size >= waited * PACE) return;
    request.raw.destroy();
    throw new Refusal('upload_incomplete');
  };
  try {
    for (;;) {
      const { done, value: part } = await nextPart();
      if (done) return;
      if (part.type === 'field') yield { kind: 'field', name: part.fieldname, value: String(part.value) };
      else if (part.fieldname === 'file')
        yield { kind: 'file', filename: part.filename ?? '', bytes: bounded(part.file, maxBytes, { awaited, keepUp }) };
      else throw new Refusal('invalid_input', { fields: { [part.fieldname]: 'Die Datei gehört in das Feld file.' } });
    }
  } finally {
    await parts.return?.(undefined);
  }
}

interface Sender {
  awaited<T>(next: Promise<T>): Promise<T>;
  /** Throws where it sent too little for the time it took. */
  keepUp(size: number): void;
}

async function* bounded(file: AsyncIterable<Bytes>, maxBytes: number, { awaited, keepUp }: Sender): AsyncGenerator<Bytes> {
  let size = 0;
  const pieces = file[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await awaited(pieces.next());
      if (done) return;
      size += value.length;
      if (size > maxBytes) throw new Refusal('too_large');
      keepUp(size);
      yield value;
    }
  } finally {
    await pieces.return?.();
  }
}

function refuse(error: unknown): never {
  const { code, message } = error as { code?: string; message?: string };
  const malformed = MALFORMED.has(code ?? '') || message === 'Multipart: Boundary not found';
  throw new Refusal(malformed ? 'invalid_input' : 'upload_incomplete', { cause: error });
}
