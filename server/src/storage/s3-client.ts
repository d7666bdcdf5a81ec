import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  type DeleteObjectCommandOutput,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Refusal, Unavailable } from '../lib/errors.ts';

export interface S3Options {
  bucket: string;
  /** Prefix of every key; '' or ending in '/'. */
  prefix: string;
  endpoint?: string;
  region?: string;
  /** If missing, the AWS client uses its default sources. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  /** Longest time for a call with all its attempts, ms; a put gets more by its size. */
  callMs?: number;
  /** Most connections: each running download needs one. */
  connections?: number;
}

/** An object that is written and removed to check that the bucket is writable; its name is no valid blob key. */
export const PROBE = 'write-check';
export const ATTEMPTS = 4;
const CALL_MS = 30_000;
/** Slowest put that is awaited: 100 KB/s. */
const SLOWEST_BYTES_PER_MS = 100;
/** Longest time to connect, and longest silence in both directions: longer than a phone pauses during a download. */
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 120_000;
const CONNECTIONS = 512;
/** Keeps the SDK from printing lines of its own; errors are thrown. */
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

/** Creates a client with its time limits. */
export function connectS3({ callMs = CALL_MS, connections = CONNECTIONS, ...options }: S3Options) {
  const pool = { keepAlive: true, maxSockets: connections };
  const agents = [new HttpAgent(pool), new HttpsAgent(pool)] as const;
  const client = new S3Client({
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
      httpAgent: agents[0],
      httpsAgent: agents[1],
    },
  });
  /** Returns the longest time for a call that carries so many bytes to the store, ms. */
  const limitMs = (bytes = 0): number => callMs + Math.ceil(bytes / SLOWEST_BYTES_PER_MS);
  return {
    client,
    limitMs,
    /** Makes the signal for one call. */
    inTime: (bytes?: number): { abortSignal: AbortSignal } => ({ abortSignal: AbortSignal.timeout(limitMs(bytes)) }),
    /** Closes unused connections: after a silent call they are probably dead, too. */
    dropIdle(): void {
      for (const agent of agents) for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    },
    [Symbol.dispose](): void {
      client.destroy();
      for (const agent of agents) agent.destroy();
    },
  };
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** Tells whether a read's object does not exist. A 404 without this code means a missing bucket, or comes from a proxy. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === 'NoSuchKey';
}

const foreign = (): Error => new Error('an answer that is not of S3');

/** Passes the answer to a put, a read or a HEAD. Throws if it has no ETag, which S3 always sends: a proxy's page, say. */
export function fromS3<T extends { ETag?: string | undefined }>(answer: T): T {
  if (!answer.ETag) throw foreign();
  return answer;
}

/** Passes a page of a list. Throws if it does not name the bucket, or the place to go on, as S3 always does. */
export function listedByS3(page: ListObjectsV2CommandOutput): ListObjectsV2CommandOutput {
  if (!page.Name || (page.IsTruncated && !page.NextContinuationToken)) throw foreign();
  return page;
}

/** Throws if the answer to a deletion is not S3's 204. */
export function deletedByS3({ $metadata }: DeleteObjectCommandOutput): void {
  if ($metadata.httpStatusCode !== 204) throw foreign();
}

/** Tells whether another attempt may avoid the error: a broken connection, a busy or failing server. */
export function mayPass(error: unknown): boolean {
  if (isFull(error) || error instanceof TypeError) return false;
  // NotFound is a 404 without S3's code, as from a proxy that finds no store behind it.
  if (error instanceof S3ServiceException)
    return (statusOf(error) ?? 500) >= 500 || statusOf(error) === 429 || /^(RequestTimeout|BadDigest|NotFound)$/.test(error.name);
  // Errors of the staged file itself would only happen again.
  return !/^(ENOENT|EACCES|EISDIR)$/.test((error as NodeJS.ErrnoException).code ?? '');
}

