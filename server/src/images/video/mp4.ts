/** Reads the properties and tracks of MP4 and QuickTime movies. */
import { boxesIn, contentOf, find, must, outermostBoxes, type Box } from './boxes.ts';
import { pictureCodec, soundCodec } from './codecs.ts';
import { checkedSides, joined, MAX_CHUNKS, MAX_DURATION_MS, MAX_TRACKS, playedOf, type RawProbe, type Track } from './probe.ts';
import { NotTaken, type SparseFile } from './sparse-file.ts';

const MAX_MOOV_BYTES = 16 * 1024 * 1024;
/** Most outermost boxes up to the first fragment. */
const MAX_TOP_BOXES = 64;
/** Seconds from 1904, the epoch of `mvhd`, to 1970. */
const EPOCH_S = 2_082_844_800;
const CREATION_DATE = 'com.apple.quicktime.creationdate';
const MAX_KEYS = 256;
/** Limit of the date's text; an ISO 8601 instant has some 25 bytes. */
const MAX_DATE_BYTES = 64;

interface Mp4Track extends Track {
  box: Box;
  durationMs: number | null;
}

/** Reads the properties, the outermost boxes up to the first fragment, and the tracks. Throws NotTaken. */
export function readMp4(file: SparseFile) {
  const top = topBoxes(file);
  const moov = must({ children: top }, 'moov');
  if (moov.end - moov.start > MAX_MOOV_BYTES) throw new NotTaken('the moov is too large');
  file.bytes(moov.start, moov.end);
  moov.children = boxesIn(file, moov.content, moov.end);

  const traks = moov.children.filter(({ type }) => type === 'trak');
  if (traks.length > MAX_TRACKS) throw new NotTaken('too many tracks');
  const tracks = traks.map((trak) => readTrack(file, trak));
  const { picture, codecs } = playedOf(tracks);
  samplesOf(file, top, tracks);

  const probe: RawProbe = {
    type: brandIsQuickTime(file, top) ? 'video/quicktime' : 'video/mp4',
    width: picture.width,
    height: picture.height,
    durationMs: durationOf(file, moov) ?? picture.durationMs,
    codecs,
    creationDate: creationDate(file, moov),
    createdAt: creationTime(contentOf(file, must(moov, 'mvhd'), 12)),
  };
  return { probe, top, moov, tracks };
}

/**
 * Lists the ranges of the tracks' samples, [start, end) each, in order; without those of fragments. Throws NotTaken if they are not in the
 * file's data.
 */
export function samplesOf(file: SparseFile, top: Box[], tracks: Mp4Track[]): [number, number][] {
  const datas = top.filter(({ type }) => type === 'mdat');
  const all: [number, number][] = [];
  for (const { box, kind } of tracks) {
    if (kind === null) continue;
    const ranges = sampleRanges(file, must(box, 'mdia', 'minf', 'stbl'), Math.max(0, MAX_CHUNKS - all.length));
    requireInside(ranges, datas);
    for (const range of ranges) all.push(range);
  }
  return joined(all);
}

/** Throws NotTaken if one of the ranges lies outside the boxes; both are in order. */
export function requireInside(ranges: [number, number][], boxes: Box[]): void {
  const left = boxes.values();
  let box = left.next().value;
  for (const [start, end] of ranges) {
    while (box && box.end < end) box = left.next().value;
    if (!box || start < box.content) throw new NotTaken('samples outside of their place');
  }
}

function topBoxes(file: SparseFile): Box[] {
  const boxes: Box[] = [];
  for (const box of outermostBoxes(file)) {
    if (boxes.length === MAX_TOP_BOXES) throw new NotTaken('too many boxes');
    boxes.push(box);
    if (box.type === 'moof') break;
  }
  return boxes;
}

function brandIsQuickTime(file: SparseFile, top: Box[]): boolean {
  const ftyp = find({ children: top }, 'ftyp');
  return !ftyp || ftyp.end < ftyp.content + 4 || file.bytes(ftyp.content, ftyp.content + 4).toString('latin1') === 'qt  ';
}

