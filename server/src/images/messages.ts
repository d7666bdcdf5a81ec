/** The protocol between the pool and its processes: frames of two lengths (uint32, big endian), a JSON header and a body. */
import type { Readable } from 'node:stream';
import type { Bytes } from '../lib/bytes.ts';
import type { CardWords } from './decoder.ts';

/** Bytes of the two lengths, of header and body. */
export const FRAME_HEAD = 8;
/** Limit of an answer's header. */
const MAX_HEADER_BYTES = 4096;
/** File descriptor for answers; libraries may print to stdout. */
export const ANSWER_FD = 3;

/** Header of a request; the body is the photo's bytes. */
export interface Task {
  /** Longest edge of the rendition, pixels. */
  edge: number;
  /** Pictures with more pixels are refused. */
  maxPixels: number;
  /** HEIC only: larger pictures are shown by their embedded thumbnail. */
  maxDecodedPixels: number;
  /** Requests a JPEG in full size for a link, instead of a rendition. */
  share?: true;
  /** Requests a second rendition with this longest edge, pixels. */
  second?: number | undefined;
  /**
   * Requests the picture that messengers show of a link, instead of a rendition. Without a picture beside the words, the body is one byte.
   */
  card?: CardTask;
  /** Requests the header's data alone, instead of a rendition. A small picture in base64 requests the difference from it, too. */
  probe?: string;
  /** A dear picture, by its header, is answered `{dear: true}` and not decoded. */
  unlessDear?: boolean;
}

/** `size` in pixels; `alone`: no picture beside the words. */
export interface CardTask extends CardWords {
  size: { width: number; height: number };
  alone: boolean;
}

/**
 * Header of a request to the video reader; the body is the file's first bytes. An answer `{needed: [start, end]}` is followed by a request
 * with these bytes.
 */
export interface VideoTask {
  /** Bytes of the whole file. */
  size: number;
  /** `probe` asks for the video's data, `clean` for the plan of a copy without location. */
  want: 'probe' | 'clean';
}

/** A process's report before it decodes a picture; it has no body. */
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
  /** JSON from the process, untrusted. */
  header: unknown;
  body: Bytes;
}

/**
 * Calls back with each whole frame, and once with null if the sender breaks the protocol or announces a body of more than `maxBodyBytes()`,
 * before any of it is kept. A frame is collected in its final buffer, so that it is in memory only once.
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

  /** Reads from the piece the bytes of the current frame, and returns their number. */
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

  /** Copies the bytes that fit into the frame, and returns their number. */
  function take(piece: Buffer): number {
    const taken = piece.copy(frame, have);
    have += taken;
    return taken;
  }
}

/** Parses a process's JSON; undefined if it is invalid. */
export function jsonOf(text: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(text).toString());
  } catch {
    return undefined;
  }
}
