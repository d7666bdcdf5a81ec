import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bytes } from '../lib/bytes.ts';
import { Refusal, Unavailable } from '../lib/errors.ts';
import { BlobMissing, type BlobStore } from './blob-store.ts';
import { checkKey, checkPrefix, isKey } from './keys.ts';

export interface S3Options {
  bucket: string;
  /** Prefix of every key; '' or ending in '/'. */
  prefix: string;
  endpoint?: string;
  region?: string;
  /** Without them, the AWS client uses its default sources. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

/** Most objects that S3 deletes with one call. */
const DELETE_BATCH = 1000;
const ATTEMPTS = 4;
/** Pause before the second attempt; doubled before each further one. */
const FIRST_PAUSE_MS = 100;
/** Longest time to connect, and without a byte in either direction: longer than a phone pauses during a download. */
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 120_000;
/** Most connections: each running download needs one. */
const CONNECTIONS = 512;
/** Bytes read from a staged file at once. */
const PIECE_BYTES = 256 * 1024;
/** Time limit for a call without photo bytes, with all its attempts. */
const CALL_MS = 30_000;
/** Keeps the SDK from printing lines of its own; errors are thrown. */
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
/** Object that is written and removed to check that the bucket is writable; it is no valid blob key. */
const PROBE = 'write-check';

function connect(options: S3Options): S3Client {
  return new S3Client({
    region: options.region ?? 'us-east-1',
    ...(options.credentials && { credentials: options.credentials }),
    ...(options.endpoint && { endpoint: options.endpoint, forcePathStyle: true }),
    // Some S3-compatible stores do not support the newer checksums. GCM authenticates every byte anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
    logger: QUIET,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  });
}

/** Blobs as objects of a bucket. An object is durable and complete when S3 answers the put. */
export function createS3Store(options: S3Options): BlobStore {
  const { bucket: Bucket } = options;
  const client = connect(options);
  const nameOf = (key: string): string => options.prefix + checkKey(key);
  /** Becomes false when the store refuses to delete many objects with one call. */
  let deletesMany = true;

  /** One attempt to put a staged file. */
  async function putFile(key: string, path: string): Promise<void> {
    const Key = nameOf(key);
    // The file is opened first: a stream that opens it by itself would report an error only by an event.
    const file = await open(path);
    try {
      const { size: ContentLength } = await file.stat();
      const ContentMD5 = await md5Of(file);
      const Body = file.createReadStream({ start: 0, autoClose: false, highWaterMark: PIECE_BYTES });
      // The SDK ignores errors of the stream and would wait for ever, so they abort the call.
      const unreadable = new AbortController();
      Body.on('error', (error) => unreadable.abort(error));
      try {
        await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength, ContentMD5 }), { abortSignal: unreadable.signal });
      } catch (error) {
        throw unreadable.signal.aborted ? unreadable.signal.reason : error;
      } finally {
        Body.destroy();
      }
    } finally {
      await file.close();
    }
  }

  /** Every object below a prefix, whatever its name. */
  async function* objects(prefix: string): AsyncGenerator<{ key: string; size: number; modifiedAt: number }> {
    let token: string | undefined;
    do {
      const Prefix = options.prefix + checkPrefix(prefix);
      const page = await client
        .send(new ListObjectsV2Command({ Bucket, Prefix, ...(token && { ContinuationToken: token }) }), inTime())
        .catch(fail);
      for (const object of page.Contents ?? []) {
        const key = object.Key?.slice(options.prefix.length) ?? '';
        yield { key, size: object.Size ?? 0, modifiedAt: object.LastModified?.getTime() ?? 0 };
      }
      token = page.NextContinuationToken;
    } while (token);
  }

  async function* list(prefix: string): ReturnType<typeof objects> {
    for await (const object of objects(prefix)) if (isKey(object.key)) yield object;
  }

  async function removeOne(Key: string): Promise<void> {
    await client.send(new DeleteObjectCommand({ Bucket, Key }), inTime()).catch(fail);
  }

  /** Deletes objects with one call, or one by one if the store refuses that call. */
  async function removeAll(names: string[]): Promise<void> {
    if (deletesMany) deletesMany = await deleteTogether(client, Bucket, names);
    if (!deletesMany) for (const name of names) await removeOne(name);
  }

  return {
    async adopt(key, stagedPath) {
      try {
        // The SDK cannot repeat a stream, so each attempt opens the file again.
        for (let attempt = 1; ; attempt++) {
          try {
            await putFile(key, stagedPath);
            return;
          } catch (error) {
            if (attempt === ATTEMPTS || !mayPass(error)) fail(error);
          }
          await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
        }
      } finally {
        await rm(stagedPath, { force: true });
      }
    },
    async put(key, bytes) {
      const ContentMD5 = createHash('md5').update(bytes).digest('base64');
      await client
        .send(new PutObjectCommand({ Bucket, Key: nameOf(key), Body: bytes, ContentLength: bytes.length, ContentMD5 }))
        .catch(fail);
    },
    async *read(key, range) {
      if (range && range.end <= range.start) return;
      const last = range ? range.end - 1 : '';
      let at = range?.start ?? 0;
      let etag: string | undefined;
      for (let attempt = 1; ; attempt++) {
        const Range = range || at > 0 ? `bytes=${at}-${last}` : undefined;
        const request = new GetObjectCommand({ Bucket, Key: nameOf(key), ...(Range && { Range }), ...(etag && { IfMatch: etag }) });
        const answer = await client.send(request).catch((error: unknown) => {
          if (statusOf(error) === 416) return null;
          if (isMissing(error)) throw new BlobMissing(key, error);
          return fail(error);
        });
        if (!answer) return;
        etag = answer.ETag;
        const end = at + (answer.ContentLength ?? 0);
        try {
          // The body is a stream that closes its connection when the consumer stops.
          for await (const piece of answer.Body as AsyncIterable<Bytes>) {
            at += piece.length;
            attempt = 1;
            yield piece;
          }
          if (at >= end) return;
        } catch (error) {
          if (!mayPass(error)) throw error;
          if (attempt === ATTEMPTS) fail(error);
        }
        // The connection broke: the rest is requested, of the same object (IfMatch).
        await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    },
    async size(key) {
      const head = await client.send(new HeadObjectCommand({ Bucket, Key: nameOf(key) }), inTime()).catch((error: unknown) => {
        return isMissing(error) ? null : fail(error);
      });
      return head ? (head.ContentLength ?? 0) : null;
    },
    list,
    async remove(key) {
      await removeOne(nameOf(key));
    },
    async *strays() {
      // Consoles mark folders with empty objects whose names end in a slash.
      for await (const { key } of objects('')) if (key !== '' && !key.endsWith('/') && !isKey(key) && !key.startsWith(PROBE)) yield key;
    },
    async removePrefix(prefix) {
      let batch: string[] = [];
      for await (const { key } of list(prefix)) {
        batch.push(options.prefix + key);
        if (batch.length === DELETE_BATCH) await removeAll(batch.splice(0));
      }
      if (batch.length > 0) await removeAll(batch);
    },
    async check() {
      const probe = { Bucket, Key: options.prefix + PROBE };
      await client.send(new PutObjectCommand({ ...probe, Body: 'ok' }), inTime()).catch(fail);
      await removeOne(probe.Key);
    },
    async close() {
      client.destroy();
    },
  };
}

