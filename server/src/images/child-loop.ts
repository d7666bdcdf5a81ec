import { readSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { ANSWER_FD, encodeHead, FRAME_HEAD, type Task } from './messages.ts';

/** Larger photos get a buffer of their own, which is freed afterwards. */
const MAX_REUSED_BYTES = 16 * 1024 * 1024;
/** Somebody waits for each answer of the server, so it goes first; decoders keep a third of what they would have (nice value). */
const BEHIND_THE_SERVER = 5;
/** Used for one photo after the other: the page faults of fresh memory cost a tenth of the decoding. */
let reused = Buffer.alloc(0);

/**
 * The main loop of a decoder process: sends an empty answer when it is ready, then answers one request after the other until the
 * server closes the pipe. If `handle` throws, the photo is refused. `more` asks the server for further bytes in between.
 *
 * Reads and writes block on purpose: the process has nothing else to do, and it is the cheapest way to read 5 MB.
 */
export async function serve<T = Task>(
  handle: (task: T, photo: Buffer, more: (asked: object) => Buffer) => Promise<{ header: object; body: Uint8Array }>,
): Promise<void> {
  const nothing = new Uint8Array();
  // Of this thread, and of those that libuv starts for the first photo.
  setPriority(BEHIND_THE_SERVER);
  answer({}, nothing);
  for (;;) {
    const head = read(FRAME_HEAD);
    if (!head) return;
    const header = read(head.readUInt32BE(0));
    const photo = header && read(head.readUInt32BE(4), reusable);
    if (!photo) return;
    try {
      const result = await handle(JSON.parse(header.toString()) as T, photo, more);
      answer(result.header, result.body);
    } catch (error) {
      answer({ refused: String(error).slice(0, 200) }, nothing);
    }
  }
}

function more(asked: object): Buffer {
  answer(asked, new Uint8Array());
  const head = read(FRAME_HEAD);
  const bytes = head && read(head.readUInt32BE(0)) && read(head.readUInt32BE(4));
  // The server gave up on this video.
  if (!bytes) process.exit();
  return bytes;
}

function reusable(length: number): Buffer {
  if (length > MAX_REUSED_BYTES) return Buffer.allocUnsafeSlow(length);
  if (length > reused.length) reused = Buffer.allocUnsafeSlow(Math.min(MAX_REUSED_BYTES, length * 2));
  return reused.subarray(0, length);
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
