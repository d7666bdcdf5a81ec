/** Where the samples of fragments lie (ISO/IEC 14496-12, 8.8). */
import { contentOf, must, type Box } from './boxes.ts';
import { NotTaken, type SparseFile } from './sparse-file.ts';

/** Bytes of each optional field, by its flag, in their order. */
type Fields = Readonly<Record<number, number>>;

const BASE_OFFSET = 0x1;
const SIZE = 0x10;
const FROM_MOOF = 0x2_0000;
export const HEADER_FIELDS: Fields = { [BASE_OFFSET]: 8, 0x2: 4, 0x8: 4, [SIZE]: 4, 0x20: 4 };
const RUN_OFFSET = 0x1;
export const RUN_FIELDS: Fields = { [RUN_OFFSET]: 4, 0x4: 4 };
const EACH_SIZE = 0x200;
export const SAMPLE_FIELDS: Fields = { 0x100: 4, [EACH_SIZE]: 4, 0x400: 4, 0x800: 4 };

/** Of the fields that are there by these flags; before one of them by the flags below its own. */
export function bytesOf(fields: Fields, flags: number): number {
  return Object.entries(fields).reduce((sum, [flag, bytes]) => sum + (flags & Number(flag) ? bytes : 0), 0);
}

/** The number of a track, by its header. */
export function trackId(file: SparseFile, trak: Box): number {
  const header = contentOf(file, must(trak, 'tkhd'), 24);
  return header.readUInt32BE(header[0] === 1 ? 20 : 12);
}

/** How long a sample of a track is where its fragments do not say. */
export function trackSizes(file: SparseFile, mvex: Box | undefined): Map<number, number> {
  const defaults = (mvex?.children ?? []).filter(({ type }) => type === 'trex').map((trex) => contentOf(file, trex, 24));
  return new Map(defaults.map((trex) => [trex.readUInt32BE(4), trex.readUInt32BE(16)]));
}

/** The runs of samples of a fragment as [start, end), of those `traf` that are `wanted`. Throws NotTaken where its tables contradict each other. */
export function fragmentSamples(
  file: SparseFile,
  moof: Box,
  sizes: ReadonlyMap<number, number>,
  wanted: (traf: Box) => boolean,
): [number, number][] {
  const ranges: [number, number][] = [];
  /** Behind the samples before. */
  let at = moof.start;
  for (const traf of moof.children.filter(({ type }) => type === 'traf')) {
    const tfhd = must(traf, 'tfhd');
    const flags = contentOf(file, tfhd, 8).readUInt32BE(0);
    const header = contentOf(file, tfhd, 8 + bytesOf(HEADER_FIELDS, flags));
    const size =
      flags & SIZE ? header.readUInt32BE(8 + bytesOf(HEADER_FIELDS, flags & (SIZE - 1))) : (sizes.get(header.readUInt32BE(4)) ?? 0);
    const base = flags & BASE_OFFSET ? Number(header.readBigUInt64BE(8)) : flags & FROM_MOOF ? moof.start : at;
    at = base;
    for (const trun of traf.children.filter(({ type }) => type === 'trun')) {
      const run = contentOf(file, trun, 8);
      const runFlags = run.readUInt32BE(0);
      const start = runFlags & RUN_OFFSET ? base + contentOf(file, trun, 12).readInt32BE(8) : at;
      at = start + runBytes(run, size);
      if (wanted(traf)) ranges.push([start, at]);
    }
  }
  return ranges;
}

/** Of all samples of a run. */
function runBytes(run: Buffer, size: number): number {
  const [flags, count] = [run.readUInt32BE(0), run.readUInt32BE(4)];
  const [head, each] = [8 + bytesOf(RUN_FIELDS, flags), bytesOf(SAMPLE_FIELDS, flags)];
  if (run.length < head + count * each) throw new NotTaken('a box is too short');
  if (!(flags & EACH_SIZE)) return count * size;
  const sizeAt = head + bytesOf(SAMPLE_FIELDS, flags & (EACH_SIZE - 1));
  let sum = 0;
  for (let sample = 0; sample < count; sample++) sum += run.readUInt32BE(sizeAt + sample * each);
  return sum;
}
