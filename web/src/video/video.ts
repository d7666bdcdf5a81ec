import type { Photo } from '@feierbild/contract/entities.ts';

export const CANNOT_PLAY = 'Dieses Gerät kann das Video nicht abspielen';

type Video = NonNullable<Photo['video']>;

/** Whether this browser may be able to play a video: browsers never promise more. */
export function canPlay({ type, codecs }: Pick<Video, 'type' | 'codecs'>): boolean {
  const container = type === 'video/quicktime' ? 'video/mp4' : type;
  return document.createElement('video').canPlayType(`${container}; codecs="${codecs}"`) !== '';
}

/** Whether the picture of a video can be decoded, once its head was read: of some, browsers play the sound alone. */
export function hasPicture({ videoWidth }: HTMLVideoElement): boolean {
  return videoWidth > 0;
}

/** `1:05`, from an hour on `1:00:05`; empty where it is not known. */
export function formatLength({ duration_ms }: Pick<Video, 'duration_ms'>): string {
  if (duration_ms === null) return '';
  const seconds = Math.round(duration_ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** A photo's own video, where it is one. */
export function isVideo(photo: Photo): photo is Photo & { video: Video } {
  return photo.video !== undefined;
}
