import { free } from '../../../lib/buffer-handover.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { collectGarbage, wasmMemory } from '../../../lib/memory.ts';

const BLOCK_BYTES = 256 * 1024;
/** Time without an upload after which the pool is returned to the system. */
const IDLE_MS = 60_000;

/** Memory reserved for one upload's plain bytes on their way to the decoder. */
export interface PlainCopy extends Disposable {
  /**
   * Copies a stream, frees the buffers that were handed over, and passes the bytes on in blocks that stay unchanged until disposal. Throws
   * RangeError beyond the reserved size.
   */
  through(source: AsyncIterable<Bytes>): AsyncGenerator<Bytes>;
  /** Whether the memory was given back: nothing can be read any more. */
  readonly isFreed: boolean;
  /** Reads everything that was copied, as often as wanted. Throws after disposal. */
  read(): AsyncGenerator<Bytes>;
}

export type PlainMemory = ReturnType<typeof createPlainMemory>;

/**
 * A pool of `maxBytes` for plain bytes of uploads. A photo in it need not be read from disk and decrypted for the decoder: that saves 18 %
 * of the server's processor time for a photo of 5 MB (26.3 against 31.9 ms, on two cores). Blocks are used again: touching fresh memory
 * costs more than the copying saves. They are WebAssembly memory, which V8 keeps out of forks: after each start of a process the first
 * write to any other page costs a page fault (60 ms for 300 MB). The pool exists from the first upload until there was none for a minute.
 */
export function createPlainMemory(maxBytes: number) {
  const allBlocks = Math.floor(maxBytes / BLOCK_BYTES);
  let freeBlocks = allBlocks;
  let pool: Bytes[] = [];
  let idle: NodeJS.Timeout | undefined;

  function allocate(): Bytes[] {
    const buffer = wasmMemory(allBlocks * BLOCK_BYTES);
    return Array.from({ length: allBlocks }, (_, n): Bytes => new Uint8Array(buffer, n * BLOCK_BYTES, BLOCK_BYTES));
  }

  /** Reserves memory for an upload of at most this size; null if too little is free. */
  function reserve(bytes: number): PlainCopy | null {
    const reserved = Math.ceil(bytes / BLOCK_BYTES);
    if (reserved > freeBlocks) return null;
    clearTimeout(idle);
    if (freeBlocks === allBlocks && pool.length === 0) pool = allocate();
    freeBlocks -= reserved;
    const blocks: Bytes[] = [];
    let lastFilled = BLOCK_BYTES;
    let disposed = false;

    const last = (): Bytes => blocks.at(-1) as Bytes;
    function copyFrom(piece: Bytes): number {
      if (lastFilled === BLOCK_BYTES) {
        if (blocks.length === reserved) throw new RangeError('more bytes than were reserved');
        blocks.push(pool.pop() as Bytes);
        lastFilled = 0;
      }
      const part = piece.subarray(0, BLOCK_BYTES - lastFilled);
      last().set(part, lastFilled);
      lastFilled += part.length;
      return part.length;
    }

    return {
      async *through(source) {
        for await (const piece of source) {
          for (let at = 0; at < piece.length;) {
            at += copyFrom(piece.subarray(at));
            if (lastFilled === BLOCK_BYTES) yield last();
          }
          free(piece);
        }
        if (lastFilled < BLOCK_BYTES) yield last().subarray(0, lastFilled);
      },
      get isFreed() {
        return disposed;
      },
      async *read() {
        if (disposed) throw new Error('this memory was given back');
        for (const block of blocks) yield block === last() ? block.subarray(0, lastFilled) : block;
      },
      [Symbol.dispose]() {
        if (disposed) return;
        disposed = true;
        freeBlocks += reserved;
        pool.push(...blocks.splice(0));
        if (freeBlocks < allBlocks) return;
        clearTimeout(idle);
        idle = setTimeout(() => {
          pool = [];
          collectGarbage();
        }, IDLE_MS).unref();
      },
    };
  }

  return { reserve };
}
