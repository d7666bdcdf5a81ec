/** The beginning of a video, in an order in which it can be read from a pipe: for a program that draws a still picture of it. */
import { boxesIn, find, must, type Box } from './boxes.ts';
import { NotTaken, type SparseFile } from './sparse-file.ts';
import { topBoxes } from './mp4.ts';

/** A second of video from a good camera has some 12 MB. */
const MOST_BYTES = 24 * 1024 * 1024;

export interface StillSource {
  /** What comes first. */
  head: Buffer;
  /** What follows from the file: [start, end). */
  piece: [number, number];
}

/** The file must be one that was read without complaint. Throws Needed, NotTaken. */
export function stillSource(file: SparseFile, webm: boolean): StillSource {
  const whole: StillSource = { head: Buffer.alloc(0), piece: [0, Math.min(file.size, MOST_BYTES)] };
  if (webm) return whole;
  const top = topBoxes(file);
  if (find({ children: top }, 'moof')) return whole;
  const [moov, data] = [must({ children: top }, 'moov'), must({ children: top }, 'mdat')];
  if (moov.start < data.start) return whole;

  // The moov moves to the front, so all offsets in it increase.
  const copy = Buffer.from(file.bytes(moov.start, moov.end));
  moov.children = boxesIn(file, moov.content, moov.end);
  const start = firstSample(file, moov, data);
  const head = Buffer.concat([copy, dataHeader(data.end - start)]);
  moveChunks(
    file,
    moov,
    (at) => head.writeUInt32BE((head.readUInt32BE(at - moov.start) + head.length - start) >>> 0, at - moov.start),
    (at) => head.writeBigUInt64BE(head.readBigUInt64BE(at - moov.start) + BigInt(head.length) - BigInt(start), at - moov.start),
  );
  return { head, piece: [start, Math.min(data.end, start + MOST_BYTES)] };
}

function dataHeader(length: number): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(1, 0);
  header.write('mdat', 4);
  header.writeBigUInt64BE(BigInt(16 + length), 8);
  return header;
}

function tables(moov: Box): Box[] {
  return moov.children
    .filter(({ type }) => type === 'trak')
    .flatMap((trak) => must(trak, 'mdia', 'minf', 'stbl').children.filter(({ type }) => type === 'stco' || type === 'co64'));
}

function firstSample(file: SparseFile, moov: Box, data: Box): number {
  let first = data.end;
  const note = (at: number): void => void (first = Math.min(first, at));
  moveChunks(
    file,
    moov,
    (at) => note(file.bytes(at, at + 4).readUInt32BE(0)),
    (at) => note(Number(file.bytes(at, at + 8).readBigUInt64BE(0))),
  );
  if (first < data.content || first >= data.end) throw new NotTaken('samples outside of their place');
  return first;
}

/** Calls back with the offset of each entry of the tables of chunks. */
function moveChunks(file: SparseFile, moov: Box, narrow: (at: number) => void, wide: (at: number) => void): void {
  for (const table of tables(moov)) {
    const bytes = table.type === 'co64' ? 8 : 4;
    const count = file.bytes(table.content + 4, table.content + 8).readUInt32BE(0);
    if (table.content + 8 + count * bytes > table.end) throw new NotTaken('a box is too short');
    for (let entry = 0; entry < count; entry++) (bytes === 8 ? wide : narrow)(table.content + 8 + entry * bytes);
  }
}
