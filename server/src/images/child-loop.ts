import { readSync, writeSync } from 'node:fs';
import { ANSWER_FD, encodeHead, FRAME_HEAD, type Task } from './messages.ts';

/** Larger photos than most get a buffer of their own, which does not stay. */
const KEPT = 16 * 1024 * 1024;
/** Fresh memory for each photo costs a tenth of its decoding in page faults. Only one photo is in work at a time. */
let kept = Buffer.alloc(0);

/**
 * Inside a decoder process: announces that it is ready (an empty answer), then answers one request after the other until
 * the parent closes the pipe. A handler that throws refuses its photo.
 *
 * Reads and writes block on purpose: the process has nothing else to do, and 5 MB arrive with the least overhead.
 */
export async function serve(handle: (task: Task, photo: Buffer) => Promise<{ header: object; body: Uint8Array }>): Promise<void> {
  const nothing = new Uint8Array();
  answer({}, nothing);
  for (;;) {
    const head = read(FRAME_HEAD);
    if (!head) return;
    const header = read(head.readUInt32BE(0));
    const photo = header && read(head.readUInt32BE(4), reusable);
    if (!photo) return;
    try {
      const result = await handle(JSON.parse(header.toString()) as Task, photo);
      answer(result.header, result.body);
    } catch (error) {
      answer({ refused: String(error).slice(0, 200) }, nothing);
    }
  }
}

function reusable(length: number): Buffer {
  if (length > KEPT) return Buffer.allocUnsafeSlow(length);
  if (length > kept.length) kept = Buffer.allocUnsafeSlow(Math.min(KEPT, length * 2));
  return kept.subarray(0, length);
}

/** Exactly `length` bytes of stdin, or null at its end. */
function read(length: number, allocate: (length: number) => Buffer = Buffer.allocUnsafeSlow): Buffer | null {
  const bytes = allocate(length);
  for (let have = 0; have < length;) {
    const got = readSync(0, bytes, have, length - have, null);
    if (got === 0) return null;
    have += got;
  }
  return bytes;
}

function answer(header: object, body: Uint8Array): void {
  for (const bytes of [encodeHead(header, body.length), body]) {
    for (let sent = 0; sent < bytes.length;) sent += writeSync(ANSWER_FD, bytes, sent);
  }
}
