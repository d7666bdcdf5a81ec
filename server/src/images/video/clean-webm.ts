/**
 * Finds the bytes of a WebM that a player needs (RFC 9559). Everything else, at every level and up to the end of the file, may contain a
 * location: `Tags`, names and titles, `Void`, tracks of texts with their blocks.
 */
import { MAX_KEPT_RANGES, type CleanCopy } from './probe.ts';
import { NotTaken, type SparseFile } from './sparse-file.ts';
import { elementAt, ID, readWebm, type Element } from './webm.ts';

/** The parts of an element that stay: all of it, or the inner elements with these ids. */
type Stays = true | { readonly [id: number]: ElementRule };
type ElementRule = Stays | ((element: Element) => Stays | undefined);

/** Bytes read ahead: clusters and their blocks are small and read one after the other. */
const AHEAD_BYTES = 512 * 1024;
/** Elements with these ids end a cluster of unknown length. */
const OF_SEGMENT = new Set<number>([ID.seekHead, ID.info, ID.tracks, ID.cues, ID.tags, ID.chapters, ID.attachments, ID.cluster]);

const all = (...ids: number[]): Record<number, true> => Object.fromEntries(ids.map((id) => [id, true]));
/** Versions, lengths of ids and sizes, kind of document. */
const HEAD = all(0x4286, 0x42f7, 0x42f2, 0x42f3, ID.docType, 0x4287, 0x4285);
const SEEK_HEAD = { [ID.seek]: all(ID.seekId, ID.seekPosition) };
const INFO = all(ID.scale, ID.duration, ID.date);
const SIDES = all(ID.width, ID.height, ID.shownWidth, ID.shownHeight, ID.shownUnit, 0x54aa, 0x54bb, 0x54cc, 0x54dd);
/** Number, UID, kind, flags, durations, language, codec with its delay, and the sides, colours and tones. */
const TRACK = {
  ...all(ID.trackNumber, 0x73c5, ID.trackType, 0xb9, 0x88, 0x55aa, 0x9c, 0x6de7, 0x6df8, 0x23e383, 0x23314f, 0x55ee, 0x22b59c),
  ...all(ID.codec, ID.codecPrivate, 0x56aa, 0x56bb),
  [ID.video]: { ...SIDES, ...all(0x9a, 0x9d, 0x53b8, 0x53c0, 0x55b0, 0x7670) },
  0xe1: all(0xb5, 0x78b5, 0x9f, 0x6264),
};
/** Times and the positions of their clusters. */
const CUES = { 0xbb: { 0xb3: true, 0xb7: all(0xf7, 0xf1, 0xf0, 0xb2, 0x5378) } } as const;

/** Plans the clean copy. Throws NotTaken if the file cannot be read to its end. */
export function cleanWebm(whole: SparseFile): CleanCopy {
  const { head, segment, played } = readWebm(whole);
  const file: SparseFile = { size: whole.size, bytes: (start, end) => whole.bytes(start, end, AHEAD_BYTES) };
  const numbers = new Set(played.map(({ number }) => number));
  const track: ElementRule = ({ start }) => (played.some((one) => one.start === start) ? TRACK : undefined);
  const block: ElementRule = ({ content, end }) => (numbers.has(trackOfBlock(file, content, end)) ? true : undefined);
  /** Durations, references, discarded padding; the picture's transparency. */
  const group = { 0xa1: block, ...all(0x9b, 0xfb, 0xfa, 0x75a2, 0x75a1) };
  const kept: Stays = {
    [ID.seekHead]: SEEK_HEAD,
    [ID.info]: INFO,
    [ID.tracks]: { [ID.track]: track },
    [ID.cues]: CUES,
    [ID.cluster]: { ...all(0xe7, 0xa7, 0xab), 0xa3: block, 0xa0: group },
  };

  const keep: [number, number][] = [];
  const writes: [number, string][] = [];
  /** Keeps a range; calls follow the order of the file. */
  function keepRange(start: number, end: number): void {
    const last = keep.at(-1);
    if (last?.[1] === start) last[1] = end;
    else if (end > start) keep.push([start, end]);
    if (keep.length > MAX_KEPT_RANGES || writes.length > MAX_KEPT_RANGES) throw new NotTaken('samples in too many pieces');
  }

  /** Cleans an element and returns its end. */
  function clean(element: Element, stays: ElementRule | undefined): number {
    const { id, start, content, end, open } = element;
    const inner = typeof stays === 'function' ? stays(element) : stays;
    if (open && id !== ID.segment && id !== ID.cluster) throw new NotTaken('an element without an end');
    if (inner === undefined) {
      writes.push([start, emptyHead(element).toString('hex')]);
      return end;
    }
    keepRange(start, inner === true ? end : content);
    if (inner === true) return end;
    for (let at = content; at < end;) {
      const next = elementAt(file, at, end);
      if (open && id === ID.cluster && OF_SEGMENT.has(next.id)) return at;
      at = clean(next, inner[next.id]);
    }
    return end;
  }

  clean(head, HEAD);
  clean(segment, kept);
  return { keep, writes };
}

/** Builds the head of a `Void` of the same length: one byte of id, and the rest of the old head, at most 8 bytes, as its length. */
function emptyHead({ start, content, end }: Element): Buffer {
  const bytes = Math.min(content - start - 1, 8);
  const head = Buffer.alloc(1 + bytes);
  head[0] = ID.void;
  head.writeUIntBE(end - start - 1 - bytes, Math.max(1, bytes - 5), Math.min(6, bytes));
  head[1]! |= 0x80 >> (bytes - 1);
  return head;
}

function trackOfBlock(file: SparseFile, content: number, end: number): number | null {
  const first = file.bytes(content, Math.min(content + 8, end));
  const bytes = Math.clz32((first[0] ?? 0) << 24) + 1;
  if (bytes > first.length || bytes > 6) return null;
  return first.readUIntBE(0, bytes) - 2 ** (7 * bytes);
}
