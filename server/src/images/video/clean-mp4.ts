/**
 * Finds the bytes of an MP4 or QuickTime movie that a player needs (ISO/IEC 14496-12). Everything else, at every level and up to the end of
 * the file, may contain a location: `udta`, `meta`, `uuid`, tracks of positions, texts, bytes between the samples.
 */
import { boxesIn, contentOf, find, must, outermostBoxes, type Box } from './boxes.ts';
import { SOUND_BYTES, VISUAL_BYTES } from './codecs.ts';
import { joined, MAX_KEPT_RANGES, type CleanCopy } from './probe.ts';
import { readMp4, requireInside, samplesOf } from './mp4.ts';
import { NotTaken, type SparseFile } from './sparse-file.ts';

type Ranges = (readonly [number, number])[];

/** The parts of a box that stay, beside its head. */
interface BoxRule {
  /** Ranges of the content, [start, end) each. */
  bytes?: Ranges | ((content: Buffer) => Ranges);
  /** Rules for the inner boxes by type; they begin at offset `from` of the content. */
  boxes?: Readonly<Record<string, BoxRule>>;
  from?: number | ((content: Buffer) => number);
}

const FREE_HEX = Buffer.from('free').toString('hex');
const MAX_BRANDS_BYTES = 264;
/** Most ranges of all boxes before they are joined. */
const MAX_PIECES = 1_000_000;

const first = (bytes: number): BoxRule => ({ bytes: [[0, bytes]] });
const whole = first(Infinity);
const within = (boxes: Record<string, BoxRule>, from = 0): BoxRule => ({ bytes: [[0, from]], boxes, from });
/** Keeps a table: its head, which ends with the number of rows, and the rows. */
const rows = (each: number, head = 8): BoxRule => ({ bytes: (content) => [[0, head + u32(content, head - 4) * each]] });
const u32 = (content: Buffer, at: number): number => (content.length >= at + 4 ? content.readUInt32BE(at) : 0);
/** Keeps `large` bytes in version 1, else `small`. */
const versioned = (small: number, large: number): BoxRule => ({ bytes: (content) => [[0, content[0] === 1 ? large : small]] });

/** Sample groups that players use; others may have any content. */
const GROUPINGS = new Set(['roll', 'prol', 'rap ', 'sync', 'tscl', 'tsas', 'stsa']);
const grouped = (content: Buffer): boolean => GROUPINGS.has(content.toString('latin1', 4, 8));
const sampleGroups: Readonly<Record<string, BoxRule>> = {
  sbgp: {
    bytes(content) {
      const head = content[0] === 1 ? 16 : 12;
      return grouped(content) ? [[0, head + u32(content, head - 4) * 8]] : [];
    },
  },
  // All known writers give the entries of a group one length.
  sgpd: { bytes: (content) => (grouped(content) && content[0] === 1 ? [[0, 16 + u32(content, 8) * u32(content, 12)]] : []) },
};

/** A picture's sample entry without the name of the compressor. */
const PICTURE: BoxRule = {
  bytes: [
    [0, 42],
    [74, VISUAL_BYTES],
  ],
  from: VISUAL_BYTES,
  boxes: Object.fromEntries(
    'avcC hvcC lhvC hvcE av1C vpcC dvcC dvvC dvwC colr pasp clap fiel btrt mdcv clli amve SmDm CoLL gama'
      .split(' ')
      .map((type) => [type, whole]),
  ),
};
const soundBytes = (content: Buffer): number => SOUND_BYTES[content.readUInt16BE(8)] ?? SOUND_BYTES[0];
const SOUND: BoxRule = {
  bytes: (content) => [[0, soundBytes(content)]],
  from: soundBytes,
  boxes: {
    esds: whole,
    dOps: whole,
    chan: whole,
    btrt: whole,
    srat: whole,
    wave: within({ frma: first(4), mp4a: first(4), esds: whole, chan: whole, '\0\0\0\0': first(0) }),
  },
};
const ENTRIES = Object.fromEntries([
  ...['avc1', 'avc3', 'hvc1', 'hev1', 'av01', 'vp08', 'vp09'].map((type) => [type, PICTURE] as const),
  ...['mp4a', 'Opus', '.mp3'].map((type) => [type, SOUND] as const),
]);

