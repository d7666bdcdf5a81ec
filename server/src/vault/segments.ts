import { randomBytes } from 'node:crypto';
import { free, handOver } from '../lib/buffer-handover.ts';
import type { Bytes } from '../lib/bytes.ts';
import { beginEncryption, decrypt, derive, NONCE_LENGTH, TAG_LENGTH } from './aead.ts';
import { label } from './labels.ts';
import { Tampered, type BlobContext } from './contexts.ts';

/**
 * Sealed blobs: the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015), laid out like Tink's AES-GCM-HKDF
 * streaming. The blob consists of pieces of SEGMENT_BYTES; the header is part of the first piece, so that reads of SEGMENT_BYTES
 * contain whole segments. docs/vault-format.md describes the bytes.
 */
export const SEGMENT_BYTES = 256 * 1024;
export const BLOB_VERSION = 1;
const SALT_LENGTH = 32;
const PREFIX_LENGTH = 7;
export const HEADER_LENGTH = 1 + SALT_LENGTH + PREFIX_LENGTH;
/** Plain bytes in the first and in each further segment. */
export const FIRST_PLAIN = SEGMENT_BYTES - HEADER_LENGTH - TAG_LENGTH;
export const PLAIN = SEGMENT_BYTES - TAG_LENGTH;

type Range = { start: number; end: number };
type Read = (range: Range) => AsyncIterable<Bytes>;

/** Counts the segments of a blob with `size` plain bytes; an empty blob has one, too. */
function segmentCount(size: number): number {
  return size <= FIRST_PLAIN ? 1 : 1 + Math.ceil((size - FIRST_PLAIN) / PLAIN);
}

/** Returns the index of the segment that contains the plain byte `at`. */
function segmentOf(at: number): number {
  return at < FIRST_PLAIN ? 0 : 1 + Math.floor((at - FIRST_PLAIN) / PLAIN);
}

/** Returns the offset in the plain bytes at which segment `index` begins. */
function plainStart(index: number): number {
  return index === 0 ? 0 : FIRST_PLAIN + (index - 1) * PLAIN;
}

/** Returns the length of the sealed blob for a plain size, bytes. */
export function sealedSize(size: number): number {
  return HEADER_LENGTH + size + segmentCount(size) * TAG_LENGTH;
}

interface Header {
  salt: Bytes;
  prefix: Bytes;
}

/** Seals a stream in pieces of any length. Keeps one segment in memory, because the last segment is sealed differently. */
export async function* sealSegments(photoKey: Bytes, blob: BlobContext, source: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  const header = { salt: randomBytes(SALT_LENGTH), prefix: randomBytes(PREFIX_LENGTH) };
  yield* sealSegmentsWith(header, photoKey, blob, source);
}

/** Seals with a given header: only for frozen vectors. A header must never be used twice. */
export async function* sealSegmentsWith(
  header: Header,
  photoKey: Bytes,
  blob: BlobContext,
  source: AsyncIterable<Bytes>,
): AsyncGenerator<Bytes> {
  const key = blobKey(photoKey, header.salt, blob);
  yield Buffer.concat([Buffer.from([BLOB_VERSION]), header.salt, header.prefix]);
  function* sealed(index: number, pieces: Bytes[], last: boolean): Generator<Bytes> {
    const encryption = beginEncryption(key, nonce(header.prefix, index, last));
    for (const piece of pieces) yield handOver(encryption.update(piece));
    yield encryption.finish();
  }
  let index = 0;
  let pieces: Bytes[] = [];
  let room = FIRST_PLAIN;
  for await (let piece of source) {
    // A full segment is sealed only when more bytes follow, because the last one is sealed differently.
    while (piece.length > room) {
      if (room > 0) pieces.push(piece.subarray(0, room));
      piece = piece.subarray(room);
      yield* sealed(index, pieces, false);
      index += 1;
      pieces = [];
      room = PLAIN;
    }
    if (piece.length > 0) pieces.push(piece);
    room -= piece.length;
  }
  yield* sealed(index, pieces, true);
}

/**
 * Opens plain bytes [start, end) of a blob of `size` plain bytes (all without `range`), in pieces that are handed over, reading only the
 * segments that cover it. Yields bytes only after their segment's tag was checked. `read` yields bytes [start, end) of the sealed blob, or
 * fewer if it ends before: with the last segment one byte after the end is requested, to detect an extended blob.
 */
