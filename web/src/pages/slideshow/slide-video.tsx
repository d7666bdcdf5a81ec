import { useEffect, useEffectEvent, useRef } from 'react';
import { hasPicture, releaseAtEnd } from '../../video/video.ts';
import styles from './slideshow.module.css';

/** A video that does not move by then is passed over, ms. */
const START_MS = 5_000;
/** Of a longer one the beginning is shown, ms. */
const LONGEST_MS = 15_000;

interface SlideVideoProps {
  url: string;
  /** Its slide is shown, not about to go. */
  current: boolean;
  /** It has ended, was long enough, or did not start. */
  onOver(): void;
}

/** A video in the slideshow, without sound, above its poster, which shows until it moves. */
export function SlideVideo({ url, current, onOver }: SlideVideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const over = useEffectEvent(onOver);
  useEffect(() => {
    const video = element.current;
    if (!video || !current) return;
    let timer = window.setTimeout(over, START_MS);
    const moves = (): void => {
      // `playing` comes for the sound alone, too.
      if (!hasPicture(video)) return ends();
      video.dataset.moves = 'true';
      clearTimeout(timer);
      timer = window.setTimeout(over, LONGEST_MS);
    };
    const ends = (): void => {
      clearTimeout(timer);
      over();
    };
    video.addEventListener('playing', moves, { once: true });
    video.addEventListener('ended', ends);
    // React leaves the attribute out, without which nothing starts by itself.
    video.muted = true;
    video.play().catch(() => undefined);
    return () => {
      clearTimeout(timer);
      video.removeEventListener('playing', moves);
      video.removeEventListener('ended', ends);
      video.pause();
    };
  }, [current]);
  useEffect(() => (element.current ? releaseAtEnd(element.current) : undefined), []);
  return (
    <video ref={element} className={styles.video} src={url} muted playsInline preload="none" disableRemotePlayback aria-hidden="true" />
  );
}
