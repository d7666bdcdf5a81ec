import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bytes } from '../lib/bytes.ts';
import { createCircuitBreaker } from '../lib/concurrency/circuit-breaker.ts';
import { withDeadline } from '../lib/deadline.ts';
import { Unavailable } from '../lib/errors.ts';
import { BlobMissing, checkKey, checkPrefix, isKey, type BlobStore } from './blob-store.ts';
import {
  ATTEMPTS,
  connectS3,
  deletedByS3,
  deleteTogether,
  isKept,
  fail,
  fromS3,
  isMissing,
  listedByS3,
  mayPass,
  PROBE,
  statusOf,
  type S3Options,
} from './s3-client.ts';
import { putFile } from './s3-put-file.ts';

/** Most objects that S3 deletes with one call. */
const DELETE_BATCH = 1000;
/** Pause before the second attempt; doubled before each further one. */
const FIRST_PAUSE_MS = 100;
/** Longest time for the call that checks whether the store works again. */
const PROBE_MS = 3000;

/**
 * Blobs as objects of a bucket. An object is durable and complete when S3 answers the put. Each call has a time limit; after some failures
 * in a row calls are refused at once, until the store works again. Writes and reads are judged apart: a full store may hang at writes
 * alone.
 */
export function createS3Store(options: S3Options): BlobStore {
  const { bucket: Bucket } = options;
  const connection = connectS3(options);
  const { client, inTime, limitMs } = connection;
  const nameOf = (key: string): string => options.prefix + checkKey(key);
  /** False once the store has refused to delete many objects with one call. */
  let deletesMany = true;

  const probe = { Bucket, Key: options.prefix + PROBE };
  const shortly = () => ({ abortSignal: AbortSignal.timeout(PROBE_MS) });
  const putProbe = (limit: { abortSignal: AbortSignal }) => client.send(new PutObjectCommand({ ...probe, Body: 'ok' }), limit).then(fromS3);
  const writes = createCircuitBreaker({ dependency: 'store', probe: () => putProbe(shortly()) });
  const reads = createCircuitBreaker({
    dependency: 'store',
    async probe() {
      const head = client.send(new HeadObjectCommand(probe), shortly()).then(fromS3);
      await head.catch((error: unknown) => statusOf(error) === 404 || fail(error));
    },
  });
  /** Handles a failed call; after a timeout the store's other connections are probably dead, too. */
  const failed = (error: unknown): never => {
    if ((error as Error).name === 'AbortError' || (error as Error).name === 'TimeoutError') connection.dropIdle();
    return fail(error);
  };

  async function* pages(wanted: Omit<ListObjectsV2CommandInput, 'Bucket'>): AsyncGenerator<ListObjectsV2CommandOutput> {
    let ContinuationToken: string | undefined;
    do {
      const request = new ListObjectsV2Command({ Bucket, ...wanted, ContinuationToken });
      const page = await reads.run(() => client.send(request, inTime()).then(listedByS3).catch(failed));
      yield page;
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
  }

  /** Lists every object below a prefix behind the key `after`, valid keys or not. */
  async function* objects(prefix: string, after = ''): AsyncGenerator<{ key: string; size: number; modifiedAt: number }> {
    const StartAfter = after === '' ? undefined : options.prefix + after;
    for await (const page of pages({ Prefix: options.prefix + checkPrefix(prefix), StartAfter })) {
      for (const object of page.Contents ?? []) {
        const key = object.Key?.slice(options.prefix.length) ?? '';
        yield { key, size: object.Size ?? 0, modifiedAt: object.LastModified?.getTime() ?? 0 };
      }
    }
  }

  async function* list(prefix: string, after?: string): ReturnType<typeof objects> {
    for await (const object of objects(prefix, after)) if (isKey(object.key)) yield object;
  }

  /**
   * Returns null if the store confirms that there is no such object; a HEAD's answer may also mean a missing bucket, or come from a proxy.
   */
  async function whyMissing(key: string): Promise<null> {
    try {
      const answer = fromS3(await client.send(new GetObjectCommand({ Bucket, Key: nameOf(key), Range: 'bytes=0-0' }), inTime()));
      (answer.Body as AsyncIterable<Bytes> & { destroy(): void }).destroy();
    } catch (error) {
      return isMissing(error) ? null : failed(error);
    }
    throw new Unavailable('store', new Error('an object that was missing is there'));
  }

  async function removeOne(Key: string): Promise<void> {
    await writes.run(() => client.send(new DeleteObjectCommand({ Bucket, Key }), inTime()).then(deletedByS3).catch(failed));
  }

  /** Deletes objects with one call, or one by one if the store refuses that call. Calls `onKept` for errors of single objects. */
  async function removeAll(names: string[], signal: AbortSignal | undefined, onKept: (error: unknown) => void): Promise<void> {
    const noted = (error: unknown): true => {
      if (!isKept(error)) throw error;
      onKept(error);
      return true;
    };
    signal?.throwIfAborted();
    if (deletesMany) deletesMany = await writes.run(() => deleteTogether(connection, Bucket, names)).catch(noted);
    if (deletesMany) return;
    for (const name of names) {
      signal?.throwIfAborted();
      await removeOne(name).catch(noted);
    }
  }

  return {
    async adopt(key, stagedPath) {
      await writes.run(async () => {
        const deadline = AbortSignal.timeout(limitMs((await stat(stagedPath)).size));
        // The SDK cannot repeat a stream, so each attempt opens the file again.
        for (let attempt = 1; ; attempt++) {
          try {
            return await putFile(client, { Bucket, Key: nameOf(key) }, stagedPath, deadline);
          } catch (error) {
            if (attempt === ATTEMPTS || deadline.aborted || !mayPass(error)) failed(error);
          }
          await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
        }
      });
    },
    async put(key, bytes) {
      const ContentMD5 = createHash('md5').update(bytes).digest('base64');
      const request = new PutObjectCommand({ Bucket, Key: nameOf(key), Body: bytes, ContentLength: bytes.length, ContentMD5 });
      await writes.run(() => client.send(request, inTime(bytes.length)).then(fromS3).catch(failed));
    },
    async *read(key, range) {
      if (range && range.end <= range.start) return;
      const last = range ? range.end - 1 : '';
      let at = range?.start ?? 0;
      let etag: string | undefined;
      for (let attempt = 1; ; attempt++) {
        const Range = range || at > 0 ? `bytes=${at}-${last}` : undefined;
        const request = new GetObjectCommand({ Bucket, Key: nameOf(key), ...(Range && { Range }), ...(etag && { IfMatch: etag }) });
        // The time limit ends when the answer begins: the body may take as long as its consumer.
        const late = new AbortController();
        const timer = setTimeout(() => late.abort(), limitMs());
        const answer = await reads
          .run(() =>
            client
              .send(request, { abortSignal: late.signal })
              .then(fromS3)
              .catch((error: unknown) => {
                if (statusOf(error) === 416) return null;
                if (isMissing(error)) throw new BlobMissing(key, error);
                return failed(error);
              }),
          )
          .finally(() => clearTimeout(timer));
        if (!answer) return;
        etag = answer.ETag;
        const end = at + (answer.ContentLength ?? 0);
        try {
          // The body is a stream that closes its connection when the consumer stops.
          for await (const piece of inTimeEach(answer.Body as AsyncIterable<Bytes>, limitMs())) {
            at += piece.length;
            attempt = 1;
            yield piece;
          }
          if (at >= end) return;
        } catch (error) {
          if (!mayPass(error)) throw error;
          if (attempt === ATTEMPTS) failed(error);
        }
        // The connection broke: the rest of the same object (IfMatch) is requested.
        await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    },
    async size(key) {
      return reads.run(async () => {
        try {
          return fromS3(await client.send(new HeadObjectCommand({ Bucket, Key: nameOf(key) }), inTime())).ContentLength ?? 0;
        } catch (error) {
          return statusOf(error) === 404 ? whyMissing(key) : failed(error);
        }
      });
    },
    list,
    async *folders(prefix, after) {
      const Prefix = options.prefix + checkPrefix(prefix);
      // '0' is the character after the slash: this sorts behind all keys in the folder `after`.
      const StartAfter = after === '' ? undefined : `${Prefix}${after}0`;
      for await (const page of pages({ Prefix, Delimiter: '/', StartAfter })) {
        for (const folder of page.CommonPrefixes ?? []) yield folder.Prefix?.slice(Prefix.length, -1) ?? '';
      }
    },
    async remove(key) {
      await removeOne(nameOf(key));
    },
    async *strays() {
      // Consoles mark folders with empty objects whose names end in a slash.
      for await (const { key } of objects('')) if (key !== '' && !key.endsWith('/') && !isKey(key) && !key.startsWith(PROBE)) yield key;
    },
    async removePrefix(prefix, signal) {
      let batch: string[] = [];
      const kept: unknown[] = [];
      const onKept = (error: unknown): void => void kept.push(error);
      for await (const { key } of list(prefix)) {
        batch.push(options.prefix + key);
        if (batch.length === DELETE_BATCH) await removeAll(batch.splice(0), signal, onKept);
      }
      if (batch.length > 0) await removeAll(batch, signal, onKept);
      if (kept.length > 0) throw kept[0];
    },
    async check() {
      await putProbe(inTime()).catch(failed);
      await client.send(new DeleteObjectCommand(probe), inTime()).then(deletedByS3).catch(failed);
    },
    async close() {
      writes.close();
      reads.close();
      connection[Symbol.dispose]();
    },
  };
}

/** Passes the pieces of a body; throws Unavailable if one takes longer than `ms` to come, not if the consumer takes its time. */
async function* inTimeEach(body: AsyncIterable<Bytes>, ms: number): AsyncGenerator<Bytes> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withDeadline(pieces.next(), ms, 'store');
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: the iterator of a silent body settles only after its socket was closed.
    (body as AsyncIterable<Bytes> & { destroy(): void }).destroy();
  }
}
