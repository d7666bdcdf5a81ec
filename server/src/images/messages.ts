/** What the pool and its children say to each other: frames of two lengths (uint32, big endian), a JSON header and a body. */

/** Two lengths: header, body. */
export const FRAME_HEAD = 8;
/** Where a child writes its answers; stdout is left alone because libraries may print to it. */
export const ANSWER_FD = 3;

/** Header of a request; its body is the photo's bytes. */
export interface Task {
  /** Longest edge of the rendition, pixels. */
  edge: number;
  /** Pictures with more pixels are refused. */
  maxPixels: number;
  /** HEIC only: pictures with more pixels are shown by their embedded thumbnail. */
  maxDecodedPixels: number;
  /** A JPEG in full size for strangers instead of a rendition; `edge` then limits what the HEIC decoder hands on. */
  share?: true;
}

export function encodeHead(header: object, bodyLength: number): Buffer<ArrayBuffer> {
  const json = Buffer.from(JSON.stringify(header));
  const head = Buffer.allocUnsafe(FRAME_HEAD + json.length);
  head.writeUInt32BE(json.length, 0);
  head.writeUInt32BE(bodyLength, 4);
  json.copy(head, FRAME_HEAD);
  return head;
}
