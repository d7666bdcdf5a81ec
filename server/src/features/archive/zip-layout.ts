import type { Bytes } from '../../lib/bytes.ts';
import type { ZipTime } from './zip-time.ts';

/**
 * Computes the place of every byte of a ZIP with stored (not compressed) entries from the list of entries (APPNOTE.TXT 6.3.10).
 * ZIP64 fields are only used where they are needed, so that all programs can open small archives.
 */
export interface ZipEntry {
  /** Path with `/`, at most 65,535 bytes of UTF-8. */
  name: string;
  size: number;
  /** Unsigned 32 bit. */
  crc32: number;
  time: ZipTime;
}

/** Bytes of the ZIP's structure, or bytes [start, end) of an entry's content. */
export type ZipPiece = { bytes: Bytes } | { entry: number; start: number; end: number };

export interface ZipLayout {
  /** Bytes of the whole archive. */
  size: number;
  /** The pieces that make up bytes [start, end) of the archive, in order. */
  pieces(start: number, end: number): Generator<ZipPiece>;
}

const MAX16 = 0xffff;
const MAX32 = 0xffff_ffff;
const LOCAL_HEADER = 30;
const CENTRAL_HEADER = 46;
const TIME_EXTRA = 9;
const ZIP64_END = 56 + 20;
const END = 22;
const STORED = 20;
const ZIP64 = 45;
const UTF8_NAMES = 0x0800;
/** "Made by" Unix, so that the attributes are a Unix file mode. */
const MADE_BY = 3 << 8;
const PLAIN_FILE = (0o100644 << 16) >>> 0;
/** Bytes of the central directory that are yielded together. */
const CENTRAL_PIECE = 64 * 1024;

export function layoutZip(entries: readonly ZipEntry[]): ZipLayout {
  const count = entries.length;
  /** Offset of each local header; the last element is the offset of the central directory. */
  const local = new Float64Array(count + 1);
  /** Offset of each central header; the last element is the offset of the end records. */
  const central = new Float64Array(count + 1);
  for (const [i, entry] of entries.entries()) local[i + 1] = at(local, i) + localLength(entry) + entry.size;
  central[0] = at(local, count);
  for (const [i, entry] of entries.entries()) central[i + 1] = at(central, i) + centralLength(entry, at(local, i));
  const ends = endRecords(count, at(local, count), at(central, count));

  /** Headers and contents of the entries that touch [start, end). */
  function* contents(start: number, end: number): Generator<ZipPiece> {
    for (let i = lastAtOrBefore(local, start); i < count && at(local, i) < end; i += 1) {
      const entry = entries[i] as ZipEntry;
      const begin = at(local, i) + localLength(entry);
      if (start < begin) yield { bytes: cut(localHeader(entry), at(local, i), start, end) };
      const [from, to] = [Math.max(start - begin, 0), Math.min(end - begin, entry.size)];
      if (from < to) yield { entry: i, start: from, end: to };
    }
  }

  /** The central headers that touch [start, end), joined to pieces of a useful size. */
  function* directory(start: number, end: number): Generator<ZipPiece> {
    let i = lastAtOrBefore(central, start);
    while (i < count && at(central, i) < end) {
      const first = i;
      const headers: Bytes[] = [];
      while (i < count && at(central, i) < end && at(central, i) - at(central, first) < CENTRAL_PIECE) {
        headers.push(centralHeader(entries[i] as ZipEntry, at(local, i)));
        i += 1;
      }
      yield { bytes: cut(Buffer.concat(headers), at(central, first), start, end) };
    }
  }

  return {
    size: at(central, count) + ends.length,
    *pieces(start, end) {
      if (start >= end) return;
      if (start < at(local, count)) yield* contents(start, end);
      if (start < at(central, count) && end > at(local, count)) yield* directory(Math.max(start, at(local, count)), end);
      if (end > at(central, count)) yield { bytes: cut(ends, at(central, count), start, end) };
    },
  };
}

function at(offsets: Float64Array, index: number): number {
  return offsets[index] as number;
}

