import type { Readable } from 'node:stream';
import type { Bytes } from '../lib/bytes.ts';
import { FRAME_HEAD } from './messages.ts';

const MAX_HEADER_BYTES = 4096;

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
    let rest = piece;
    if (have < FRAME_HEAD) {
      rest = piece.subarray(take(piece));
      if (have < FRAME_HEAD) return;
      const [header, body] = [frame.readUInt32BE(0), frame.readUInt32BE(4)];
      if (header > MAX_HEADER_BYTES || body > maxBodyBytes()) return fail();
      const head = frame;
      frame = Buffer.allocUnsafeSlow(FRAME_HEAD + header + body);
      head.copy(frame);
    }
    if (take(rest) < rest.length) return fail();
    if (have < frame.length) return;
    const answer = parseFrame(frame);
    frame = Buffer.allocUnsafe(FRAME_HEAD);
    have = 0;
    if (!answer) return fail();
    each(answer);
  });

  /** How many bytes of the piece the frame had room for. */
  function take(piece: Buffer): number {
    const taken = piece.copy(frame, have);
    have += taken;
    return taken;
  }
}

function parseFrame(frame: Buffer): Answer | null {
  const bodyAt = FRAME_HEAD + frame.readUInt32BE(0);
  try {
    const header: unknown = JSON.parse(frame.toString('utf8', FRAME_HEAD, bodyAt));
    return { header, body: frame.subarray(bodyAt) };
  } catch {
    return null;
  }
}
