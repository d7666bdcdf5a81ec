import type { Bytes } from '../../../lib/bytes.ts';

/** First brands of MP4, QuickTime, 3GP and other videos (https://mp4ra.org/registered-types/brands). */
const VIDEO_BRAND = /^(iso[m2-9]|mp4[1-9v ]|avc1|M4V|qt {2}|3g[p2s]|MSNV|dash|f4v|XAVC|mmp4)/;
/** QuickTime files without a brand begin with one of these boxes. */
const QUICKTIME_BOX = /^(moov|mdat|wide|free|skip|pnot)$/;
/** Bytes of a packet of MPEG transport streams, each of which begins with 0x47; cameras put 4 bytes before each. */
const PACKET_BYTES = [188, 192];

/**
 * Whether a file's first bytes are those of a known video format. Such a file is read as a video where its event takes videos; elsewhere
 * this decides the reason for its refusal.
 */
export async function isVideo(file: AsyncIterable<Bytes>): Promise<boolean> {
  for await (const piece of file) return begins(Buffer.from(piece.buffer, piece.byteOffset, Math.min(piece.length, 512)));
  return false;
}

function begins(head: Buffer): boolean {
  if (head.length < 12) return false;
  const text = (from: number, to: number): string => head.toString('latin1', from, to);
  if (text(4, 8) === 'ftyp') return VIDEO_BRAND.test(text(8, 12));
  if (QUICKTIME_BOX.test(text(4, 8))) return true;
  if (text(0, 4) === 'RIFF') return text(8, 12) === 'AVI ';
  // Matroska and WebM; MPEG program streams.
  if (head.readUInt32BE(0) === 0x1a45dfa3 || head.readUInt32BE(0) === 0x000001ba) return true;
  return PACKET_BYTES.some((size) => head[size - 188] === 0x47 && head[2 * size - 188] === 0x47);
}
