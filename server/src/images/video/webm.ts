/**
 * Reads the properties of a WebM (RFC 9559, RFC 8794): from the elements before its first cluster, and those behind it that its seek head
 * names.
 */
import { av1Codec } from './codecs.ts';
import { checkedSides, MAX_DURATION_MS, MAX_TRACKS, playedOf, type RawProbe, type Track } from './probe.ts';
import { NotTaken, type SparseFile } from './sparse-file.ts';

export const ID = {
  ebml: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  duration: 0x4489,
  date: 0x4461,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codec: 0x86,
  codecPrivate: 0x63a2,
  encodings: 0x6d80,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  shownWidth: 0x54b0,
  shownHeight: 0x54ba,
  shownUnit: 0x54b2,
  cluster: 0x1f43b675,
  cues: 0x1c53bb6b,
  tags: 0x1254c367,
  chapters: 0x1043a770,
  attachments: 0x1941a469,
  void: 0xec,
} as const;

const MAX_ELEMENTS = 4096;
/** Limit of `Tracks`, `Info` and similar elements. */
const MAX_HEAD_BYTES = 1024 * 1024;
/** Milliseconds from 1970 to 2001, the epoch of `DateUTC`. */
const EPOCH_MS = 978_307_200_000;

export interface Element {
  id: number;
  start: number;
  content: number;
  end: number;
  /** The length is unknown: the element ends with the file. */
  open: boolean;
}

interface WebmTrack extends Track {
  /** Offset in the file. */
  start: number;
  number: number | null;
}

/** Reads the properties, the two outermost elements, and the tracks with accepted codecs. Throws NotTaken. */
export function readWebm(file: SparseFile) {
  const head = elementAt(file, 0, file.size);
  if (within(file, head).text(ID.docType) !== 'webm') throw new NotTaken('Matroska that is no WebM');
  const segment = elementAt(file, head.end, file.size);
  if (segment.id !== ID.segment) throw new NotTaken('no segment');
  const parts = partsBeforeClusters(file, segment);
  const part = (wanted: number): Fields => {
    const found = parts.find(({ id }) => id === wanted);
    return within(file, found);
  };

  const tracks = part(ID.tracks).all(ID.track);
  if (tracks.length > MAX_TRACKS) throw new NotTaken('too many tracks');
  const read = tracks.map((track) => readTrack(file, track));
  const { picture, codecs } = playedOf(read);
  const info = part(ID.info);
  const date = info.bytes(ID.date);
  const probe: RawProbe = {
    type: 'video/webm',
    width: picture.width,
    height: picture.height,
    durationMs: durationIn(info),
    codecs,
    creationDate: null,
    createdAt: date?.length === 8 ? EPOCH_MS + Number(date.readBigInt64BE(0) / 1_000_000n) : null,
  };
  return { probe, head, segment, played: read.filter(({ codec, number }) => codec !== null && number !== null) };
}

/** Lists the segment's elements before its first cluster, and those behind it that its seek head names. */
function partsBeforeClusters(file: SparseFile, segment: Element): Element[] {
  const parts: Element[] = [];
  let from = segment.end;
  for (let at = segment.content; at < segment.end;) {
    if (parts.length === 64) throw new NotTaken('too many elements');
    const element = elementAt(file, at, segment.end);
    if (element.id === ID.cluster) {
      from = at;
      break;
    }
    if (element.open) throw new NotTaken('an element without an end');
    parts.push(element);
    at = element.end;
  }
  const seeks = parts.filter(({ id }) => id === ID.seekHead).flatMap((head) => within(file, head).all(ID.seek));
  for (const seek of seeks.slice(0, 64)) {
    const fields = within(file, seek);
    const wanted = fields.number(ID.seekId);
    const at = segment.content + (fields.number(ID.seekPosition) ?? 0);
    if (wanted === null || wanted === ID.cluster || at < from || at + 2 > segment.end) continue;
    const element = elementAt(file, at, segment.end);
    if (element.id === wanted && !element.open) parts.push(element);
  }
  return parts;
}

