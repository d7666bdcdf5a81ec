import { hasPicture, releaseAtEnd } from '../../video/video.ts';
import styles from './slideshow.module.css';

/** Limit for a video's start, after which it is passed over. */
const START_MS = 5_000;
/** Time after which a longer video ends. */
const LONGEST_MS = 15_000;

/**
 * Plays a video without sound above its poster, which shows until it moves. `onOver` is called when it has ended, has been shown long
 * enough, or did not start. Returns a function that ends it.
 */
export function startVideo(frame: HTMLElement, url: string, onOver: () => void): () => void {
  const video = document.createElement('video');
  video.className = styles.video ?? '';
  video.muted = true;
  video.playsInline = true;
  video.preload = 'none';
  video.disableRemotePlayback = true;
  video.setAttribute('aria-hidden', 'true');
  video.src = url;
  let timer = window.setTimeout(onOver, START_MS);
  const ends = (): void => {
    clearTimeout(timer);
    onOver();
  };
  const moves = (): void => {
    // The event `playing` also comes for a video with sound alone.
    if (!hasPicture(video)) return ends();
    video.dataset.moves = 'true';
    clearTimeout(timer);
    timer = window.setTimeout(onOver, LONGEST_MS);
  };
  video.addEventListener('playing', moves, { once: true });
  video.addEventListener('ended', ends);
  frame.append(video);
  video.play().catch(() => undefined);
  const release = releaseAtEnd(video);
  return () => {
    clearTimeout(timer);
    video.removeEventListener('playing', moves);
    video.removeEventListener('ended', ends);
    video.pause();
    release();
  };
}
