import type { IsolationFault } from './sandbox.ts';
import type { Bytes } from '../lib/bytes.ts';
import type { CleanCopy, RawProbe } from './video/probe.ts';

/** What the decoder makes of a photo. All renditions are upright, in a web format, without metadata. */
export interface Rendition {
  bytes: Bytes;
  /** `image/webp` or `image/jpeg`. */
  type: string;
  width: number;
  height: number;
}

export interface Decoded {
  /** What the original is, found by decoding: one of ACCEPTED_TYPES. */
  type: string;
  /** Of the upright picture, pixels. */
  width: number;
  height: number;
  /** Wall-clock time by the camera, `2026-05-17T21:04:00`, or null where missing or impossible. */
  takenAt: string | null;
  thumbnail: Rendition;
  /** Where it was asked for. */
  preview?: Rendition | undefined;
}

/** What is known of a photo without a picture of it. */
export interface Probe extends Omit<Decoded, 'thumbnail' | 'preview'> {
  /** The mean difference of its brightness, 0 to 255, from that of a picture that is said to show the same. */
  difference?: number | undefined;
}

/** What is read of a video, without decoding it. */
export interface VideoProbe extends Omit<RawProbe, 'creationDate' | 'createdAt'> {
  /** As `Decoded.takenAt`; in Berlin where the file only knows the instant. */
  takenAt: string | null;
}

/** Reads [start, end) of a video. */
export type ReadRange = (range: { start: number; end: number }) => AsyncIterable<Bytes>;

/** What is written on the picture that messengers show of a link, and its context: `#rrggbb`, on which white can be read. */
export interface CardWords {
  /** Latin letters: others have no form in its typeface. */
  title: string;
  brand: string;
  accent: string;
}

/** Who asks for the work. */
export interface Asker {
  /** The photo's event: events share the time of the processes. */
  owner: string;
  /** Whose photo it is, where a guest sends it: they share the event's time. */
  network?: string | undefined;
  device?: string | undefined;
  /** Drops the work while it waits; its reason is thrown. */
  signal?: AbortSignal | undefined;
}

/**
 * A bounded pool of sandboxed decoder processes. Waiting costs no memory: `source` is read only when a process is free.
 * Thumbnails go before previews that are not urgent. Throws Refusal unavailable where no process can be started, or where the
 * system kills the processes because memory is short.
 */
export interface Decoder {
  /**
   * Proof that it is a photo, and its thumbnail; `withPreview` also its preview, of `edge` px (PREVIEW_SIZE without it), and nothing of a picture of more
   * than `maxPixels`.
   * `size` is the number of bytes that `source` yields. Throws NotAPhoto.
   */
  decode(
    source: () => AsyncIterable<Bytes>,
    size: number,
    asker: Asker & { withPreview?: { maxPixels?: number; edge?: number } },
  ): Promise<Decoded>;
  /** At most `edge` px, PREVIEW_SIZE without it. `urgent` (somebody waits for it) goes with the thumbnails. Throws NotAPhoto. */
  preview(source: () => AsyncIterable<Bytes>, size: number, asker: Asker & { urgent: boolean; edge?: number }): Promise<Rendition>;
  /**
   * What the header says, without decoding the picture. It is decoded where it is to be compared with a small one (`likeness`),
   * behind all other work unless it is `urgent`. Throws NotAPhoto.
   */
  probe(source: () => AsyncIterable<Bytes>, size: number, asker: Asker & { likeness?: Bytes; urgent?: boolean }): Promise<Probe>;
  /**
   * A JPEG in full size without metadata but the colour profile, upright; null where the file is a JPEG that contains no location.
   * Throws NotAPhoto.
   */
  share(source: () => AsyncIterable<Bytes>, size: number, asker: Asker): Promise<Bytes | null>;
  /** The picture that messengers show of a link, with a file's picture beside the words where there is one. Throws NotAPhoto. */
  card(words: CardWords, picture: Bytes | null, asker: Asker): Promise<Rendition>;
  /**
   * What a video is, from a few ranges of its `size` bytes, which `read` may be asked for several times. Throws NotAPhoto for all
   * that is not taken.
   */
  video(read: ReadRange, size: number, asker: Asker): Promise<VideoProbe>;
  /** How to make a copy of the same length without location. Throws NotAPhoto. */
  cleanVideo(read: ReadRange, size: number, asker: Asker): Promise<CleanCopy>;
  /** Why no sandbox is available on this system, and what helps; null where decoders run in one. */
  readonly isolationFault: IsolationFault | null;
  /** True while the processes cannot be started, and none is left that works. */
  failing(): boolean;
  close(): Promise<void>;
}

/** The bytes are no photo that we take: not decodable, a format we block, or beyond the limits of time, memory or pixels. */
export class NotAPhoto extends Error {}
/** A picture of more pixels than are decoded: MAX_PIXELS, where nothing else is asked for. */
export class TooManyPixels extends NotAPhoto {}
