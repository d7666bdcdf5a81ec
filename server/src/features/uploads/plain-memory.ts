import type { Bytes } from '../../lib/bytes.ts';

const BLOCK_BYTES = 256 * 1024;
const WASM_PAGE_BYTES = 64 * 1024;

/** Room in memory for one upload's plain bytes on their way to the decoder. */
export interface PlainCopy extends Disposable {
  /** Copies a stream and passes it on in blocks that stay unchanged until disposal. Throws RangeError beyond the reserved size. */
  through(source: AsyncIterable<Bytes>): AsyncGenerator<Bytes>;
  /** Everything that was copied; may be read several times, not after disposal. */
  read(): AsyncGenerator<Bytes>;
}

export interface PlainMemory {
  /** Room for an upload of at most this size, or null where too little is free. */
  reserve(bytes: number): PlainCopy | null;
}

/**
 * A pool of `maxBytes` for plain bytes of uploads. A photo in it need not be read from disk and decrypted for the decoder.
 * Blocks are used again: touching fresh memory costs more than the copying saves. They are WebAssembly memory, which V8 keeps out of
 * forks: after each start of a process the first write to any other page costs a page fault (60 ms for 300 MB).
 */
export function createPlainMemory(maxBytes: number): PlainMemory {
  let freeBlocks = Math.floor(maxBytes / BLOCK_BYTES);
  const { buffer } = new WebAssembly.Memory({ initial: (freeBlocks * BLOCK_BYTES) / WASM_PAGE_BYTES });
  const pool = Array.from({ length: freeBlocks }, (_, n): Bytes => new Uint8Array(buffer, n * BLOCK_BYTES, BLOCK_BYTES));

  function reserve(bytes: number): PlainCopy | null {
    const reserved = Math.ceil(bytes / BLOCK_BYTES);
    if (reserved > freeBlocks) return null;
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
        for await (let piece of source) {
          while (piece.length > 0) {
            piece = piece.subarray(copyFrom(piece));
            if (lastFilled === BLOCK_BYTES) yield last();
          }
        }
        if (lastFilled < BLOCK_BYTES) yield last().subarray(0, lastFilled);
      },
      async *read() {
        for (const block of blocks) yield block === last() ? block.subarray(0, lastFilled) : block;
      },
      [Symbol.dispose]() {
        if (disposed) return;
        disposed = true;
        freeBlocks += reserved;
        pool.push(...blocks.splice(0));
      },
    };
  }

  return { reserve };
}
