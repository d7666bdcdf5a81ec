/** Reads the codecs of sample entries, as strings of RFC 6381; null: not accepted. */
import { boxesIn, find, type Box } from './boxes.ts';
import { NotTaken, type SparseFile } from './sparse-file.ts';

/** Bytes of a VisualSampleEntry's content before its boxes. */
export const VISUAL_BYTES = 78;
/** Bytes of a sound's sample entry before its boxes, by its QuickTime version. */
export const SOUND_BYTES = [28, 44, 64] as const;
const ENCRYPTED = new Set(['encv', 'enca', 'encs', 'enct', 'drmi', 'drms']);

const hex = (byte: number): string => byte.toString(16).padStart(2, '0').toUpperCase();
const two = (number: number): string => String(number).padStart(2, '0');

/** Throws NotTaken for an encrypted entry. */
function refuseEncrypted(entry: Box, boxes: Box[]): void {
  if (ENCRYPTED.has(entry.type) || boxes.some(({ type }) => type === 'sinf')) throw new NotTaken('a track is encrypted');
}

/** Reads the codec of a picture's sample entry. */
export function pictureCodec(file: SparseFile, entry: Box): string | null {
  const boxes = entry.end - entry.content > VISUAL_BYTES ? boxesIn(file, entry.content + VISUAL_BYTES, entry.end) : [];
  refuseEncrypted(entry, boxes);
  const config = (type: string, least: number): Buffer => {
    const box = find({ children: boxes }, type);
    const bytes = box && file.bytes(box.content, box.end);
    if (!bytes || bytes.length < least) throw new NotTaken(`no ${type}`);
    return bytes;
  };
  switch (entry.type) {
    case 'avc1':
    case 'avc3':
      return `${entry.type}.${[...config('avcC', 4).subarray(1, 4)].map(hex).join('')}`;
    case 'hvc1':
    case 'hev1':
      return `${entry.type}.${hevcProfile(config('hvcC', 13))}`;
    case 'av01':
      return av1Codec(config('av1C', 4));
    case 'vp08':
      return 'vp8';
    case 'vp09': {
      const [profile, level, depth] = config('vpcC', 8).subarray(4, 7) as unknown as [number, number, number];
      return `vp09.${two(profile)}.${two(level)}.${two(depth >> 4)}`;
    }
    default:
      return null;
  }
}

/** Formats the profile by ISO/IEC 14496-15, annex E.3. */
function hevcProfile(config: Buffer): string {
  const first = config[1] as number;
  const space = ['', 'A', 'B', 'C'][first >> 6];
  let compatibility = config.readUInt32BE(2);
  let reversed = 0;
  for (let bit = 0; bit < 32; bit++) {
    reversed = ((reversed << 1) | (compatibility & 1)) >>> 0;
    compatibility >>>= 1;
  }
  const constraints = [...config.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  const parts = [`${space}${first & 31}`, reversed.toString(16).toUpperCase(), `${first & 32 ? 'H' : 'L'}${config[12]}`];
  return [...parts, ...constraints.map((byte) => byte.toString(16).toUpperCase())].join('.');
}

/** Formats the codec by AV1 Codec ISO Media File Format Binding, §5, from the content of `av1C`. */
export function av1Codec(config: Buffer): string {
  const [second, third] = [config[1] as number, config[2] as number];
  const depth = third & 0x40 ? (third & 0x20 ? 12 : 10) : 8;
  return `av01.${second >> 5}.${two(second & 31)}${third & 0x80 ? 'H' : 'M'}.${two(depth)}`;
}

/** Reads the codec of a sound's sample entry. */
export function soundCodec(file: SparseFile, entry: Box): string | null {
  if (entry.end - entry.content < SOUND_BYTES[0]) throw new NotTaken('a box is too short');
  // In MP4 this field is reserved and 0.
  const version = file.bytes(entry.content + 8, entry.content + 10).readUInt16BE(0);
  const from = entry.content + (SOUND_BYTES[version] ?? SOUND_BYTES[0]);
  const boxes = from < entry.end ? boxesIn(file, from, entry.end) : [];
  refuseEncrypted(entry, boxes);
  if (entry.type === 'Opus') return 'opus';
  if (entry.type === '.mp3') return 'mp3';
  if (entry.type !== 'mp4a') return null;
  const esds = find({ children: boxes }, 'esds') ?? find({ children: boxes }, 'wave', 'esds');
  if (!esds) throw new NotTaken('no esds');
  return mpeg4Sound(file.bytes(esds.content, esds.end));
}

/** Reads the codec from an `esds`: ISO/IEC 14496-1, 7.2.6. */
function mpeg4Sound(esds: Buffer): string | null {
  let at = 4;
  const byte = (): number => {
    const value = esds[at++];
    if (value === undefined) throw new NotTaken('an esds is too short');
    return value;
  };
  const enter = (tag: number): void => {
    if (byte() !== tag) throw new NotTaken('an esds without its descriptors');
    for (let more = 1; more <= 4 && byte() & 0x80; more++);
  };
  enter(3);
  at += 2;
  const flags = byte();
  if (flags & 0x80) at += 2;
  if (flags & 0x40) at += byte();
  if (flags & 0x20) at += 2;
  enter(4);
  const object = byte();
  if (object === 0x69 || object === 0x6b) return 'mp3';
  if (object >= 0x66 && object <= 0x68) return `mp4a.${object.toString(16)}`;
  if (object !== 0x40) return null;
  at += 12;
  enter(5);
  const type = byte() >> 3;
  return `mp4a.40.${type === 31 ? 32 + (((esds[at - 1] as number) & 7) << 3) + (byte() >> 5) : type}`;
}