export async function* openSegments(photoKey: Bytes, blob: BlobContext, size: number, read: Read, range?: Range): AsyncGenerator<Bytes> {
  const { start, end } = range ?? { start: 0, end: size };
  if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end && end <= size)) {
    throw new RangeError(`bytes ${start} to ${end} of ${size}`);
  }
  if (start === end && size > 0) return;

  const count = segmentCount(size);
  const first = Math.min(segmentOf(start), count - 1);
  const last = end === 0 ? 0 : segmentOf(end - 1);
  const total = sealedSize(size);
  await using pieces = createReader(
    read({ start: first * SEGMENT_BYTES, end: last === count - 1 ? total + 1 : (last + 1) * SEGMENT_BYTES }),
  );
  const header = parseHeader(first === 0 ? await pieces.take(HEADER_LENGTH) : await readHeader(read));
  const key = blobKey(photoKey, header.salt, blob);
  for (let index = first; index <= last; index += 1) {
    const from = index === 0 ? HEADER_LENGTH : index * SEGMENT_BYTES;
    const bytes = await pieces.take(Math.min((index + 1) * SEGMENT_BYTES, total) - from);
    const plain = handOver(decrypt(key, nonce(header.prefix, index, index === count - 1), bytes));
    if (index === count - 1) await pieces.expectEnd();
    const at = plainStart(index);
    const wanted = plain.subarray(Math.max(start - at, 0), Math.min(end - at, plain.length));
    if (wanted.length > 0) yield wanted;
  }
}

function blobKey(photoKey: Bytes, salt: Bytes, { eventId, photoId, variant }: BlobContext): Bytes {
  return derive(photoKey, salt, label('blob', eventId, photoId, variant));
}

/** Makes a segment's nonce: prefix ‖ index (4 bytes, big endian) ‖ 1 for the last segment. */
function nonce(prefix: Bytes, index: number, last: boolean): Bytes {
  const bytes = Buffer.alloc(NONCE_LENGTH);
  bytes.set(prefix);
  bytes.writeUInt32BE(index, PREFIX_LENGTH);
  bytes[NONCE_LENGTH - 1] = last ? 1 : 0;
  return bytes;
}

function parseHeader(bytes: Bytes): Header {
  if (bytes[0] !== BLOB_VERSION) throw new Tampered('unknown version of a blob');
  // The copy keeps the whole piece that contains the header out of memory.
  const copy = Buffer.from(bytes);
  return { salt: copy.subarray(1, 1 + SALT_LENGTH), prefix: copy.subarray(1 + SALT_LENGTH) };
}

async function readHeader(read: Read): Promise<Bytes> {
  await using pieces = createReader(read({ start: 0, end: HEADER_LENGTH }));
  return await pieces.take(HEADER_LENGTH);
}

/**
 * Takes exact lengths from a stream of pieces; copies only if a length spans pieces. Taken bytes are valid until the next call. The next
 * piece is fetched while the last one is being opened.
 */
function createReader(source: AsyncIterable<Bytes>) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Bytes = Buffer.alloc(0);
  /** Pieces whose bytes were all taken; freed at the next `take`. */
  const taken: Bytes[] = [];
  let ahead: Promise<IteratorResult<Bytes>> | null = null;
  const next = async (): Promise<boolean> => {
    const result = await (ahead ?? iterator.next());
    if (result.done) return false;
    taken.push(rest);
    rest = result.value;
    ahead = iterator.next();
    // If nobody awaits it, its error must not become an unhandled rejection.
    ahead.catch(() => undefined);
    return true;
  };
  return {
    async take(length: number): Promise<Bytes> {
      for (const piece of taken.splice(0)) free(piece);
      if (rest.length === 0) free(rest);
      const parts: Bytes[] = [];
      let missing = length;
      while (missing > 0) {
        if (rest.length === 0 && !(await next())) throw new Tampered('a blob is cut short');
        const part = rest.subarray(0, missing);
        rest = rest.subarray(part.length);
        missing -= part.length;
        if (part.length > 0) parts.push(part);
      }
      return parts.length === 1 ? (parts[0] as Bytes) : Buffer.concat(parts);
    },
    async expectEnd(): Promise<void> {
      while (rest.length === 0) if (!(await next())) return;
      throw new Tampered('a blob is longer than it was');
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await iterator.return?.();
    },
  };
}
