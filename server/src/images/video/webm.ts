/** Reads of WebM (RFC 9559, RFC 8794) what it contains: the elements before its first cluster, and those behind that its list of positions names. */
import { av1Codec } from './codecs.ts';
import { MAX_DURATION_MS, MAX_SIDE, MAX_TRACKS, type RawFacts } from './facts.ts';
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
/** Of `Tracks`, `Info` and the like. */
const MAX_HEAD_BYTES = 1024 * 1024;
/** From 1970 to 2001, where `DateUTC` counts from. */
const EPOCH_MS = 978_307_200_000;

export interface Element {
  id: number;
  start: number;
  content: number;
  end: number;
  /** Its length is not known: it ends with the file. */
  open: boolean;
}

export interface Webm {
  facts: RawFacts;
  head: Element;
  segment: Element;
  /** Numbers of the tracks with picture or sound in a codec that is taken. */
  played: ReadonlySet<number>;
}

/** Throws NotTaken. */
export function readWebm(file: SparseFile): Webm {
  const head = elementAt(file, 0, file.size);
  const docType = textIn(
    file,
    within(file, head).find(({ id }) => id === ID.docType),
  );
  if (docType !== 'webm') throw new NotTaken('Matroska that is no WebM');
  const segment = elementAt(file, head.end, file.size);
  if (segment.id !== ID.segment) throw new NotTaken('no segment');
  const parts = partsBeforeClusters(file, segment);
  const part = (id: number): Element | undefined => parts.find((each) => each.id === id);

  const tracks = within(file, part(ID.tracks)).filter(({ id }) => id === ID.track);
  if (tracks.length > MAX_TRACKS) throw new NotTaken('too many tracks');
  const read = tracks.map((track) => readTrack(file, track));
  const picture = read.find(({ kind, codec }) => kind === 1 && codec !== null);
  if (!picture) throw new NotTaken('no picture of a codec that is taken');
  const sounds = read.filter(({ kind }) => kind === 2);
  const sound = sounds.find(({ codec }) => codec !== null);
  if (sounds.length > 0 && !sound) throw new NotTaken('no sound of a codec that is taken');

  const info = within(file, part(ID.info));
  const date = info.find(({ id }) => id === ID.date);
  return {
    facts: {
      type: 'video/webm',
      width: picture.width,
      height: picture.height,
      durationMs: durationIn(file, info),
      codecs: [picture.codec, sound?.codec].filter(Boolean).join(', '),
      creationDate: null,
      createdAt: date && date.end - date.content === 8 ? EPOCH_MS + Number(bytesOf(file, date).readBigInt64BE(0) / 1_000_000n) : null,
    },
    head,
    segment,
    played: new Set(read.flatMap(({ number, codec }) => (codec === null || number === null ? [] : [number]))),
  };
}

/** The segment's elements before its first cluster, and what its list of positions names behind it. */
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
  const heads = parts.filter(({ id }) => id === ID.seekHead).flatMap((head) => within(file, head));
  for (const seek of heads.filter(({ id }) => id === ID.seek).slice(0, 64)) {
    const fields = within(file, seek);
    const wanted = numberIn(
      file,
      fields.find(({ id }) => id === ID.seekId),
    );
    const at =
      segment.content +
      (numberIn(
        file,
        fields.find(({ id }) => id === ID.seekPosition),
      ) ?? 0);
    if (wanted === null || wanted === ID.cluster || at < from || at + 2 > segment.end) continue;
    const element = elementAt(file, at, segment.end);
    if (element.id === wanted && !element.open) parts.push(element);
  }
  return parts;
}

interface Track {
  number: number | null;
  /** 1: picture, 2: sound. */
  kind: number | null;
  codec: string | null;
  width: number;
  height: number;
}

function readTrack(file: SparseFile, track: Element): Track {
  const fields = within(file, track);
  const field = (id: number): Element | undefined => fields.find((each) => each.id === id);
  if (field(ID.encodings)) throw new NotTaken('a track is encrypted or packed');
  const number = numberIn(file, field(ID.trackNumber));
  const kind = numberIn(file, field(ID.trackType));
  const codec = codecOf(textIn(file, field(ID.codec)), field(ID.codecPrivate), file);
  if (kind !== 1 || codec === null) return { number, kind, codec: kind === 2 && isSound(codec) ? codec : null, width: 0, height: 0 };
  const video = within(file, field(ID.video));
  const value = (id: number): number | null =>
    numberIn(
      file,
      video.find((each) => each.id === id),
    );
  // Sides to show are pixels, unless their unit says otherwise.
  const inPixels = (value(ID.shownUnit) ?? 0) === 0;
  const width = (inPixels ? value(ID.shownWidth) : null) ?? value(ID.width) ?? 0;
  const height = (inPixels ? value(ID.shownHeight) : null) ?? value(ID.height) ?? 0;
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) throw new NotTaken('a picture of impossible sides');
  return { number, kind, codec: isSound(codec) ? null : codec, width, height };
}

const isSound = (codec: string | null): boolean => codec === 'opus' || codec === 'mp3' || codec?.startsWith('mp4a') === true;

function codecOf(name: string | null, config: Element | undefined, file: SparseFile): string | null {
  if (name === 'V_VP8') return 'vp8';
  if (name === 'V_VP9') return 'vp9';
  if (name === 'V_AV1') {
    const bytes = config && bytesOf(file, config);
    if (!bytes || bytes.length < 4) throw new NotTaken('no av1C');
    return av1Codec(bytes);
  }
  return name === 'A_OPUS' ? 'opus' : null;
}

function durationIn(file: SparseFile, info: Element[]): number | null {
  const element = info.find(({ id }) => id === ID.duration);
  if (!element) return null;
  const bytes = bytesOf(file, element);
  const length = bytes.length === 4 ? bytes.readFloatBE(0) : bytes.length === 8 ? bytes.readDoubleBE(0) : 0;
  const scale =
    numberIn(
      file,
      info.find(({ id }) => id === ID.scale),
    ) ?? 1_000_000;
  const ms = Math.round((length * scale) / 1_000_000);
  if (!Number.isFinite(ms) || ms > MAX_DURATION_MS) throw new NotTaken('a video of impossible length');
  return ms > 0 ? ms : null;
}

/** Throws NotTaken where it is broken, or goes beyond `limit`. */
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

/** The elements in an element; none where there is none. */
function within(file: SparseFile, element: Element | undefined): Element[] {
  if (!element) return [];
  if (element.open || element.end - element.content > MAX_HEAD_BYTES) throw new NotTaken('an element is too large');
  file.bytes(element.content, element.end);
  const elements: Element[] = [];
  for (let at = element.content; at < element.end;) {
    if (elements.length === MAX_ELEMENTS) throw new NotTaken('too many elements');
    const inner = elementAt(file, at, element.end);
    elements.push(inner);
    at = inner.end;
  }
  return elements;
}

function bytesOf(file: SparseFile, { content, end }: Element): Buffer {
  if (end - content > MAX_HEAD_BYTES) throw new NotTaken('an element is too large');
  return file.bytes(content, end);
}

function textIn(file: SparseFile, element: Element | undefined): string | null {
  return element ? bytesOf(file, element).toString('latin1').replace(/\0+$/, '') : null;
}

function numberIn(file: SparseFile, element: Element | undefined): number | null {
  if (!element) return null;
  const bytes = bytesOf(file, element);
  if (bytes.length > 8) throw new NotTaken('a number is too long');
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
