import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fromS3 } from './s3-client.ts';

/** Bytes of a staged file that are sent at a time. */
const PIECE_BYTES = 256 * 1024;
/** Buffers for a file: one is sent, one is read, and one is spare, in case a socket takes its time. */
const PIECES = 3;

/** Puts a staged file in one attempt. The file is read twice, first for the MD5 with which the store checks the received bytes. */
export async function putFile(
  client: S3Client,
  object: { Bucket: string; Key: string },
  path: string,
  deadline: AbortSignal,
): Promise<void> {
  // The file is opened first: a stream that opens it by itself would report an error only by an event.
  await using file = await open(path);
  const { size: ContentLength } = await file.stat();
  const room = Buffer.allocUnsafeSlow(PIECES * PIECE_BYTES);
  const ContentMD5 = await md5Of(file, room);
  const Body = streamOf(file, room);
  // The SDK ignores errors of the stream and would wait for ever, so they abort the call.
  const unreadable = new AbortController();
  Body.on('error', (error) => unreadable.abort(error));
  try {
    const request = new PutObjectCommand({ ...object, Body, ContentLength, ContentMD5 });
    fromS3(await client.send(request, { abortSignal: AbortSignal.any([unreadable.signal, deadline]) }));
  } catch (error) {
    throw unreadable.signal.aborted ? unreadable.signal.reason : error;
  } finally {
    Body.destroy();
  }
}

async function md5Of(file: FileHandle, room: Buffer): Promise<string> {
  const hash = createHash('md5');
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(room, 0, room.length, at);
    if (bytesRead === 0) return hash.digest('base64');
    hash.update(room.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/**
 * Streams a file for a request, read into `room` over and over: new buffers, twice for each original, made V8 run a full collection at each
 * fifth upload. A pipe takes a piece after its request has sent the one before; the MD5 would reveal a mistake in that.
 */
function streamOf(file: FileHandle, room: Buffer): Readable {
  let at = 0;
  let pieces = 0;
  return new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      const from = (pieces++ % PIECES) * PIECE_BYTES;
      const piece = room.subarray(from, from + PIECE_BYTES);
      file.read(piece, 0, piece.length, at).then(
        ({ bytesRead }) => {
          at += bytesRead;
          this.push(bytesRead === 0 ? null : piece.subarray(0, bytesRead));
        },
        (error: Error) => this.destroy(error),
      );
    },
  });
}
