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
import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bytes } from '../lib/bytes.ts';
import { Refusal } from '../lib/errors.ts';
import { BlobMissing, type BlobStore } from './blob-store.ts';
import { checkKey, checkPrefix, isKey } from './keys.ts';

export interface S3Options {
  bucket: string;
  /** Put before every key; '' or ending in '/'. */
  prefix: string;
  endpoint?: string;
  region?: string;
  /** Else the AWS client looks for some in its own places. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

/** Objects that S3 removes in one call. */
const REMOVED_AT_ONCE = 1000;
const ATTEMPTS = 4;
/** Before the second attempt, ms; doubled before each further one. */
const FIRST_PAUSE = 100;
/** To connect, ms; and without a byte in either direction, ms: longer than a phone pauses in the middle of a download. */
const CONNECT_TIMEOUT = 5_000;
const IDLE_TIMEOUT = 120_000;
/** Connections: each running download holds one. */
const CONNECTIONS = 512;
/** Bytes read from a staged file at once. */
const PIECE = 256 * 1024;
/** The SDK would else print its own lines beside the structured log; what matters is thrown. */
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
/** Written and removed to prove that the bucket can be written to; no blob's key. */
const PROBE = 'write-check';

function connect(options: S3Options): S3Client {
  return new S3Client({
    region: options.region ?? 'us-east-1',
    ...(options.credentials && { credentials: options.credentials }),
    ...(options.endpoint && { endpoint: options.endpoint, forcePathStyle: true }),
    // Not every S3-compatible store knows the newer checksums; GCM proves each byte anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
    logger: QUIET,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT,
      socketTimeout: IDLE_TIMEOUT,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  });
}

/** Blobs as objects of a bucket. A put object is durable and whole when S3 answers. */
export function createS3Store(options: S3Options): BlobStore {
  const { bucket: Bucket } = options;
  const client = connect(options);
  const nameOf = (key: string): string => options.prefix + checkKey(key);

  /** One attempt to put a staged file. */
  async function putFile(key: string, path: string): Promise<void> {
    const Key = nameOf(key);
    // Opened before the stream is made: one that opens by itself would fail by an event that nobody hears.
    const file = await open(path);
    const { size: ContentLength } = await file.stat();
    const Body = file.createReadStream({ highWaterMark: PIECE });
    // The SDK does not listen either: it would wait for the rest of a file that cannot be read.
    const unreadable = new AbortController();
    Body.on('error', (error) => unreadable.abort(error));
    try {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength }), { abortSignal: unreadable.signal });
    } catch (error) {
      throw unreadable.signal.aborted ? unreadable.signal.reason : error;
    } finally {
      Body.destroy();
    }
  }

  async function* list(prefix: string): AsyncGenerator<{ key: string; size: number; modifiedAt: number }> {
    let token: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: options.prefix + checkPrefix(prefix), ...(token && { ContinuationToken: token }) }),
      );
      for (const object of page.Contents ?? []) {
        const key = object.Key?.slice(options.prefix.length) ?? '';
        if (isKey(key)) yield { key, size: object.Size ?? 0, modifiedAt: object.LastModified?.getTime() ?? 0 };
      }
      token = page.NextContinuationToken;
    } while (token);
  }

  return {
    async adopt(key, stagedPath) {
      try {
        // The SDK repeats no stream, so each attempt opens the file anew.
        for (let attempt = 1; ; attempt++) {
          try {
            await putFile(key, stagedPath);
            return;
          } catch (error) {
            if (attempt === ATTEMPTS || !mayPass(error)) throw asRefusal(error);
          }
          await pause(FIRST_PAUSE * 2 ** (attempt - 1));
        }
      } finally {
        await rm(stagedPath, { force: true });
      }
    },
    async put(key, bytes) {
      await client.send(new PutObjectCommand({ Bucket, Key: nameOf(key), Body: bytes, ContentLength: bytes.length })).catch((error) => {
        throw asRefusal(error);
      });
    },
    async *read(key, range) {
      if (range && range.end <= range.start) return;
      const answer = await client
        .send(new GetObjectCommand({ Bucket, Key: nameOf(key), ...(range && { Range: `bytes=${range.start}-${range.end - 1}` }) }))
        .catch((error) => {
          if (statusOf(error) === 416) return null;
          throw isMissing(error) ? new BlobMissing(key, error) : error;
        });
      if (!answer) return;
      // The body is a stream that closes its connection when the consumer stops.
      for await (const piece of answer.Body as Readable) yield piece as Bytes;
    },
    async size(key) {
      const head = await client.send(new HeadObjectCommand({ Bucket, Key: nameOf(key) })).catch((error) => {
        if (isMissing(error)) return null;
        throw error;
      });
      return head ? (head.ContentLength ?? 0) : null;
    },
    list,
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: nameOf(key) }));
    },
    async removePrefix(prefix) {
      let batch: string[] = [];
      const flush = async (): Promise<void> => {
        if (batch.length === 0) return;
        const answer = await client.send(
          new DeleteObjectsCommand({ Bucket, Delete: { Objects: batch.map((Key) => ({ Key })), Quiet: true } }),
        );
        const [failed] = answer.Errors ?? [];
        if (failed) throw new Error(`S3 kept an object: ${failed.Code}`);
        batch = [];
      };
      for await (const { key } of list(prefix)) {
        batch.push(options.prefix + key);
        if (batch.length === REMOVED_AT_ONCE) await flush();
      }
      await flush();
    },
    async check() {
      const probe = { Bucket, Key: options.prefix + PROBE };
      await client.send(new PutObjectCommand({ ...probe, Body: 'ok' }));
      await client.send(new DeleteObjectCommand(probe));
    },
    async close() {
      client.destroy();
    },
  };
}

/** Whether the bucket keeps what is removed from it: `suspended` keeps what was there before. Throws where it does not say. */
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

/** True where the key is not there; a missing bucket is a mistake of its own. */
function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name !== 'NoSuchBucket' && statusOf(error) === 404;
}

/** True for what another attempt may cure: a broken connection, a busy or failing server. */
function mayPass(error: unknown): boolean {
  if (isFull(error)) return false;
  if (error instanceof S3ServiceException)
    return (statusOf(error) ?? 500) >= 500 || statusOf(error) === 429 || error.name === 'RequestTimeout';
  // Errors of the staged file itself would only come again.
  return !/^(ENOENT|EACCES|EISDIR)$/.test((error as NodeJS.ErrnoException).code ?? '');
}

/** The names under which S3 stores say that there is no room. */
function isFull(error: unknown): boolean {
  return error instanceof S3ServiceException && (statusOf(error) === 507 || /^(QuotaExceeded|XMinioStorageFull)$/.test(error.name));
}

function asRefusal(error: unknown): unknown {
  return isFull(error) ? new Refusal('disk_full', { cause: error }) : error;
}
