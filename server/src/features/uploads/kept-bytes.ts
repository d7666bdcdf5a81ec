import type { Bytes } from '../../lib/bytes.ts';

const SLAB = 256 * 1024;

/** The plain bytes of an upload on their way to the decoder, in memory. */
export interface Kept {
  /** Passes a stream of at most the promised size on, in slabs that stay as they are until `release`. */
  through(source: AsyncIterable<Bytes>): AsyncGenerator<Bytes>;
  /** All that has passed, as often as asked. */
  read(): AsyncGenerator<Bytes>;
  /** Gives the memory to the next: nobody may still be reading. */
  release(): void;
}

export interface KeptBytes {
  /** Room for an upload of at most this size; null where too little is free. */
  keep(size: number): Kept | null;
}

/**
 * Memory for so many bytes of uploads in all, used again and again: it saves reading, opening and holding them a second time,
 * and fresh memory costs more than what is done with it. Whoever finds no room
 * is read from the disk.
 */
export function createKeptBytes(most: number): KeptBytes {
  const free: Bytes[] = [];
  let room = Math.floor(most / SLAB);

  function keep(size: number): Kept | null {
    const promised = Math.ceil(size / SLAB);
    if (promised > room) return null;
    room -= promised;
    const slabs: Bytes[] = [];
    /** Bytes in the last slab. */
    let filled = SLAB;
    let released = false;

    function add(piece: Bytes): number {
      if (filled === SLAB) {
        if (slabs.length === promised) throw new RangeError('more bytes than were promised');
        slabs.push(free.pop() ?? Buffer.allocUnsafeSlow(SLAB));
        filled = 0;
      }
      const part = piece.subarray(0, SLAB - filled);
      last().set(part, filled);
      filled += part.length;
      return part.length;
    }
    const last = (): Bytes => slabs.at(-1) as Bytes;

    return {
      async *through(source) {
        for await (let piece of source) {
          while (piece.length > 0) {
            piece = piece.subarray(add(piece));
            if (filled === SLAB) yield last();
          }
        }
        if (filled < SLAB) yield last().subarray(0, filled);
      },
      async *read() {
        for (const slab of slabs) yield slab === last() ? slab.subarray(0, filled) : slab;
      },
      release() {
        if (released) return;
        released = true;
        room += promised;
        free.push(...slabs.splice(0));
      },
    };
  }

  return { keep };
}
