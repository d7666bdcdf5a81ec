import type { FastifyRequest } from 'fastify';
import { handOver } from '../../../lib/buffer-handover.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';

/** What a form has beside its file at most: fields, part headers, delimiters. */
export const FORM_OVERHEAD_BYTES = 32 * 1024;

const FIELDS = 8;
const FIELD_BYTES = 1024;

export interface FilePart {
  kind: 'file';
  filename: string;
  /** Throws Refusal upload_incomplete. */
  bytes: AsyncIterable<Bytes>;
}
export type FormPart = { kind: 'field'; name: string; value: string } | FilePart;

/** What @fastify/multipart says of a malformed form; every other error is a broken connection. */
const MALFORMED = new Set([
  'FST_PARTS_LIMIT',
  'FST_FILES_LIMIT',
  'FST_FIELDS_LIMIT',
  'FST_PROTO_VIOLATION',
  'FST_INVALID_MULTIPART_CONTENT_TYPE',
  'FST_INVALID_JSON_FIELD_ERROR',
]);

/**
 * The parts of an upload's form as they arrive: at most one file, named `file`, and a few short fields. A file that is larger
 * than `maxBytes` is cut off one byte after. Throws Refusal file_missing (no form at all), invalid_input, upload_incomplete.
 */
export async function* readForm(request: FastifyRequest, maxBytes: number): AsyncGenerator<FormPart> {
  if (!request.isMultipart()) throw new Refusal('file_missing');
  // A connection that ended before the form is read would never be noticed later.
  if (request.raw.destroyed) throw new Refusal('upload_incomplete');
  const parts = request.parts({
    throwFileSizeLimit: false,
    limits: {
      files: 1,
      fileSize: maxBytes + 1,
      fields: FIELDS,
      parts: FIELDS + 1,
      fieldSize: FIELD_BYTES,
      fieldNameSize: 100,
      headerPairs: 20,
      headerSize: 8 * 1024,
    },
  } as Parameters<FastifyRequest['parts']>[0]);
  for await (const part of withRefusals(parts)) {
    if (part.type === 'field') yield { kind: 'field', name: part.fieldname, value: String(part.value) };
    else if (part.fieldname === 'file') yield { kind: 'file', filename: part.filename ?? '', bytes: withRefusals(part.file, handOver) };
    else throw new Refusal('invalid_input', { fields: { [part.fieldname]: 'Die Datei gehört in das Feld file.' } });
  }
}

/** The same stream, with Refusals in place of the parser's errors. */
async function* withRefusals<T>(source: AsyncIterable<T>, each = (one: T): T => one): AsyncGenerator<T> {
  try {
    for await (const one of source) yield each(one);
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    const malformed = MALFORMED.has(code ?? '') || message === 'Multipart: Boundary not found';
    throw new Refusal(malformed ? 'invalid_input' : 'upload_incomplete', { cause: error });
  }
}
