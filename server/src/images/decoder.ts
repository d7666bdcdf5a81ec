import type { IsolationFault } from './sandbox.ts';
import type { Bytes } from '../lib/bytes.ts';
import type { CleanCopy, RawProbe } from './video/probe.ts';

/** A picture made of a photo. All renditions are upright, in a web format, without metadata. */
export interface Rendition {
  bytes: Bytes;
  /** `image/webp` or `image/jpeg`; a drawn poster is `image/png`. */
  type: string;
  width: number;
  height: number;
}

export interface Decoded {
  /** Type of the original, detected by decoding: one of ACCEPTED_TYPES. */
  type: string;
  /** Size after rotation, pixels. */
  width: number;
  height: number;
  /** Wall-clock time by the camera, `2026-05-17T21:04:00`; null: it is missing or impossible. */
  takenAt: string | null;
  thumbnail: Rendition;
  /** Set if it was requested. */
  preview?: Rendition | undefined;
}

/** Facts about a photo, without a rendition. */
export interface Probe extends Omit<Decoded, 'thumbnail' | 'preview'> {
  /** Mean difference of the brightness, 0 to 255, from the given small picture of the same motif. */
  difference?: number | undefined;
}

/** Facts about a video, read without decoding it. */
export interface VideoProbe extends Omit<RawProbe, 'creationDate' | 'createdAt'> {
  /** As `Decoded.takenAt`; Berlin time if the file only knows the instant. */
  takenAt: string | null;
}

/** Reads the bytes [start, end) of a video. */
export type ReadRange = (range: { start: number; end: number }) => AsyncIterable<Bytes>;

/** Texts of the picture that messengers show of a link, and its background: `#rrggbb`, on which white is legible. */
export interface CardWords {
  /** Latin letters: the typeface has no others. */
  title: string;
  brand: string;
  accent: string;
}

/** The client of a job. */
export interface Asker {
  /** The photo's event. Events share the time of the processes. */
  owner: string;
  /** Sender, if a guest sends the photo. Networks and devices share the event's time. */
  network?: string | undefined;
  device?: string | undefined;
  /** Drops the job while it waits, and throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * A bounded pool of sandboxed decoder processes. Waiting costs no memory: `source` is read only when a process is free. Thumbnails go
 * before previews that are not urgent. Throws Refusal unavailable if no process can be started, or if the system kills the processes
 * because memory is short.
 */
export interface Decoder {
  /**
   * Proves that the bytes are a photo and makes its thumbnail, with `withPreview` also its preview of `edge` px (default PREVIEW_SIZE).
   * Refuses pictures of more than `maxPixels`. `size` is the number of bytes that `source` yields. Throws NotAPhoto.
   */
  decode(
    source: () => AsyncIterable<Bytes>,
    size: number,
    asker: Asker & { withPreview?: { maxPixels?: number; edge?: number } },
  ): Promise<Decoded>;
  /**
   * Makes a preview of at most `edge` px (default PREVIEW_SIZE). `urgent` jobs, for which somebody waits, go with the thumbnails. Throws
   * NotAPhoto.
   */
  preview(source: () => AsyncIterable<Bytes>, size: number, asker: Asker & { urgent: boolean; edge?: number }): Promise<Rendition>;
  /**
   * Reads the header. Decodes the picture only to compare it with a small one (`likeness`), behind all other work unless `urgent`. Throws
   * NotAPhoto.
   */
  probe(source: () => AsyncIterable<Bytes>, size: number, asker: Asker & { likeness?: Bytes; urgent?: boolean }): Promise<Probe>;
  /**
   * Makes an upright JPEG in full size without metadata except the colour profile; null: the file is a JPEG without a location. Throws
   * NotAPhoto.
   */
  share(source: () => AsyncIterable<Bytes>, size: number, asker: Asker): Promise<Bytes | null>;
  /** Draws the picture that messengers show of a link, with a file's picture beside the words if given. Throws NotAPhoto. */
  card(words: CardWords, picture: Bytes | null, asker: Asker): Promise<Rendition>;
  /**
   * Probes a video by a few ranges of its `size` bytes; `read` may be called several times. Throws NotAPhoto for everything that is not
   * accepted.
   */
  video(read: ReadRange, size: number, asker: Asker): Promise<VideoProbe>;
  /** Plans a copy of the same length without location. Throws NotAPhoto. */
  cleanVideo(read: ReadRange, size: number, asker: Asker): Promise<CleanCopy>;
  /** Cause and remedy of a missing sandbox; null: decoders run in one. */
  readonly isolationFault: IsolationFault | null;
  /** True while no process can be started and none works. */
  failing(): boolean;
  close(): Promise<void>;
}

/** The bytes are not a photo that we accept: not decodable, a blocked format, or beyond the limits of time, memory or pixels. */
export class NotAPhoto extends Error {}
/** The picture has more pixels than the limit (default MAX_PIXELS). */
export class TooManyPixels extends NotAPhoto {}
