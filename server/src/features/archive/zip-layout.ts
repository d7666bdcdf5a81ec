import type { Bytes } from '../../lib/bytes.ts';
import { firstIndex } from '../../lib/first-index.ts';

/** The time of an entry in the two forms that a ZIP has. */
export interface ZipTime {
  /** MS-DOS date (upper 16 bits) and time (lower), local, in steps of two seconds. */
  dos: number;
  /** Seconds since 1970, UTC, signed 32 bit. */
  seconds: number;
}

/** An entry of a ZIP; entries are stored, not compressed. */
export interface ZipEntry {
  /** Path with `/`, at most 65,535 bytes of UTF-8. */
  name: string;
  size: number;
  /** CRC-32, unsigned. */
  crc32: number;
  time: ZipTime;
}

/** Bytes of the ZIP's structure, or bytes [start, end) of an entry's content. */
export type ZipPiece = { bytes: Bytes } | { entry: number; start: number; end: number };

export type ZipLayout = ReturnType<typeof layoutZip>;

const MAX16 = 0xffff;
const MAX32 = 0xffff_ffff;
const LOCAL_HEADER = 30;
const CENTRAL_HEADER = 46;
const TIME_EXTRA = 9;
const STORED = 20;
const ZIP64 = 45;
const UTF8_NAMES = 0x0800;
/** "Made by" Unix, so that the attributes are a Unix file mode. */
const MADE_BY = 3 << 8;
const PLAIN_FILE = (0o100644 << 16) >>> 0;
/** Bytes of the central directory per piece. */
const CENTRAL_PIECE = 64 * 1024;

const BERLIN = 'Europe/Berlin';
const MAX_SECONDS = 0x7fff_ffff;
/** The first and the last time that fit into DOS fields. */
const FIRST = Temporal.PlainDateTime.from('1980-01-01T00:00');
const LAST = Temporal.PlainDateTime.from('2107-12-31T23:59:58');

/**
 * Computes the place of every byte of a ZIP from the list of its entries (APPNOTE.TXT 6.3.10). Uses ZIP64 fields only where they are
 * needed, so that all programs can open small archives.
 */
