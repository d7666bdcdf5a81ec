import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Bytes } from '../lib/bytes.ts';
import { BlobMissing, type BlobStore } from './blob-store.ts';
import { checkKey, checkPrefix } from './keys.ts';

export interface S3Options {
  bucket: string;
  /** Put before every key; '' or ending in '/'. */
  prefix: string;
  endpoint?: string;
  region?: string;
}

/** Objects that S3 removes in one call. */
const REMOVED_AT_ONCE = 1000;

/** Blobs as objects of a bucket. A put object is durable and whole when S3 answers. */
export function createS3Store(options: S3Options): BlobStore {
  const { bucket: Bucket } = options;
  const client = new S3Client({
    region: options.region ?? 'us-east-1',
    ...(options.endpoint && { endpoint: options.endpoint, forcePathStyle: true }),
    // Not every S3-compatible store knows the newer checksums; GCM proves each byte anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 4,
  });
  const nameOf = (key: string): string => options.prefix + checkKey(key);

  async function* list(prefix: string): AsyncGenerator<{ key: string; size: number; modifiedAt: number }> {
    let token: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: options.prefix + checkPrefix(prefix), ...(token && { ContinuationToken: token }) }),
      );
      for (const object of page.Contents ?? []) {
        if (!object.Key) continue;
        yield { key: object.Key.slice(options.prefix.length), size: object.Size ?? 0, modifiedAt: object.LastModified?.getTime() ?? 0 };
      }
      token = page.NextContinuationToken;
    } while (token);
  }

  return {
    async adopt(key, stagedPath) {
      const { size } = await stat(stagedPath);
      await client.send(new PutObjectCommand({ Bucket, Key: nameOf(key), Body: createReadStream(stagedPath), ContentLength: size }));
      await rm(stagedPath, { force: true });
    },
    async put(key, bytes) {
      await client.send(new PutObjectCommand({ Bucket, Key: nameOf(key), Body: bytes, ContentLength: bytes.length }));
    },
    async *read(key, range) {
      if (range && range.end <= range.start) return;
      const answer = await client
        .send(new GetObjectCommand({ Bucket, Key: nameOf(key), ...(range && { Range: `bytes=${range.start}-${range.end - 1}` }) }))
        .catch((error) => {
          throw isMissing(error) ? new BlobMissing(key, error) : error;
        });
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
      await client.send(new HeadBucketCommand({ Bucket }));
    },
    async close() {
      client.destroy();
    },
  };
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    (error.name === 'NoSuchKey' || error.name === 'NotFound' || error.$metadata.httpStatusCode === 404)
  );
}