/** Index of the last offset that is not above `position`. The offsets are ascending. */
function lastAtOrBefore(offsets: Float64Array, position: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (at(offsets, middle) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The part of bytes at `offset` that belongs to [start, end). */
function cut(bytes: Bytes, offset: number, start: number, end: number): Bytes {
  return bytes.subarray(Math.max(start - offset, 0), Math.min(end - offset, bytes.length));
}

function nameLength(entry: ZipEntry): number {
  return Buffer.byteLength(entry.name);
}

function localLength(entry: ZipEntry): number {
  return LOCAL_HEADER + nameLength(entry) + TIME_EXTRA + (entry.size >= MAX32 ? 20 : 0);
}

function centralLength(entry: ZipEntry, offset: number): number {
  return CENTRAL_HEADER + nameLength(entry) + TIME_EXTRA + zip64Extra(centralLarge(entry, offset)).length;
}

function localHeader(entry: ZipEntry): Bytes {
  const large = entry.size >= MAX32 ? [entry.size, entry.size] : [];
  const fixed = Buffer.alloc(LOCAL_HEADER);
  fixed.writeUInt32LE(0x0403_4b50, 0);
  writeCommon(fixed, 4, entry, large.length > 0);
  fixed.writeUInt16LE(TIME_EXTRA + zip64Extra(large).length, 28);
  return Buffer.concat([fixed, Buffer.from(entry.name), timeExtra(entry.time), zip64Extra(large)]);
}

function centralHeader(entry: ZipEntry, offset: number): Bytes {
  const large = centralLarge(entry, offset);
  const fixed = Buffer.alloc(CENTRAL_HEADER);
  fixed.writeUInt32LE(0x0201_4b50, 0);
  fixed.writeUInt16LE(MADE_BY | (large.length > 0 ? ZIP64 : STORED), 4);
  writeCommon(fixed, 6, entry, large.length > 0);
  fixed.writeUInt16LE(TIME_EXTRA + zip64Extra(large).length, 30);
  fixed.writeUInt32LE(PLAIN_FILE, 38);
  fixed.writeUInt32LE(Math.min(offset, MAX32), 42);
  return Buffer.concat([fixed, Buffer.from(entry.name), timeExtra(entry.time), zip64Extra(large)]);
}

/** The numbers of a central header that need 64 bits, in the order of the ZIP64 field. */
function centralLarge(entry: ZipEntry, offset: number): number[] {
  return [entry.size, entry.size, offset].filter((value) => value >= MAX32);
}

/** Writes the fields that both headers have: version needed, flags, method, time, CRC, sizes, length of the name. */
function writeCommon(header: Buffer, from: number, entry: ZipEntry, large: boolean): void {
  header.writeUInt16LE(large ? ZIP64 : STORED, from);
  header.writeUInt16LE(UTF8_NAMES, from + 2);
  header.writeUInt16LE(0, from + 4);
  header.writeUInt32LE(entry.time.dos, from + 6);
  header.writeUInt32LE(entry.crc32, from + 10);
  header.writeUInt32LE(Math.min(entry.size, MAX32), from + 14);
  header.writeUInt32LE(Math.min(entry.size, MAX32), from + 18);
  header.writeUInt16LE(nameLength(entry), from + 22);
}

/** Extended timestamp (0x5455): the modification time in UTC; the DOS time has no time zone. */
function timeExtra(time: ZipTime): Bytes {
  const extra = Buffer.alloc(TIME_EXTRA);
  extra.writeUInt16LE(0x5455, 0);
  extra.writeUInt16LE(5, 2);
  extra.writeUInt8(1, 4);
  extra.writeInt32LE(time.seconds, 5);
  return extra;
}

function zip64Extra(values: readonly number[]): Bytes {
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(0x0001, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [i, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
  return extra;
}

/** The end of the central directory, after its ZIP64 records if a number needs them. */
function endRecords(count: number, directory: number, directoryEnd: number): Bytes {
  const size = directoryEnd - directory;
  const large = count >= MAX16 || size >= MAX32 || directory >= MAX32;
  const end = Buffer.alloc(END);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(large ? MAX16 : count, 8);
  end.writeUInt16LE(large ? MAX16 : count, 10);
  end.writeUInt32LE(large ? MAX32 : size, 12);
  end.writeUInt32LE(large ? MAX32 : directory, 16);
  if (!large) return end;

  const zip64 = Buffer.alloc(ZIP64_END);
  zip64.writeUInt32LE(0x0606_4b50, 0);
  zip64.writeBigUInt64LE(44n, 4);
  zip64.writeUInt16LE(MADE_BY | ZIP64, 12);
  zip64.writeUInt16LE(ZIP64, 14);
  zip64.writeBigUInt64LE(BigInt(count), 24);
  zip64.writeBigUInt64LE(BigInt(count), 32);
  zip64.writeBigUInt64LE(BigInt(size), 40);
  zip64.writeBigUInt64LE(BigInt(directory), 48);
  zip64.writeUInt32LE(0x0706_4b50, 56);
  zip64.writeBigUInt64LE(BigInt(directoryEnd), 64);
  zip64.writeUInt32LE(1, 72);
  return Buffer.concat([zip64, end]);
}
