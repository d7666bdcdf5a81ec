import type { Bytes } from '../../lib/bytes.ts';
import { createDigest } from '../../lib/stages.ts';
import { BlobMissing, type BlobStore } from '../../storage/blob-store.ts';
import { writeStaged } from '../../storage/staged-file.ts';
import type { Staging } from '../../storage/staging.ts';

/** Concurrent copies; each waits for the disk most of the time. */
const CONCURRENCY = 4;

/** A store of sealed bytes with its staging. */
export interface Store {
  blobs: BlobStore;
  staging: Staging;
}

interface Copied {
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

/**
 * Copies a blob from one store to another if `accept` accepts its size and checksum. Returns null if not, or if there is no such blob, or
 * none that can be read.
 */
export async function copyBlob(key: string, from: BlobStore, to: Store, accept: (copied: Copied) => boolean): Promise<Copied | null> {
  const path = to.staging.path();
  try {
    const copied = await measure(from.read(key), (pieces) => writeStaged(path, pieces));
    if (!accept(copied)) return null;
    await to.blobs.adopt(key, path);
    return copied;
  } catch (error) {
    if (error instanceof BlobMissing) return null;
    throw error;
  } finally {
    await to.staging.discard(path);
  }
}

/** Returns size and checksum of a blob; null if there is none, or none that can be read. */
export async function measureBlob(blobs: BlobStore, key: string): Promise<Copied | null> {
  try {
    return await measure(blobs.read(key));
  } catch (error) {
    if (error instanceof BlobMissing) return null;
    throw error;
  }
}

/** Passes a stream to `use` and returns its size and checksum. */
export async function measure(source: AsyncIterable<Bytes>, use: (pieces: AsyncIterable<Bytes>) => Promise<void> = drain): Promise<Copied> {
  const digest = createDigest();
  await use(digest.through(source));
  const { size, sha256 } = digest.result();
  return { size, sha256: Buffer.from(sha256).toString('hex') };
}

async function drain(pieces: AsyncIterable<Bytes>): Promise<void> {
  for await (const piece of pieces) void piece;
}

/** Yields the results of `work` in the items' order and runs several at once. After an error, all that was begun settles first. */
export async function* eachOf<T, R>(items: AsyncIterable<T>, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // Without this handler, an error that nobody awaits yet would be an unhandled rejection.
      result.catch(() => undefined);
      begun.push(result);
      if (begun.length === CONCURRENCY) yield await (begun.shift() as Promise<R>);
    }
    while (begun.length > 0) yield await (begun.shift() as Promise<R>);
  } finally {
    await Promise.allSettled(begun);
  }
}
