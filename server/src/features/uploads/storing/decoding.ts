import { FIRST_PREVIEW_SIZE, THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import type { ByteRange } from '../../../http/byte-answer.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import { NotAPhoto, TooManyPixels, type Decoded } from '../../../images/decoder.ts';
import { drawnPoster } from '../../../images/drawn-poster.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import type { UploadContext } from '../context.ts';
import { askerOf } from './asker.ts';
import type { Originals, StagedOriginal } from './original.ts';
import type { UploadTarget } from './upload-target.store.ts';

/** First brands of MP4, QuickTime, 3GP and other videos (https://mp4ra.org/registered-types/brands). */
const VIDEO_BRAND = /^(iso[m2-9]|mp4[1-9v ]|avc1|M4V|qt {2}|3g[p2s]|MSNV|dash|f4v|XAVC|mmp4)/;
/** QuickTime files without a brand begin with one of these boxes. */
const QUICKTIME_BOX = /^(moov|mdat|wide|free|skip|pnot)$/;
/** Packet lengths of MPEG transport streams, bytes: each packet begins with 0x47, and cameras put 4 bytes before it. */
const PACKET_BYTES = [188, 192];

/** A decoded original; a video has a drawn poster until the phone sends one. */
export interface DecodedOriginal extends Decoded {
  /** Null for a photo. */
  video: { codecs: string; durationMs: number | null } | null;
}

/**
 * Verifies that a file is a photo, by decoding it, or a video, by reading its boxes. Once `gone` is aborted, decoding is not begun any
 * more. Throws Refusal not_a_photo, too_many_pixels, too_large, video_refused, video_unreadable.
 */
export function createOriginalDecoder({ decoder, maxBytes }: UploadContext, originals: Originals) {
  return async (
    original: StagedOriginal,
    { with_videos }: Pick<UploadTarget, 'with_videos'>,
    { visitor, gone: signal }: { visitor: DeviceVisitor; gone: AbortSignal | undefined },
  ): Promise<DecodedOriginal> => {
    // Freed after decoding: other uploads may use the memory while this one goes to the store.
    using _plain = original.plain;
    const { size } = original.digest;
    const asker = { ...askerOf(original.eventId, visitor), signal };
    const open = (range?: ByteRange): AsyncIterable<Bytes> => originals.open(original, range);
    if (size === 0) throw new Refusal('not_a_photo');
    const video = await videoKindOf(open());
    if (video === 'readable' && with_videos === 1) {
      const { durationMs, codecs, ...probe } = await decoder.video(open, size, asker).catch((cause: unknown) => {
        throw cause instanceof NotAPhoto ? new Refusal('video_unreadable', { cause }) : cause;
      });
      return { ...probe, thumbnail: drawnPoster({ ...probe, durationMs }, THUMBNAIL_SIZE), video: { codecs, durationMs } };
    }
    if (size > maxBytes) throw new Refusal('too_large');
    try {
      return { ...(await decoder.decode(open, size, { ...asker, withPreview: { edge: FIRST_PREVIEW_SIZE } })), video: null };
    } catch (error) {
      if (!(error instanceof NotAPhoto)) throw error;
      if (error instanceof TooManyPixels) throw new Refusal('too_many_pixels', { cause: error });
      const code = video === null ? 'not_a_photo' : with_videos === 1 ? 'video_unreadable' : 'video_refused';
      throw new Refusal(code, { cause: error });
    }
  };
}

/** `readable`: a format that events with videos take. `foreign`: one that nobody takes; pictures may begin with the same bytes. */
type VideoKind = 'readable' | 'foreign' | null;

/**
 * Finds a file's video format by its first bytes. A readable one is read as a video if its event takes videos; otherwise the format decides
 * the reason for a refusal.
 */
async function videoKindOf(file: AsyncIterable<Bytes>): Promise<VideoKind> {
  for await (const piece of file) return kindOf(Buffer.from(piece.buffer, piece.byteOffset, Math.min(piece.length, 512)));
  return null;
}

function kindOf(head: Buffer): VideoKind {
  if (head.length < 12) return null;
  const text = (from: number, to: number): string => head.toString('latin1', from, to);
  if (text(4, 8) === 'ftyp') return VIDEO_BRAND.test(text(8, 12)) ? 'readable' : null;
  // Matroska and WebM.
  if (QUICKTIME_BOX.test(text(4, 8)) || head.readUInt32BE(0) === 0x1a45dfa3) return 'readable';
  if (text(0, 4) === 'RIFF') return text(8, 12) === 'AVI ' ? 'foreign' : null;
  const isStream = PACKET_BYTES.some((size) => head[size - 188] === 0x47 && head[2 * size - 188] === 0x47);
  // MPEG program streams.
  return isStream || head.readUInt32BE(0) === 0x000001ba ? 'foreign' : null;
}
