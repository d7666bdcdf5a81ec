import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '../lib/bytes.ts';
import { createFairSemaphore } from '../lib/concurrency/fair-semaphore.ts';
import { PIECE_BYTES, type Way } from './staged-file.ts';

/** O_DIRECT needs lengths, file positions and memory addresses that are multiples of this. */
const BLOCK_BYTES = 4096;
/** Buffers are WebAssembly memory, because it begins at a page and is therefore aligned. */
const WASM_PAGE_BYTES = 64 * 1024;
/** Most concurrent writes. */
const WRITES = 8;

const semaphore = createFairSemaphore(WRITES);
/** One buffer for each concurrent write; allocated with the first write and then reused. */
let buffers: Bytes[] | null = null;

/** Whether files in this folder can be written without the kernel's file cache; some systems and file systems do not support it. */
export function directWorks(folder: string): boolean {
  if (constants.O_DIRECT === undefined) return false;
  const probe = join(folder, 'direct-probe');
  try {
    const file = openSync(probe, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_DIRECT, 0o600);
    try {
      return writeSync(file, freeBuffers()[0] as Bytes, 0, BLOCK_BYTES, 0) === BLOCK_BYTES;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  } finally {
    rmSync(probe, { force: true });
  }
}

/**
 * Writes without the kernel's file cache, for bytes that are not read again soon: in the cache they would replace bytes that are. It
 * saves 9 % of the server's processor time for a photo of 5 MB (26.3 against 29.0 ms, on two cores).
 */
export const direct: Way = { flags: constants.O_DIRECT, write: writeBlocks };

/** Writes `length` bytes, given in pieces, at a position that is a multiple of a block. The last block is padded. */
async function writeBlocks(file: FileHandle, pieces: Bytes[], length: number, position: number): Promise<void> {
  using _place = await semaphore.acquire();
  const free = freeBuffers();
  const buffer = free.pop() as Bytes;
  try {
    let end = 0;
    for (const piece of pieces) {
      buffer.set(piece, end);
      end += piece.length;
    }
    const padded = Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES;
    for (let at = 0; at < padded;) {
      const { bytesWritten } = await file.write(buffer, at, padded - at, position + at);
      const blocks = bytesWritten - (bytesWritten % BLOCK_BYTES);
      if (blocks === 0) throw Object.assign(new Error('the disk takes no whole block'), { code: 'ENOSPC' });
      at += blocks;
    }
  } finally {
    free.push(buffer);
  }
}

function freeBuffers(): Bytes[] {
  if (!buffers) {
    const { buffer } = new WebAssembly.Memory({ initial: (WRITES * PIECE_BYTES) / WASM_PAGE_BYTES });
    buffers = Array.from({ length: WRITES }, (_, n) => new Uint8Array(buffer, n * PIECE_BYTES, PIECE_BYTES));
  }
  return buffers;
}
