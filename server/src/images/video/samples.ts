/** Where a track's samples lie (ISO/IEC 14496-12, 8.7). */
import { contentOf, find, must, type Box } from './boxes.ts';
import { joined } from './facts.ts';
import { NotTaken, type SparseFile } from './sparse-file.ts';

/**
 * Their chunks as [start, end), joined where they touch. Throws NotTaken where there are more than `most`, or the tables contradict
 * each other.
 */
export function sampleRanges(file: SparseFile, stbl: Box, most: number): [number, number][] {
  const sizes = sampleSizes(file, stbl);
  const offsets = chunkOffsets(file, stbl);
  if (offsets.count > most) throw new NotTaken('samples in too many pieces');
  const runs = contentOf(file, must(stbl, 'stsc'), 8);
  const runCount = runs.readUInt32BE(4);
  if (runs.length < 8 + runCount * 12) throw new NotTaken('a box is too short');

  const ranges: [number, number][] = [];
  let run = -1;
  let sample = 0;
  for (let chunk = 0; chunk < offsets.count; chunk++) {
    while (run + 1 < runCount && runs.readUInt32BE(8 + (run + 1) * 12) <= chunk + 1) run++;
    const samples = run < 0 ? 0 : runs.readUInt32BE(8 + run * 12 + 4);
    const start = offsets.at(chunk);
    const length = sizes.sum(sample, samples);
    sample += samples;
    const last = ranges.at(-1);
    if (last?.[1] === start) last[1] = start + length;
    else ranges.push([start, start + length]);
  }
  if (sample < sizes.count) throw new NotTaken('samples without a place');
  return joined(ranges);
}

function sampleSizes(file: SparseFile, stbl: Box): { count: number; sum(from: number, samples: number): number } {
  const compact = find(stbl, 'stz2');
  if (compact) throw new NotTaken('sizes of samples in a form that no phone writes');
  const table = contentOf(file, must(stbl, 'stsz'), 12);
  const [each, count] = [table.readUInt32BE(4), table.readUInt32BE(8)];
  if (each === 0 && table.length < 12 + count * 4) throw new NotTaken('a box is too short');
  return {
    count,
    sum(from, samples) {
      if (from + samples > count) throw new NotTaken('more samples than sizes');
      if (each !== 0) return samples * each;
      let sum = 0;
      for (let sample = from; sample < from + samples; sample++) sum += table.readUInt32BE(12 + sample * 4);
      return sum;
    },
  };
}

function chunkOffsets(file: SparseFile, stbl: Box): { count: number; at(chunk: number): number } {
  const wide = find(stbl, 'co64');
  const table = contentOf(file, wide ?? must(stbl, 'stco'), 8);
  const count = table.readUInt32BE(4);
  if (table.length < 8 + count * (wide ? 8 : 4)) throw new NotTaken('a box is too short');
  return {
    count,
    at: (chunk) => (wide ? Number(table.readBigUInt64BE(8 + chunk * 8)) : table.readUInt32BE(8 + chunk * 4)),
  };
}