function readTrack(file: SparseFile, element: Element): WebmTrack {
  const fields = within(file, element);
  if (fields.all(ID.encodings).length > 0) throw new NotTaken('a track is encrypted or packed');
  const track = { start: element.start, number: fields.number(ID.trackNumber), width: 0, height: 0 };
  const kind = fields.number(ID.trackType);
  if (kind === 2) return { ...track, kind: 'sound', codec: fields.text(ID.codec) === 'A_OPUS' ? 'opus' : null };
  const codec = kind === 1 ? pictureCodec(fields) : null;
  if (codec === null) return { ...track, kind: kind === 1 ? 'picture' : null, codec };
  const video = within(file, fields.all(ID.video)[0]);
  // Display sides are pixels unless DisplayUnit is set.
  const inPixels = (video.number(ID.shownUnit) ?? 0) === 0;
  const width = (inPixels ? video.number(ID.shownWidth) : null) ?? video.number(ID.width) ?? 0;
  const height = (inPixels ? video.number(ID.shownHeight) : null) ?? video.number(ID.height) ?? 0;
  return { ...track, kind: 'picture', codec, ...checkedSides(width, height) };
}

function pictureCodec(fields: Fields): string | null {
  const name = fields.text(ID.codec);
  if (name === 'V_VP8') return 'vp8';
  if (name === 'V_VP9') return 'vp9';
  if (name !== 'V_AV1') return null;
  const config = fields.bytes(ID.codecPrivate);
  if (!config || config.length < 4) throw new NotTaken('no av1C');
  return av1Codec(config);
}

function durationIn(info: Fields): number | null {
  const bytes = info.bytes(ID.duration);
  const length = bytes?.length === 4 ? bytes.readFloatBE(0) : bytes?.length === 8 ? bytes.readDoubleBE(0) : 0;
  const ms = Math.round((length * (info.number(ID.scale) ?? 1_000_000)) / 1_000_000);
  if (!Number.isFinite(ms) || ms > MAX_DURATION_MS) throw new NotTaken('a video of impossible length');
  return ms > 0 ? ms : null;
}

/** Reads the head of an element. Throws NotTaken if the element is broken or goes beyond `limit`. */
export function elementAt(file: SparseFile, at: number, limit: number): Element {
  const head = file.bytes(at, Math.min(at + 12, limit));
  const idBytes = Math.clz32((head[0] ?? 0) << 24) + 1;
  if (idBytes > 4 || head.length <= idBytes) throw new NotTaken('a broken element');
  const id = head.readUIntBE(0, idBytes);
  const first = head[idBytes] as number;
  const sizeBytes = Math.clz32(first << 24) + 1;
  if (sizeBytes > 8 || head.length < idBytes + sizeBytes) throw new NotTaken('a broken element');
  let size = first & (0xff >> sizeBytes);
  let open = size === 0xff >> sizeBytes;
  for (const byte of head.subarray(idBytes + 1, idBytes + sizeBytes)) {
    open &&= byte === 0xff;
    size = size * 256 + byte;
  }
  const content = at + idBytes + sizeBytes;
  if (!open && size > limit - content) throw new NotTaken('an element is cut short');
  return { id, start: at, content, end: open ? limit : content + size, open };
}

type Fields = ReturnType<typeof within>;

/** Gives access to the fields of an element (none without an element). If several have one id, the value is the first one's. */
function within(file: SparseFile, element: Element | undefined) {
  const elements: Element[] = [];
  if (element) {
    if (element.open || element.end - element.content > MAX_HEAD_BYTES) throw new NotTaken('an element is too large');
    file.bytes(element.content, element.end);
    for (let at = element.content; at < element.end;) {
      if (elements.length === MAX_ELEMENTS) throw new NotTaken('too many elements');
      const inner = elementAt(file, at, element.end);
      elements.push(inner);
      at = inner.end;
    }
  }
  const bytes = (wanted: number): Buffer | null => {
    const found = elements.find(({ id }) => id === wanted);
    return found ? file.bytes(found.content, found.end) : null;
  };
  return {
    all: (wanted: number): Element[] => elements.filter(({ id }) => id === wanted),
    bytes,
    text: (id: number): string | null => bytes(id)?.toString('latin1').replace(/\0+$/, '') ?? null,
    number(id: number): number | null {
      const digits = bytes(id);
      if (digits && digits.length > 8) throw new NotTaken('a number is too long');
      return digits?.reduce((value, byte) => value * 256 + byte, 0) ?? null;
    },
  };
}
