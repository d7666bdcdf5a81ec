import type { Photo } from '@feierbild/contract/entities.ts';

type Video = NonNullable<Photo['video']>;

/** Tells whether this browser may be able to play a video; browsers never promise more. */
export function canPlay({ type, codecs }: Pick<Video, 'type' | 'codecs'>): boolean {
  const container = type === 'video/quicktime' ? 'video/mp4' : type;
  return document.createElement('video').canPlayType(`${container}; codecs="${codecs}"`) !== '';
}

/** Tells whether a video's picture can be decoded, once its metadata were read: browsers play some videos with sound alone. */
export function hasPicture({ videoWidth }: HTMLVideoElement): boolean {
  return videoWidth > 0;
}

/**
 * Returns a function that ends the video; leaving the page ends it, too. Else a removed video holds its memory and one of the browser's
 * six connections to a host for a while, and in the back-forward cache as long as the page is there.
 */
export function releaseAtEnd(video: HTMLVideoElement): () => void {
  const src = video.getAttribute('src');
  const release = (): void => {
    video.removeAttribute('src');
    video.load();
  };
  const listening = new AbortController();
  const { signal } = listening;
  const restore = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && src) video.src = src;
  };
  window.addEventListener('pagehide', release, { signal });
  window.addEventListener('pageshow', restore, { signal });
  return () => {
    listening.abort();
    release();
  };
}

/** Returns new addresses of a photo's pictures, after a video got its poster or a preview was replaced. */
export function withPoster(id: string, query = 'poster'): Pick<Photo, 'thumbnail_url' | 'preview_url'> {
  return { thumbnail_url: `/api/photos/${id}/thumbnail?${query}`, preview_url: `/api/photos/${id}/preview?${query}` };
}

/** Longest side of a screen, device pixels, for which a preview drawn by a phone is large enough. */
const DRAWN_EDGE = 1280;

/** Returns the address of a photo's preview for this screen. A larger screen gets a larger one than a phone or the upload made. */
export function previewFor({ preview_url }: Photo): string {
  const edge = Math.max(window.innerWidth, window.innerHeight) * window.devicePixelRatio;
  return edge > DRAWN_EDGE ? preview_url.replace(/\?(drawn|small)$/, '?wide') : preview_url;
}

/** Tells whether a photo is a video. */
export function isVideo<P extends Pick<Photo, 'video'>>(photo: P): photo is P & { video: Video } {
  return photo.video !== undefined;
}
