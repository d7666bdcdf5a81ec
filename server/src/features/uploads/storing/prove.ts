import { THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import type { ByteRange } from '../../../http/byte-answer.ts';
import { NotAPhoto, TooManyPixels, type Asker, type Decoded } from '../../../images/decoder.ts';
import { drawnPoster } from '../../../images/drawn-poster.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import type { UploadGround } from '../ground.ts';
import { isVideo } from './is-video.ts';

/** What was found of an original; of a video its poster is drawn, until the phone sends one. */
export interface Proof extends Decoded {
  /** Null of a photo. */
  video: { codecs: string; durationMs: number | null } | null;
}

/** A file that has arrived. */
export interface Arrived {
  /** Bytes. */
  size: number;
  /** Its plain bytes, or a range of them; may be called several times. */
  open(range?: ByteRange): AsyncIterable<Bytes>;
  /** Whether its event takes videos; asked only for one. */
  takesVideos(): Promise<boolean>;
}

/**
 * Proves that a file is a photo, by decoding it, or a video, by reading its boxes. Throws Refusal not_a_photo, too_many_pixels,
 * too_large, video_refused, video_unreadable.
 */
export function createProver({ decoder, maxBytes }: UploadGround) {
  return async ({ size, open, takesVideos }: Arrived, asker: Asker): Promise<Proof> => {
    if (size === 0) throw new Refusal('not_a_photo');
    const video = await isVideo(open());
    if (video && (await takesVideos())) return proveVideo({ size, open }, asker);
    if (size > maxBytes) throw new Refusal('too_large');
    try {
      return { ...(await decoder.decode(open, size, asker)), video: null };
    } catch (error) {
      if (!(error instanceof NotAPhoto)) throw error;
      if (error instanceof TooManyPixels) throw new Refusal('too_many_pixels', { cause: error });
      throw new Refusal(video ? 'video_refused' : 'not_a_photo', { cause: error });
    }
  };

  async function proveVideo({ size, open }: Pick<Arrived, 'size' | 'open'>, asker: Asker): Promise<Proof> {
    try {
      const { durationMs, codecs, ...facts } = await decoder.video(open, size, asker);
      return { ...facts, thumbnail: drawnPoster({ ...facts, durationMs }, THUMBNAIL_SIZE), video: { codecs, durationMs } };
    } catch (error) {
      throw error instanceof NotAPhoto ? new Refusal('video_unreadable', { cause: error }) : error;
    }
  }
}
