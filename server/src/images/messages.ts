/** The protocol between the pool and its processes: frames of two lengths (uint32, big endian), a JSON header and a body. */
import type { Readable } from 'node:stream';
import type { Bytes } from '../lib/bytes.ts';
import type { CardWords } from './decoder.ts';

/** Bytes of the two lengths, of header and body. */
export const FRAME_HEAD = 8;
/** Of an answer. */
const MAX_HEADER_BYTES = 4096;
/** Where a process writes its answers; not stdout, because libraries may print to it. */
export const ANSWER_FD = 3;

/** Header of a request; its body is the photo's bytes. */
export interface Task {
  /** Longest edge of the rendition, pixels. */
  edge: number;
  /** Pictures with more pixels are refused. */
  maxPixels: number;
  /** HEIC only: of larger pictures the embedded thumbnail is used. */
  maxDecodedPixels: number;
  /** A JPEG in full size for a link, instead of a rendition. */
  share?: true;
  /** Also a second rendition, of at most so many pixels. */
  second?: number | undefined;
  /** The picture that messengers show of a link, instead of a rendition; without a picture beside its words the body is one byte. */
  card?: CardTask;
  /** Only what its header says, instead of a rendition; where this is a small picture, in base64, also by how much it differs from that. */
  probe?: string;
  /** A picture whose header says that it is dear is answered `{dear: true}`, and not decoded. */
  unlessDear?: boolean;
}

/** `size` in pixels; `alone`: no picture beside the words. */
export interface CardTask extends CardWords {
  size: { width: number; height: number };
  alone: boolean;
}

/** The same for the reader of videos; its body has the file's first bytes. To an answer `{needed: [start, end]}` a request with these bytes follows. */
export interface VideoTask {
  /** Bytes of the whole file. */
  size: number;
  /** What is wanted: what it is; or how to make the copy without location. */
  want: 'probe' | 'clean';
}

/** What a process says of a picture before it decodes it, without a body. */
export interface Progress {
  pixels: number;
}

export function encodeHead(header: object, bodyLength: number): Buffer<ArrayBuffer> {
  const json = Buffer.from(JSON.stringify(header));
  const head = Buffer.allocUnsafe(FRAME_HEAD + json.length);
  head.writeUInt32BE(json.length, 0);
  head.writeUInt32BE(bodyLength, 4);
  json.copy(head, FRAME_HEAD);
  return head;
}

export interface Answer {
  /** JSON from the process: not to be trusted. */
  header: unknown;
  body: Bytes;
}

/**
 * Calls back with each whole frame, and once with null where the sender breaks the protocol or announces a body of more than
 * `maxBodyBytes()`, before any of it is kept. A frame is collected in its final buffer, so that it is in memory only once.
 */
export function readFrames(stream: Readable, maxBodyBytes: () => number, each: (answer: Answer | null) => void): void {
  let frame = Buffer.allocUnsafe(FRAME_HEAD);
  let have = 0;
  const fail = (): void => {
    stream.destroy();
    each(null);
  };
  stream.on('data', (piece: Buffer) => {
    for (let rest = piece; rest.length > 0 && !stream.destroyed;) rest = rest.subarray(readPiece(rest));
  });

  /** How many bytes of the piece belong to the frame that is read. */
  function readPiece(piece: Buffer): number {
    let used = 0;
    if (have < FRAME_HEAD) {
      used = take(piece);
      if (have < FRAME_HEAD) return used;
      const [header, body] = [frame.readUInt32BE(0), frame.readUInt32BE(4)];
      if (header > MAX_HEADER_BYTES || body > maxBodyBytes()) {
        fail();
        return used;
      }
      const head = frame;
      frame = Buffer.allocUnsafeSlow(FRAME_HEAD + header + body);
      head.copy(frame);
    }
    used += take(piece.subarray(used));
    if (have === frame.length) end();
    return used;
  }

  function end(): void {
    const bodyAt = FRAME_HEAD + frame.readUInt32BE(0);
    const [header, body] = [jsonOf(frame.subarray(FRAME_HEAD, bodyAt)), frame.subarray(bodyAt)];
    frame = Buffer.allocUnsafe(FRAME_HEAD);
    have = 0;
    if (header === undefined) fail();
    else each({ header, body });
  }

  /** How many bytes of the piece the frame had room for. */
  function take(piece: Buffer): number {
    const taken = piece.copy(frame, have);
    have += taken;
    return taken;
  }
}

/** What a process says in JSON; undefined where it is none. */
export function jsonOf(text: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(text).toString());
  } catch {
    return undefined;
  }
}