function readTrack(file: SparseFile, box: Box): Mp4Track {
  const handler = contentOf(file, must(box, 'mdia', 'hdlr'), 12).toString('latin1', 8, 12);
  const kind = handler === 'vide' ? 'picture' : handler === 'soun' ? 'sound' : null;
  refuseForeignData(file, box);
  const stsd = must(box, 'mdia', 'minf', 'stbl', 'stsd');
  contentOf(file, stsd, 8);
  const entries = boxesIn(file, stsd.content + 8, stsd.end);
  const codecs = entries.map((entry) => (kind === 'picture' ? pictureCodec : kind === 'sound' ? soundCodec : () => null)(file, entry));
  const codec = codecs.length > 0 && codecs.every((each) => each !== null) ? (codecs[0] as string) : null;
  const sides = kind === 'picture' ? sidesOf(file, box, entries[0]) : { width: 0, height: 0 };
  return { box, kind, codec, ...sides, durationMs: timeOf(contentOf(file, must(box, 'mdia', 'mdhd'), 24)) };
}

/** Throws NotTaken if a track keeps its data in another file. */
function refuseForeignData(file: SparseFile, box: Box): void {
  const dref = contentOf(file, must(box, 'mdia', 'minf', 'dinf', 'dref'), 8);
  const from = must(box, 'mdia', 'minf', 'dinf', 'dref').content + 8;
  const entries = boxesIn(file, from, from + dref.length - 8);
  const inside = entries.every(
    (entry) => entry.end - entry.content >= 4 && (file.bytes(entry.content + 3, entry.content + 4)[0]! & 1) === 1,
  );
  if (!inside || entries.length === 0) throw new NotTaken('a track keeps its data in another file');
}

/** Returns the sides as shown: those in the track's header, rotated by its matrix. */
function sidesOf(file: SparseFile, box: Box, entry: Box | undefined): { width: number; height: number } {
  const header = contentOf(file, must(box, 'tkhd'), 84);
  const matrix = header[0] === 1 ? 52 : 40;
  if (header.length < matrix + 44) throw new NotTaken('a box is too short');
  let width = Math.round(header.readUInt32BE(matrix + 36) / 65_536);
  let height = Math.round(header.readUInt32BE(matrix + 40) / 65_536);
  if ((width === 0 || height === 0) && entry) {
    const coded = file.bytes(entry.content + 24, entry.content + 28);
    [width, height] = [coded.readUInt16BE(0), coded.readUInt16BE(2)];
  }
  const [a, b] = [header.readInt32BE(matrix), header.readInt32BE(matrix + 4)];
  return Math.abs(b) > Math.abs(a) ? checkedSides(height, width) : checkedSides(width, height);
}

/** Reads the length in an `mvhd` or `mdhd`, ms; null: unknown. */
function timeOf(header: Buffer): number | null {
  const wide = header[0] === 1;
  if (header.length < (wide ? 32 : 20)) throw new NotTaken('a box is too short');
  const scale = header.readUInt32BE(wide ? 20 : 12);
  const length = wide ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  // All bits set mean unknown (ISO/IEC 14496-12, 8.2.2.3).
  if (scale === 0 || length === 0 || length >= (wide ? 2 ** 63 : 0xffff_ffff)) return null;
  const ms = Math.round((length / scale) * 1000);
  if (ms > MAX_DURATION_MS) throw new NotTaken('a video of impossible length');
  return ms;
}

function durationOf(file: SparseFile, moov: Box): number | null {
  const header = contentOf(file, must(moov, 'mvhd'), 20);
  const mehd = find(moov, 'mvex', 'mehd');
  const ms = timeOf(header);
  if (ms !== null || !mehd) return ms;
  const scale = header.readUInt32BE(header[0] === 1 ? 20 : 12);
  const extended = contentOf(file, mehd, 8);
  const length = extended[0] === 1 && extended.length >= 12 ? Number(extended.readBigUInt64BE(4)) : extended.readUInt32BE(4);
  const whole = Math.round((length / scale) * 1000);
  return scale > 0 && whole > 0 && whole <= MAX_DURATION_MS ? whole : null;
}

/** Reads the creation time in an `mvhd`, ms since 1970; null: unknown. */
function creationTime(header: Buffer): number | null {
  const seconds = header[0] === 1 ? Number(header.readBigUInt64BE(4)) : header.readUInt32BE(4);
  const ms = (seconds - EPOCH_S) * 1000;
  return ms > 0 && Number.isSafeInteger(ms) ? ms : null;
}

