/** Reads of MP4 and QuickTime movies what they contain, and which bytes are neither picture nor sound. */
import { boxAt, boxesIn, contentOf, find, must, type Box } from './boxes.ts';
import { pictureCodec, soundCodec } from './codecs.ts';
import { creationDate, creationTime } from './creation.ts';
import { joined, MAX_CHUNKS, MAX_DURATION_MS, MAX_KEPT_RANGES, MAX_SIDE, MAX_TRACKS, type CleanCopy, type Video } from './facts.ts';
import { sampleRanges } from './samples.ts';
import { NotTaken, type SparseFile } from './sparse-file.ts';

const MAX_MOOV_BYTES = 16 * 1024 * 1024;
/** Of the outermost boxes, up to the first fragment. */
const MAX_TOP_BOXES = 64;
const MAX_BRANDS = 64;

/** What a player needs of a movie and of a track; everything else may contain a location. */
const KEPT_OF_MOVIE = new Set(['mvhd', 'trak', 'mvex']);
const KEPT_OF_TRACK = new Set(['tkhd', 'edts', 'mdia', 'tapt', 'clef', 'prof', 'enof']);
const FREE_HEX = Buffer.from('free').toString('hex');

interface Track {
  box: Box;
  /** `null`: neither picture nor sound. */
  kind: 'picture' | 'sound' | null;
  /** Null: not one that is taken. */
  codec: string | null;
  width: number;
  height: number;
  durationMs: number | null;
}

/** Throws Needed, NotTaken. */
export function readMp4(file: SparseFile): Video {
  const top = topBoxes(file);
  const moov = must({ children: top }, 'moov');
  if (moov.end - moov.start > MAX_MOOV_BYTES) throw new NotTaken('the moov is too large');
  file.bytes(moov.start, moov.end);
  moov.children = boxesIn(file, moov.content, moov.end);

  const traks = moov.children.filter(({ type }) => type === 'trak');
  if (traks.length > MAX_TRACKS) throw new NotTaken('too many tracks');
  const tracks = traks.map((trak) => readTrack(file, trak));
  const picture = tracks.find(({ kind, codec }) => kind === 'picture' && codec !== null);
  if (!picture) throw new NotTaken('no picture of a codec that is taken');
  const sounds = tracks.filter(({ kind }) => kind === 'sound');
  const sound = sounds.find(({ codec }) => codec !== null);
  // Phones add a second sound in a codec of their own to one that everybody plays.
  if (sounds.length > 0 && !sound) throw new NotTaken('no sound of a codec that is taken');

  return {
    facts: {
      type: brandIsQuickTime(file, top) ? 'video/quicktime' : 'video/mp4',
      width: picture.width,
      height: picture.height,
      durationMs: durationOf(file, moov) ?? picture.durationMs,
      codecs: [picture.codec, sound?.codec].filter(Boolean).join(', '),
      creationDate: creationDate(file, moov),
      createdAt: creationTime(contentOf(file, must(moov, 'mvhd'), 12)),
    },
    clean: cleanCopy(file, top, moov, tracks),
  };
}

/** The outermost boxes up to the first fragment. */
export function topBoxes(file: SparseFile): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= file.size;) {
    if (boxes.length === MAX_TOP_BOXES) throw new NotTaken('too many boxes');
    const box = boxAt(file, at, file.size);
    boxes.push(box);
    if (box.type === 'moof') break;
    at = box.end;
  }
  return boxes;
}

function brandIsQuickTime(file: SparseFile, top: Box[]): boolean {
  const ftyp = find({ children: top }, 'ftyp');
  if (!ftyp) return true;
  const end = Math.min(ftyp.end, ftyp.content + 4 * MAX_BRANDS);
  return end < ftyp.content + 4 || file.bytes(ftyp.content, ftyp.content + 4).toString('latin1') === 'qt  ';
}

function readTrack(file: SparseFile, box: Box): Track {
  const handler = contentOf(file, must(box, 'mdia', 'hdlr'), 12).toString('latin1', 8, 12);
  const kind = handler === 'vide' ? 'picture' : handler === 'soun' ? 'sound' : null;
  refuseForeignData(file, box);
  const entries = sampleEntries(file, box);
  const codecs = entries.map((entry) => (kind === 'picture' ? pictureCodec : kind === 'sound' ? soundCodec : () => null)(file, entry));
  const codec = codecs.length > 0 && codecs.every((each) => each !== null) ? (codecs[0] as string) : null;
  const sides = kind === 'picture' ? sidesOf(file, box, entries[0]) : { width: 0, height: 0 };
  return { box, kind, codec, ...sides, durationMs: timeOf(contentOf(file, must(box, 'mdia', 'mdhd'), 24)) };
}

