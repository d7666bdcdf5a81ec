/** What the reader of videos answers. Runs in the sandbox, so that it imports nothing from outside this folder. */
import { NotTaken } from './sparse-file.ts';

/** Containers that are taken, as media types. */
export type VideoType = 'video/mp4' | 'video/quicktime' | 'video/webm';

export interface RawProbe {
  type: VideoType;
  /** As it is shown, upright; pixels. */
  width: number;
  height: number;
  /** Null where the file does not say. */
  durationMs: number | null;
  /** As in the `codecs` parameter of a media type (RFC 6381): `avc1.640028, mp4a.40.2`. */
  codecs: string;
  /** Wall-clock time that the camera wrote, as it is written there, or null. */
  creationDate: string | null;
  /** The same as an instant, ms since 1970, or null. */
  createdAt: number | null;
}

/** How to make a copy of the same length without location: all bytes outside of `keep` become 0, then `writes` are made. */
export interface CleanCopy {
  /** [start, end), in order, apart from each other. */
  keep: [number, number][];
  /** Offset, and bytes in hexadecimal digits. */
  writes: [number, string][];
}

export const MAX_TRACKS = 16;
/** Longest side, pixels. */
export const MAX_SIDE = 16_384;
/** A week. */
export const MAX_DURATION_MS = 7 * 24 * 60 * 60 * 1000;
/** Of all tracks together. Phones write two a second; an hour with one for each frame and each piece of sound has some 380,000. */
export const MAX_CHUNKS = 400_000;
/** Ranges of a copy. An hour with a track of positions between picture and sound has some 10,000. */
export const MAX_KEPT_RANGES = 65_536;

/** What is read of a track. */
export interface Track {
  /** `null`: neither picture nor sound. */
  kind: 'picture' | 'sound' | null;
  /** Null: not one that is taken. */
  codec: string | null;
  /** Of a picture, as it is shown. */
  width: number;
  height: number;
}

/** The picture that is shown, with the codecs of what is played. Throws NotTaken where nothing of it is taken. */
export function playedOf<T extends Track>(tracks: T[]): { picture: T; codecs: string } {
  const picture = tracks.find(({ kind, codec }) => kind === 'picture' && codec !== null);
  if (!picture) throw new NotTaken('no picture of a codec that is taken');
  const sounds = tracks.filter(({ kind }) => kind === 'sound');
  const sound = sounds.find(({ codec }) => codec !== null);
  // Phones add a second sound in a codec of their own to one that everybody plays.
  if (sounds.length > 0 && !sound) throw new NotTaken('no sound of a codec that is taken');
  return { picture, codecs: [picture.codec, sound?.codec].filter(Boolean).join(', ') };
}

/** Throws NotTaken where no picture has these sides. */
export function checkedSides(width: number, height: number): { width: number; height: number } {
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) throw new NotTaken('a picture of impossible sides');
  return { width, height };
}

/** The ranges in order, with those joined that touch or overlap. */
export function joined(ranges: [number, number][]): [number, number][] {
  const sorted = ranges.filter(([start, end]) => end > start).sort((a, b) => a[0] - b[0]);
  const result: [number, number][] = [];
  for (const [start, end] of sorted) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