/** Reads Apple's `creationdate`, a local time with offset: `2026-05-17T21:04:00+0200`. A movie may have broken or no metadata. */
function creationDate(file: SparseFile, moov: Box): string | null {
  try {
    // iPhones write the date into the movie itself, other programs into its user data.
    const metas = [find(moov, 'meta'), find(moov, 'udta', 'meta')];
    return metas.reduce<string | null>((date, meta) => date ?? (meta ? dateIn(file, meta) : null), null);
  } catch (error) {
    if (error instanceof NotTaken) return null;
    throw error;
  }
}

function dateIn(file: SparseFile, meta: Box): string | null {
  // QuickTime's `meta` has no version and flags before its boxes; ISO's has.
  const first = file.bytes(meta.content, Math.min(meta.content + 8, meta.end)).toString('latin1', 4);
  const inner = { children: boxesIn(file, meta.content + (first === 'hdlr' ? 0 : 4), meta.end) };
  const [keys, ilst] = [find(inner, 'keys'), find(inner, 'ilst')];
  if (!keys || !ilst) return null;
  const names = boxesIn(file, keys.content + 8, keys.end)
    .slice(0, MAX_KEYS)
    .map(({ content, end }) => file.bytes(content, end).toString('latin1'));
  const wanted = names.indexOf(CREATION_DATE) + 1;
  for (const item of wanted > 0 ? boxesIn(file, ilst.content, ilst.end) : []) {
    // An item's type is the number of its key.
    if (Buffer.from(item.type, 'latin1').readUInt32BE(0) !== wanted) continue;
    const data = find({ children: boxesIn(file, item.content, item.end) }, 'data');
    if (data && data.end - data.content >= 8) {
      return file.bytes(data.content + 8, Math.min(data.end, data.content + 8 + MAX_DATE_BYTES)).toString('latin1');
    }
  }
  return null;
}

/**
 * Lists the chunks of a track's samples (ISO/IEC 14496-12, 8.7) as [start, end), joined where they touch. Throws NotTaken if there are more
 * than `most`, or if the tables contradict each other.
 */
function sampleRanges(file: SparseFile, stbl: Box, most: number): [number, number][] {
  if (find(stbl, 'stz2')) throw new NotTaken('sizes of samples in a form that no phone writes');
  const stsz = must(stbl, 'stsz');
  const each = contentOf(file, stsz, 12).readUInt32BE(4);
  const sizes = tableIn(file, stsz, each === 0 ? 4 : 0, 12);
  const wide = find(stbl, 'co64');
  const offsets = tableIn(file, wide ?? must(stbl, 'stco'), wide ? 8 : 4);
  if (offsets.count > most) throw new NotTaken('samples in too many pieces');
  const runs = tableIn(file, must(stbl, 'stsc'), 12);

  const ranges: [number, number][] = [];
  let run = -1;
  let sample = 0;
  for (let chunk = 0; chunk < offsets.count; chunk++) {
    while (run + 1 < runs.count && runs.bytes.readUInt32BE(8 + (run + 1) * 12) <= chunk + 1) run++;
    const end = sample + (run < 0 ? 0 : runs.bytes.readUInt32BE(8 + run * 12 + 4));
    if (end > sizes.count) throw new NotTaken('more samples than sizes');
    let length = (end - sample) * each;
    if (each === 0) for (let at = sample; at < end; at++) length += sizes.bytes.readUInt32BE(12 + at * 4);
    sample = end;
    const start = wide ? Number(offsets.bytes.readBigUInt64BE(8 + chunk * 8)) : offsets.bytes.readUInt32BE(8 + chunk * 4);
    const last = ranges.at(-1);
    if (last?.[1] === start) last[1] = start + length;
    else ranges.push([start, start + length]);
  }
  if (sample < sizes.count) throw new NotTaken('samples without a place');
  return joined(ranges);
}

/** Reads a table with rows of `each` bytes behind its head, which ends with their number. Throws NotTaken if rows are missing. */
function tableIn(file: SparseFile, box: Box, each: number, head = 8): { bytes: Buffer; count: number } {
  const bytes = contentOf(file, box, head);
  const count = bytes.readUInt32BE(head - 4);
  if (bytes.length < head + count * each) throw new NotTaken('a box is too short');
  return { bytes, count };
}