/** The handler's kind stays; its name is a text. */
const hdlr = first(12);
const TRACK = within({
  tkhd: versioned(84, 96),
  edts: within({ elst: { bytes: (content) => [[0, 8 + u32(content, 4) * (content[0] === 1 ? 20 : 12)]] } }),
  tapt: within({ clef: first(12), prof: first(12), enof: first(12) }),
  mdia: within({
    mdhd: versioned(24, 36),
    hdlr,
    minf: within({
      vmhd: first(12),
      smhd: first(8),
      hdlr,
      dinf: within({ dref: within({ 'url ': first(4), alis: first(4) }, 8) }),
      stbl: within({
        stsd: within(ENTRIES, 8),
        stts: rows(8),
        ctts: rows(8),
        cslg: versioned(24, 44),
        stss: rows(4),
        stps: rows(4),
        stsz: { bytes: (content) => [[0, 12 + (u32(content, 4) === 0 ? u32(content, 8) * 4 : 0)]] },
        stsc: rows(12),
        stco: rows(4),
        co64: rows(8),
        sdtp: whole,
        ...sampleGroups,
      }),
    }),
  }),
});
const MOVIE = { mvhd: versioned(100, 112), mvex: within({ mehd: versioned(8, 12), trex: first(24) }) };

/** Bytes of each optional field by its flag, in order. */
type Fields = Readonly<Record<number, number>>;

const BASE_OFFSET = 0x1;
const SIZE = 0x10;
const FROM_MOOF = 0x2_0000;
const HEADER_FIELDS: Fields = { [BASE_OFFSET]: 8, 0x2: 4, 0x8: 4, [SIZE]: 4, 0x20: 4 };
const RUN_OFFSET = 0x1;
const RUN_FIELDS: Fields = { [RUN_OFFSET]: 4, 0x4: 4 };
const EACH_SIZE = 0x200;
const SAMPLE_FIELDS: Fields = { 0x100: 4, [EACH_SIZE]: 4, 0x400: 4, 0x800: 4 };

/** Returns the length of the fields that `flags` sets. With the flags below a field's own, this is the field's offset. */
function bytesOf(fields: Fields, flags: number): number {
  return Object.entries(fields).reduce((sum, [flag, bytes]) => sum + (flags & Number(flag) ? bytes : 0), 0);
}

const FRAGMENT = within({
  tfhd: { bytes: (content) => [[0, 8 + bytesOf(HEADER_FIELDS, u32(content, 0))]] },
  tfdt: versioned(8, 12),
  trun: {
    bytes(content) {
      const flags = u32(content, 0);
      return [[0, 8 + bytesOf(RUN_FIELDS, flags) + u32(content, 4) * bytesOf(SAMPLE_FIELDS, flags)]];
    },
  },
  ...sampleGroups,
});
const sidx: BoxRule = {
  bytes(content) {
    const head = content[0] === 1 ? 32 : 24;
    return [[0, content.length < head ? 0 : head + content.readUInt16BE(head - 2) * 12]];
  },
};

