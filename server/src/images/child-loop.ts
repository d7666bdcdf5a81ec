import { readSync, writeSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { ANSWER_FD, encodeHead, FRAME_HEAD, type Progress, type Task } from './messages.ts';

/** Photos above this size get a buffer of their own, which is freed afterwards. */
const MAX_REUSED_BYTES = 16 * 1024 * 1024;
/** Nice value of decoders. Somebody waits for each answer of the server, so it goes first; decoders keep a third of their share. */
const BEHIND_THE_SERVER = 5;
const LAST = constants.priority.PRIORITY_LOW;
/** Buffer reused for all photos: the page faults of fresh memory cost a tenth of the decoding. */
let reused = Buffer.alloc(0);
const NOTHING = new Uint8Array();

/** Messages that a process may send to the server before its answer. */
interface Server {
  /** Asks for further bytes. */
  more(asked: object): Buffer;
  /** Reports the size of the picture, which sets its time limit. */
  tell(size: Progress): void;
}

/**
 * The main loop of a decoder process: sends an empty answer when it is ready, then answers one request after the other until the
 * server closes the pipe. If `handle` throws, the photo is refused.
 *
 * Reads and writes block on purpose: the process has nothing else to do, and it is the cheapest way to read 5 MB.
 */
export async function serve<T = Task>(
  handle: (task: T, photo: Buffer, server: Server) => Promise<{ header: object; body: Uint8Array }>,
): Promise<void> {
  // libuv's threads start with the first photo and inherit the priority.
  setPriority(Math.min(LAST, getPriority() + BEHIND_THE_SERVER));
  answer({}, NOTHING);
  for (;;) {
    const head = read(FRAME_HEAD);
    if (!head) return;
    const header = read(head.readUInt32BE(0));
    const photo = header && read(head.readUInt32BE(4), reusable);
    if (!photo) return;
    try {
      const result = await handle(JSON.parse(header.toString()) as T, photo, { more, tell });
      answer(result.header, result.body);
    } catch (error) {
      answer({ refused: String(error).slice(0, 200) }, NOTHING);
    }
  }
}

const tell = (size: Progress): void => answer(size, NOTHING);

function more(asked: object): Buffer {
  answer(asked, NOTHING);
  const head = read(FRAME_HEAD);
  const bytes = head && read(head.readUInt32BE(0)) && read(head.readUInt32BE(4));
  // The server closed the pipe, as it gave up on this video.
  if (!bytes) process.exit();
  return bytes;
}

function reusable(length: number): Buffer {
  if (length > MAX_REUSED_BYTES) return Buffer.allocUnsafeSlow(length);
  if (length > reused.length) reused = Buffer.allocUnsafeSlow(Math.min(MAX_REUSED_BYTES, length * 2));
  return reused.subarray(0, length);
}

/** Reads exactly `length` bytes of stdin; null at its end. */
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
