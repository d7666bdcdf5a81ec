/** Reads the end of a ZIP as APPNOTE.TXT describes it, independently of the code that writes it. */

export interface FoundEntry {
  name: string;
  size: number;
  crc: number;
  /** Offset of the local header. */
  offset: number;
}

/** Reads the end records. `tail` are the archive's last bytes, beginning at byte `tailAt`; they must hold the whole central directory. */
export function zipEnd(tail: Buffer, tailAt: number): { count: number; directoryAt: number; zip64: boolean } {
  const end = tail.length - 22;
  if (tail.readUInt32LE(end) !== 0x0605_4b50) throw new Error('no end record');
  if (tail.readUInt16LE(end + 10) !== 0xffff) {
    return { count: tail.readUInt16LE(end + 10), directoryAt: tail.readUInt32LE(end + 16), zip64: false };
  }
  const locator = end - 20;
  if (tail.readUInt32LE(locator) !== 0x0706_4b50) throw new Error('no ZIP64 locator');
  const record = Number(tail.readBigUInt64LE(locator + 8)) - tailAt;
  if (tail.readUInt32LE(record) !== 0x0606_4b50) throw new Error('no ZIP64 end record');
  return { count: Number(tail.readBigUInt64LE(record + 32)), directoryAt: Number(tail.readBigUInt64LE(record + 48)), zip64: true };
}

export function centralEntries(tail: Buffer, tailAt: number): FoundEntry[] {
  const { count, directoryAt } = zipEnd(tail, tailAt);
  const entries: FoundEntry[] = [];
  let at = directoryAt - tailAt;
  for (let i = 0; i < count; i += 1) {
    if (tail.readUInt32LE(at) !== 0x0201_4b50) throw new Error(`no central header at ${at}`);
    const [nameLength, extraLength] = [tail.readUInt16LE(at + 28), tail.readUInt16LE(at + 30)];
    const name = nameOf(tail.subarray(at + 46, at + 46 + nameLength), tail.readUInt16LE(at + 8));
    const wide = zip64Values(tail.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength));
    const number = (value: number): number => (value === 0xffff_ffff ? Number(wide.shift()) : value);
    const size = number(tail.readUInt32LE(at + 24));
    number(tail.readUInt32LE(at + 20));
    entries.push({ name, size, crc: tail.readUInt32LE(at + 16), offset: number(tail.readUInt32LE(at + 42)) });
    at += 46 + nameLength + extraLength;
  }
  return entries;
}

/** Reads a name as Windows does: without bit 11 of the flags it is not UTF-8 but in an old code page. */
export function nameOf(bytes: Buffer, flags: number): string {
  return bytes.toString((flags & 0x0800) === 0 ? 'latin1' : 'utf8');
}

function zip64Values(extra: Buffer): bigint[] {
  for (let at = 0; at < extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const length = extra.readUInt16LE(at + 2);
    return Array.from({ length: length / 8 }, (_, i) => extra.readBigUInt64LE(at + 4 + 8 * i));
  }
  return [];
}