/** Plans the clean copy. Throws NotTaken if the file cannot be read to its end. */
export function cleanMp4(file: SparseFile): CleanCopy {
  const { top, moov, tracks } = readMp4(file);
  // Tracks in a codec that we do not accept lose their samples: nobody would play them.
  const played = tracks.filter(({ codec }) => codec !== null);
  const ids = new Set(played.map(({ box }) => trackId(file, box)));
  const keep = samplesOf(file, top, played);
  const writes: [number, string][] = [];

  function clean(box: Box, kept: BoxRule | undefined): void {
    keep.push([box.start, box.content]);
    if (!kept) {
      writes.push([box.start + 4, FREE_HEX]);
      return;
    }
    const content = (): Buffer => file.bytes(box.content, box.end);
    for (const [start, end] of typeof kept.bytes === 'function' ? kept.bytes(content()) : (kept.bytes ?? [])) {
      keep.push([box.content + start, Math.min(box.content + end, box.end)]);
    }
    const { boxes, from = 0 } = kept;
    if (!boxes) return;
    const start = box.content + (typeof from === 'function' ? from(content()) : from);
    for (const inner of boxesIn(file, start, box.end)) clean(inner, boxes[inner.type]);
  }

  /** Cleans a fragment and returns its samples. */
  function cleanFragment(moof: Box): [number, number][] {
    file.bytes(moof.start, moof.end);
    keep.push([moof.start, moof.content]);
    moof.children = boxesIn(file, moof.content, moof.end);
    for (const box of moof.children) {
      if (box.type === 'mfhd') clean(box, first(8));
      else clean(box, box.type === 'traf' && ids.has(contentOf(file, must(box, 'tfhd'), 8).readUInt32BE(4)) ? FRAGMENT : undefined);
    }
    return fragmentSamples(file, moof, sizes, ids);
  }

  for (const box of moov.children) {
    if (box.type === 'trak') clean(box, played.some((track) => track.box === box) ? TRACK : undefined);
    else clean(box, MOVIE[box.type as keyof typeof MOVIE]);
  }
  const sizes = trackSizes(file, find(moov, 'mvex'));
  const datas: Box[] = [];
  const samples: [number, number][] = [];
  let end = 0;
  for (const box of outermostBoxes(file)) {
    end = box.end;
    if (box.start === moov.start) keep.push([box.start, box.content]);
    else if (box.type === 'moof') for (const range of cleanFragment(box)) samples.push(range);
    else if (box.type === 'mdat') {
      keep.push([box.start, box.content]);
      datas.push(box);
    } else clean(box, box.type === 'ftyp' || box.type === 'styp' ? first(MAX_BRANDS_BYTES) : box.type === 'sidx' ? sidx : undefined);
    if (keep.length > MAX_PIECES) throw new NotTaken('too many boxes');
  }
  // What a camera appended becomes one box without content: its length stays zero, which means up to the file's end.
  if (end + 8 <= file.size) writes.push([end + 4, FREE_HEX]);
  requireInside(joined(samples), datas);
  const ranges = joined([...keep, ...samples]);
  if (ranges.length > MAX_KEPT_RANGES || writes.length > MAX_KEPT_RANGES) throw new NotTaken('samples in too many pieces');
  return { keep: ranges, writes: writes.sort((a, b) => a[0] - b[0]) };
}

/** Returns a track's number from its header. */
function trackId(file: SparseFile, trak: Box): number {
  const header = contentOf(file, must(trak, 'tkhd'), 24);
  return header.readUInt32BE(header[0] === 1 ? 20 : 12);
}

/** Returns the default bytes of a sample by track number, for fragments that do not give them. */
function trackSizes(file: SparseFile, mvex: Box | undefined): Map<number, number> {
  const defaults = (mvex?.children ?? []).filter(({ type }) => type === 'trex').map((trex) => contentOf(file, trex, 24));
  return new Map(defaults.map((trex) => [trex.readUInt32BE(4), trex.readUInt32BE(16)]));
}

/**
 * Lists the runs of samples of a fragment (ISO/IEC 14496-12, 8.8) as [start, end), for the tracks with these `ids`. Throws NotTaken if its
 * tables contradict each other.
 */
function fragmentSamples(file: SparseFile, moof: Box, sizes: Map<number, number>, ids: Set<number>): [number, number][] {
  const ranges: [number, number][] = [];
  /** Offset behind the previous samples. */
  let at = moof.start;
  for (const traf of moof.children.filter(({ type }) => type === 'traf')) {
    const tfhd = must(traf, 'tfhd');
    const flags = contentOf(file, tfhd, 8).readUInt32BE(0);
    const header = contentOf(file, tfhd, 8 + bytesOf(HEADER_FIELDS, flags));
    const id = header.readUInt32BE(4);
    const size = flags & SIZE ? header.readUInt32BE(8 + bytesOf(HEADER_FIELDS, flags & (SIZE - 1))) : (sizes.get(id) ?? 0);
    const base = flags & BASE_OFFSET ? Number(header.readBigUInt64BE(8)) : flags & FROM_MOOF ? moof.start : at;
    at = base;
    for (const trun of traf.children.filter(({ type }) => type === 'trun')) {
      const run = contentOf(file, trun, 8);
      const runFlags = run.readUInt32BE(0);
      const start = runFlags & RUN_OFFSET ? base + contentOf(file, trun, 12).readInt32BE(8) : at;
      at = start + runBytes(run, size);
      if (ids.has(id)) ranges.push([start, at]);
    }
  }
  return ranges;
}

/** Returns the bytes of all samples of a run. */
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
