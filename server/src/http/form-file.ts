import type { FastifyRequest } from 'fastify';
import type { Bytes } from '../lib/bytes.ts';
import { Refusal } from '../lib/errors.ts';

/**
 * The one file of a multipart form, named `file`, in memory: for small files only. Throws Refusal file_missing, too_large,
 * upload_incomplete, invalid_input.
 */
export async function readFormFile(request: FastifyRequest, maxBytes: number): Promise<Bytes> {
  if (!request.isMultipart()) throw new Refusal('file_missing');
  const limits = { files: 1, fields: 0, parts: 1, fileSize: maxBytes + 1, headerPairs: 20 };
  const pieces: Bytes[] = [];
  let size = 0;
  try {
    const part = await request.file({ limits, throwFileSizeLimit: false });
    if (part?.fieldname !== 'file') throw new Refusal('file_missing');
    for await (const piece of part.file as AsyncIterable<Bytes>) {
      size += piece.length;
      if (size > maxBytes) throw new Refusal('too_large');
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('upload_incomplete', { cause: error });
  }
  return Buffer.concat(pieces);
}