/** Tells whether the store reports that it has no space; stores use different names for it. */
function isFull(error: unknown): boolean {
  return error instanceof S3ServiceException && (statusOf(error) === 507 || /^(QuotaExceeded|XMinioStorageFull)$/.test(error.name));
}

/** Tells whether the store refuses every request (missing bucket, changed keys, wrong clock): an outage until an operator mends it. */
function refusesAll(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === 'NoSuchBucket' || [301, 401, 403].includes(statusOf(error) ?? 0));
}

/** Tells whether the store does not support or not allow a call. */
function refusesCall(error: unknown): boolean {
  const status = statusOf(error) ?? 0;
  return [400, 403, 405, 411, 501].includes(status);
}

/** Throws Refusal if the store is full, Unavailable if a later attempt may succeed, else the error itself. */
export function fail(error: unknown): never {
  if (isFull(error)) throw new Refusal('disk_full', { cause: error });
  nameForeignAnswer(error);
  throw mayPass(error) || refusesAll(error) ? new Unavailable('store', error) : error;
}

/** Names the HTTP status of an error that is not from S3, but from a proxy, say: the SDK has no text for it, or one about XML. */
function nameForeignAnswer(error: unknown): void {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const isOfS3 = error instanceof S3ServiceException && error.message !== 'UnknownError';
  if (status !== undefined && !isOfS3) (error as Error).message = `HTTP ${status}`;
}

/** The error for an object that the store does not delete; it may delete others. */
class Kept extends Error {}

/** Tells whether an error of a deletion is about its object alone: others may go. */
export const isKept = (error: unknown): boolean => error instanceof Kept || statusOf((error as Error).cause) === 403;

/**
 * Deletes many objects with one call; false if the store refuses that call. Throws Kept if it has kept one, Unavailable if it does not
 * confirm each deletion.
 */
export async function deleteTogether({ client, inTime }: ReturnType<typeof connectS3>, Bucket: string, names: string[]): Promise<boolean> {
  const Delete = { Objects: names.map((Key) => ({ Key })), Quiet: false };
  const answer = await client.send(new DeleteObjectsCommand({ Bucket, Delete }), inTime()).catch((error: unknown) => {
    return refusesCall(error) ? null : fail(error);
  });
  if (answer === null) return false;
  const [failed] = answer.Errors ?? [];
  if (failed) throw new Kept(`S3 kept an object: ${failed.Code}`);
  const deleted = new Set(answer.Deleted?.map(({ Key }) => Key));
  if (!names.every((name) => deleted.has(name))) throw new Unavailable('store', foreign());
  return true;
}

/** Finds out whether the store can delete many objects with one call, or only single ones. Throws if it cannot delete at all. */
export async function bucketDeletions(options: S3Options): Promise<'together' | 'single'> {
  using connection = connectS3(options);
  const { client, inTime } = connection;
  const names = [1, 2].map((n) => `${options.prefix}${PROBE}-${n}`);
  for (const Key of names) await client.send(new PutObjectCommand({ Bucket: options.bucket, Key, Body: 'ok' }), inTime()).then(fromS3);
  const together = await deleteTogether(connection, options.bucket, names.slice(0, 1));
  for (const Key of names) await client.send(new DeleteObjectCommand({ Bucket: options.bucket, Key }), inTime()).then(deletedByS3);
  return together ? 'together' : 'single';
}

/** Finds out whether the bucket keeps deleted objects; `suspended` keeps older versions. Throws if the store does not tell. */
export async function bucketVersioning(options: S3Options): Promise<'off' | 'on' | 'suspended'> {
  using connection = connectS3(options);
  const { client, inTime } = connection;
  const { Status, $metadata } = await client.send(new GetBucketVersioningCommand({ Bucket: options.bucket }), inTime());
  // For a bucket that never had versioning S3's answer is empty, as any server's could be.
  if (!$metadata.requestId) throw foreign();
  return Status === 'Enabled' ? 'on' : Status === 'Suspended' ? 'suspended' : 'off';
}
