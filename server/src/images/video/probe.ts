/** The answers of the video reader. It runs in the sandbox, so this file imports nothing from outside its folder. */
import { NotTaken } from './sparse-file.ts';

/** Accepted containers, as media types. */
export type VideoType = 'video/mp4' | 'video/quicktime' | 'video/webm';

export interface RawProbe {
  type: VideoType;
  /** Size as shown, upright, pixels. */
  width: number;
  height: number;
  /** Null if the file does not tell. */
  durationMs: number | null;
  /** Value of the `codecs` parameter of a media type (RFC 6381): `avc1.640028, mp4a.40.2`. */
  codecs: string;
  /** Wall-clock time as the camera wrote it, or null. */
  creationDate: string | null;
  /** Creation time, ms since 1970, or null. */
  createdAt: number | null;
}

/** Plan of a copy of the same length without location: all bytes outside `keep` become 0, then `writes` are made. */
export interface CleanCopy {
  /** Ranges [start, end), in order, with gaps between them. */
  keep: [number, number][];
  /** Offset, and bytes in hexadecimal digits. */
  writes: [number, string][];
}

export const MAX_TRACKS = 16;
/** Longest side, pixels. */
export const MAX_SIDE = 16_384;
/** Longest duration: a week. */
export const MAX_DURATION_MS = 7 * 24 * 60 * 60 * 1000;
/** Most chunks of all tracks. Phones write two a second; an hour with one for each frame and each piece of sound has some 380,000. */
export const MAX_CHUNKS = 400_000;
/** Most ranges of a copy. An hour with a track of positions between picture and sound has some 10,000. */
export const MAX_KEPT_RANGES = 65_536;

/** Properties of a track. */
export interface Track {
  /** `null`: neither picture nor sound. */
  kind: 'picture' | 'sound' | null;
  /** Null: not accepted. */
  codec: string | null;
  /** Size of a picture as shown. */
  width: number;
  height: number;
}

/**
 * Finds the shown picture, and the codecs of picture and sound. Throws NotTaken if no picture, or none of the sounds, has an accepted
 * codec.
 */
export function playedOf<T extends Track>(tracks: T[]): { picture: T; codecs: string } {
  const picture = tracks.find(({ kind, codec }) => kind === 'picture' && codec !== null);
  if (!picture) throw new NotTaken('no picture of a codec that is taken');
  const sounds = tracks.filter(({ kind }) => kind === 'sound');
  const sound = sounds.find(({ codec }) => codec !== null);
  // Phones may add a second sound in a codec of their own to one that everybody plays.
  if (sounds.length > 0 && !sound) throw new NotTaken('no sound of a codec that is taken');
  return { picture, codecs: [picture.codec, sound?.codec].filter(Boolean).join(', ') };
}

/** Throws NotTaken if no picture can have these sides. */
export function checkedSides(width: number, height: number): { width: number; height: number } {
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) throw new NotTaken('a picture of impossible sides');
  return { width, height };
}

/** Sorts ranges and joins those that touch or overlap. */
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
