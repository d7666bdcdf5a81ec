/** The protocol between the pool and its processes: frames of two lengths (uint32, big endian), a JSON header and a body. */

/** Bytes of the two lengths, of header and body. */
export const FRAME_HEAD = 8;
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
}

/** The same for the reader of videos; its body has the file's first bytes. To an answer `{needed: [start, end]}` a request with these bytes follows. */
export interface VideoTask {
  /** Bytes of the whole file. */
  size: number;
  /** What is wanted: what it is; or how to make the copy without location. */
  want: 'facts' | 'clean';
}

export function encodeHead(header: object, bodyLength: number): Buffer<ArrayBuffer> {
  const json = Buffer.from(JSON.stringify(header));
  const head = Buffer.allocUnsafe(FRAME_HEAD + json.length);
  head.writeUInt32BE(json.length, 0);
  head.writeUInt32BE(bodyLength, 4);
  json.copy(head, FRAME_HEAD);
  return head;
}