export function layoutZip(entries: readonly ZipEntry[]) {
  const count = entries.length;
  /** Offset of each local header; the last element is the offset of the central directory. */
  const local = new Float64Array(count + 1);
  /** Offset of each central header; the last element is the offset of the end records. */
  const central = new Float64Array(count + 1);
  for (const [i, entry] of entries.entries()) local[i + 1] = at(local, i) + localLength(entry) + entry.size;
  central[0] = at(local, count);
  for (const [i, entry] of entries.entries()) central[i + 1] = at(central, i) + centralLength(entry, at(local, i));
  const ends = endRecords(count, at(local, count), at(central, count));

  /** Yields headers and contents of the entries that touch [start, end). */
  function* contents(start: number, end: number): Generator<ZipPiece> {
    for (let i = lastAtOrBefore(local, start); i < count && at(local, i) < end; i += 1) {
      const entry = entries[i] as ZipEntry;
      const begin = at(local, i) + localLength(entry);
      if (start < begin) yield { bytes: cut(localHeader(entry), at(local, i), start, end) };
      const [from, to] = [Math.max(start - begin, 0), Math.min(end - begin, entry.size)];
      if (from < to) yield { entry: i, start: from, end: to };
    }
  }

  /** Yields the central headers that touch [start, end), joined to pieces of a useful size. */
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
    /** Size of the whole archive in bytes. */
    size: at(central, count) + ends.length,
    /** Yields the pieces that make up bytes [start, end) of the archive, in order. */
    *pieces(start: number, end: number): Generator<ZipPiece> {
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

/** Returns the index of the last offset that is not above `position`. The offsets are ascending. */
function lastAtOrBefore(offsets: Float64Array, position: number): number {
  return firstIndex(offsets.length, (index) => at(offsets, index) > position) - 1;
}

/** Returns the part of bytes at `offset` that belongs to [start, end). */
function cut(bytes: Bytes, offset: number, start: number, end: number): Bytes {
  return bytes.subarray(Math.max(start - offset, 0), Math.min(end - offset, bytes.length));
}

function nameLength(entry: ZipEntry): number {
  return Buffer.byteLength(entry.name);
}

function localLength(entry: ZipEntry): number {
  return LOCAL_HEADER + nameLength(entry) + extraLength(localLarge(entry));
}

function centralLength(entry: ZipEntry, offset: number): number {
  return CENTRAL_HEADER + nameLength(entry) + extraLength(centralLarge(entry, offset));
}

function localHeader(entry: ZipEntry): Bytes {
  const large = localLarge(entry);
  return Buffer.concat([pack('I', 0x0403_4b50), common(entry, large), Buffer.from(entry.name), extras(entry.time, large)]);
}

function centralHeader(entry: ZipEntry, offset: number): Bytes {
  const large = centralLarge(entry, offset);
  const start = pack('IH', 0x0201_4b50, MADE_BY | versionFor(large));
  // The zeros are the length of the comment, the number of the disk and the internal attributes.
  const rest = pack('HHHII', 0, 0, 0, PLAIN_FILE, Math.min(offset, MAX32));
  return Buffer.concat([start, common(entry, large), rest, Buffer.from(entry.name), extras(entry.time, large)]);
}

/** Returns the numbers of a header that need 64 bits, in the order of the ZIP64 field; a local header has both sizes there, or none. */
const localLarge = ({ size }: ZipEntry): number[] => [size, size].filter((value) => value >= MAX32);
const centralLarge = ({ size }: ZipEntry, offset: number): number[] => [size, size, offset].filter((value) => value >= MAX32);
const versionFor = (large: number[]): number => (large.length > 0 ? ZIP64 : STORED);

/**
 * Packs the fields that both headers have: version needed, flags, method, time, CRC, sizes, lengths of the name and of the extra fields.
 */
function common(entry: ZipEntry, large: number[]): Bytes {
  const size = Math.min(entry.size, MAX32);
  const lengths = [nameLength(entry), extraLength(large)];
  return pack('HHHIIIIHH', versionFor(large), UTF8_NAMES, 0, entry.time.dos, entry.crc32, size, size, ...lengths);
}

/** Packs the extra fields: an extended timestamp (0x5455) in UTC, as the DOS time has no time zone, and the ZIP64 field where needed. */
function extras({ seconds }: ZipTime, large: number[]): Bytes {
  const time = pack('HHBI', 0x5455, 5, 1, seconds);
  return large.length === 0 ? time : Buffer.concat([time, pack(`HH${'Q'.repeat(large.length)}`, 0x0001, 8 * large.length, ...large)]);
}

function extraLength(large: number[]): number {
  return TIME_EXTRA + (large.length === 0 ? 0 : 4 + 8 * large.length);
}

/** Packs the end of the central directory, after its ZIP64 records if a number needs them. */
function endRecords(count: number, directory: number, directoryEnd: number): Bytes {
  const size = directoryEnd - directory;
  if (count < MAX16 && size < MAX32 && directory < MAX32) return pack('IHHHHIIH', 0x0605_4b50, 0, 0, count, count, size, directory, 0);
  const end = pack('IHHHHIIH', 0x0605_4b50, 0, 0, MAX16, MAX16, MAX32, MAX32, 0);
  const zip64 = pack('IQHHIIQQQQ', 0x0606_4b50, 44, MADE_BY | ZIP64, ZIP64, 0, 0, count, count, size, directory);
  const locator = pack('IIQI', 0x0706_4b50, 0, directoryEnd, 1);
  return Buffer.concat([zip64, locator, end]);
}

/** Packs numbers in little-endian; the letters are those of Python's `struct`: B is 1 byte, H 2, I 4, Q 8. */
function pack(format: string, ...numbers: number[]): Bytes {
  const bytes = Buffer.alloc(8 * numbers.length);
  let at = 0;
  for (const [i, value] of numbers.entries()) {
    if (format[i] === 'B') at = bytes.writeUInt8(value, at);
    else if (format[i] === 'H') at = bytes.writeUInt16LE(value, at);
    else if (format[i] === 'I') at = bytes.writeUInt32LE(value >>> 0, at);
    else at = bytes.writeBigUInt64LE(BigInt(value), at);
  }
  return bytes.subarray(0, at);
}

/**
 * Returns the time of an entry: when the photo was taken (camera's local time `2026-05-17T21:04:00`, assumed to be Berlin's), else when it
 * was received (ms since 1970). Years that a ZIP cannot express become the first or last possible one.
 */
export function zipTime(takenAt: string | null, receivedAt: number): ZipTime {
  const time = (takenAt !== null && takenTime(takenAt)) || Temporal.Instant.fromEpochMilliseconds(receivedAt).toZonedDateTimeISO(BERLIN);
  const seconds = Math.floor(time.epochMilliseconds / 1000);
  return { dos: dosTime(time), seconds: Math.min(Math.max(seconds, -MAX_SECONDS), MAX_SECONDS) };
}

function takenTime(text: string): Temporal.ZonedDateTime | null {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(BERLIN);
  } catch {
    return null;
  }
}

function dosTime(time: Temporal.ZonedDateTime): number {
  const [, { year, month, day, hour, minute, second }] = [FIRST, time.toPlainDateTime(), LAST].sort(Temporal.PlainDateTime.compare) as [
    Temporal.PlainDateTime,
    Temporal.PlainDateTime,
  ];
  const date = ((year - 1980) << 9) | (month << 5) | day;
  return ((date << 16) | (hour << 11) | (minute << 5) | (second >> 1)) >>> 0;
}
