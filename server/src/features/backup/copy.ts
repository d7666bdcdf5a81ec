import { open } from 'node:fs/promises';
import type { Bytes } from '../../lib/bytes.ts';
import { createDigest } from '../../lib/stages.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { Staging } from '../../storage/staging.ts';

/** Concurrent copies: each waits for the disk most of the time. */
const CONCURRENCY = 4;

export interface Copied {
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Copies a blob from one store to another if `accept` accepts its size and checksum. Throws BlobMissing. */
export async function copyBlob(
  key: string,
  from: BlobStore,
  to: { blobs: BlobStore; staging: Staging },
  accept: (copied: Copied) => boolean,
): Promise<Copied | null> {
  const path = to.staging.path();
  try {
    const copied = await measure(from.read(key), async (pieces) => {
      const file = await open(path, 'wx', 0o600);
      try {
        for await (const piece of pieces) await file.writeFile(piece);
      } finally {
        await file.close();
      }
    });
    if (!accept(copied)) return null;
    await to.blobs.adopt(key, path);
    return copied;
  } finally {
    await to.staging.discard(path);
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

/** Runs `work` for every item, several at once; stops at the first error. */
export async function each<T>(items: AsyncIterable<T> | Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = (async function* () {
    yield* items;
  })();
  let failed = false;
  const worker = async (): Promise<void> => {
    while (!failed) {
      const next = await queue.next();
      if (next.done) return;
      try {
        await work(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  const broken = results.find((result) => result.status === 'rejected');
  if (broken) throw broken.reason;
}