/** Every track keeps its data in this very file. */
function refuseForeignData(file: SparseFile, box: Box): void {
  const dref = contentOf(file, must(box, 'mdia', 'minf', 'dinf', 'dref'), 8);
  const from = must(box, 'mdia', 'minf', 'dinf', 'dref').content + 8;
  const entries = boxesIn(file, from, from + dref.length - 8);
  const inside = entries.every(
    (entry) => entry.end - entry.content >= 4 && (file.bytes(entry.content + 3, entry.content + 4)[0]! & 1) === 1,
  );
  if (!inside || entries.length === 0) throw new NotTaken('a track keeps its data in another file');
}

function sampleEntries(file: SparseFile, box: Box): Box[] {
  const stsd = must(box, 'mdia', 'minf', 'stbl', 'stsd');
  contentOf(file, stsd, 8);
  return boxesIn(file, stsd.content + 8, stsd.end);
}

/** As it is shown: in the shape that the track says, turned as its matrix says. */
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
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) throw new NotTaken('a picture of impossible sides');
  const [a, b] = [header.readInt32BE(matrix), header.readInt32BE(matrix + 4)];
  return Math.abs(b) > Math.abs(a) ? { width: height, height: width } : { width, height };
}

/** Length by an `mvhd` or `mdhd`, ms; null where it does not say. */
function timeOf(header: Buffer): number | null {
  const wide = header[0] === 1;
  if (header.length < (wide ? 32 : 20)) throw new NotTaken('a box is too short');
  const scale = header.readUInt32BE(wide ? 20 : 12);
  const length = wide ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  // All bits set: not known (ISO/IEC 14496-12, 8.2.2.3).
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

/**
 * Nothing is kept but what a player needs: headers, tables, and the samples of picture and sound. A location may be in `udta`,
 * `meta`, `uuid`, in a track of positions, or between the samples.
 */
function cleanCopy(file: SparseFile, top: Box[], moov: Box, tracks: Track[]): CleanCopy {
  const keep: [number, number][] = [];
  const writes: [number, string][] = [];
  const keepHead = (box: Box): void => void keep.push([box.start, box.content]);
  const empty = (box: Box): void => {
    keepHead(box);
    writes.push([box.start + 4, FREE_HEX]);
  };
  const played = tracks.filter(({ kind }) => kind !== null);
  const datas = top.filter(({ type }) => type === 'mdat');
  const fragments = find({ children: top }, 'moof');
  if (fragments && played.length < tracks.length) throw new NotTaken('fragments of other than picture and sound');

  for (const box of top) {
    if (box.type === 'ftyp') keep.push([box.start, box.end]);
    else if (box.type === 'moov' || box.type === 'mdat') keepHead(box);
    else if (box.type !== 'moof') empty(box);
  }
  if (fragments) keep.push([fragments.start, file.size]);
  for (const box of moov.children) {
    if (!KEPT_OF_MOVIE.has(box.type) || tracks.some((track) => track.box === box && track.kind === null)) empty(box);
    else if (box.type !== 'trak') keep.push([box.start, box.end]);
    else {
      keepHead(box);
      for (const part of box.children) {
        if (KEPT_OF_TRACK.has(part.type)) keep.push([part.start, part.end]);
        else empty(part);
      }
    }
  }
  for (const { box } of played) {
    for (const [start, end] of sampleRanges(file, must(box, 'mdia', 'minf', 'stbl'), Math.max(0, MAX_CHUNKS - keep.length))) {
      if (!datas.some((data) => data.content <= start && end <= data.end)) throw new NotTaken('samples outside of their place');
      keep.push([start, end]);
    }
  }
  const ranges = joined(keep);
  if (ranges.length > MAX_KEPT_RANGES) throw new NotTaken('samples in too many pieces');
  return { keep: ranges, writes: writes.sort((a, b) => a[0] - b[0]) };
}