/** Deletes many objects with one call. False if the store refuses that call. */
async function deleteTogether(client: S3Client, Bucket: string, names: string[]): Promise<boolean> {
  const Delete = { Objects: names.map((Key) => ({ Key })), Quiet: true };
  const answer = await client.send(new DeleteObjectsCommand({ Bucket, Delete }), inTime()).catch((error: unknown) => {
    return refusesCall(error) ? null : fail(error);
  });
  const [failed] = answer?.Errors ?? [];
  if (failed) throw new Error(`S3 kept an object: ${failed.Code}`);
  return answer !== null;
}

/** Whether the store can delete many objects with one call, or only single ones. Throws if it cannot delete at all. */
export async function bucketDeletions(options: S3Options): Promise<'together' | 'single'> {
  const client = connect(options);
  const names = [1, 2].map((n) => `${options.prefix}${PROBE}-${n}`);
  try {
    for (const Key of names) await client.send(new PutObjectCommand({ Bucket: options.bucket, Key, Body: 'ok' }), inTime());
    const together = await deleteTogether(client, options.bucket, names.slice(0, 1));
    for (const Key of names) await client.send(new DeleteObjectCommand({ Bucket: options.bucket, Key }), inTime());
    return together ? 'together' : 'single';
  } finally {
    client.destroy();
  }
}

/** Whether the bucket keeps deleted objects; `suspended` keeps older versions. Throws if the store does not tell. */
export async function bucketVersioning(options: S3Options): Promise<'off' | 'on' | 'suspended'> {
  const client = connect(options);
  try {
    const { Status } = await client.send(new GetBucketVersioningCommand({ Bucket: options.bucket }));
    return Status === 'Enabled' ? 'on' : Status === 'Suspended' ? 'suspended' : 'off';
  } finally {
    client.destroy();
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** True if the object does not exist; false for a missing bucket, which is an error of its own. */
function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name !== 'NoSuchBucket' && statusOf(error) === 404;
}

/** True for errors that another attempt may not meet: a broken connection, a busy or failing server. */
function mayPass(error: unknown): boolean {
  if (isFull(error) || error instanceof TypeError) return false;
  if (error instanceof S3ServiceException)
    return (statusOf(error) ?? 500) >= 500 || statusOf(error) === 429 || /^(RequestTimeout|BadDigest)$/.test(error.name);
  // Errors of the staged file itself would only occur again.
  return !/^(ENOENT|EACCES|EISDIR)$/.test((error as NodeJS.ErrnoException).code ?? '');
}

/** Whether the store says that it has no space; stores use different names for it. */
function isFull(error: unknown): boolean {
  return error instanceof S3ServiceException && (statusOf(error) === 507 || /^(QuotaExceeded|XMinioStorageFull)$/.test(error.name));
}

/** Whether the store does not support or not allow a call. */
function refusesCall(error: unknown): boolean {
  const status = statusOf(error) ?? 0;
  return [400, 403, 405, 411, 501].includes(status);
}

function inTime(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(CALL_MS) };
}

/** Throws Refusal if the store is full, Unavailable if a later attempt may succeed, else the error itself. */
function fail(error: unknown): never {
  if (isFull(error)) throw new Refusal('disk_full', { cause: error });
  throw mayPass(error) ? new Unavailable('store', error) : error;
}

async function md5Of(file: FileHandle): Promise<string> {
  const hash = createHash('md5');
  for await (const piece of file.createReadStream({ start: 0, autoClose: false, highWaterMark: PIECE_BYTES })) hash.update(piece as Bytes);
  return hash.digest('base64');
}
