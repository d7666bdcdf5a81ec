import { useEffect, useEffectEvent, useRef } from 'react';
import styles from './slideshow.module.css';

/** A video that does not move by then is passed over, ms. */
const START_MS = 5_000;
/** Of a longer one the beginning is shown, ms. */
const LONGEST_MS = 15_000;

interface FilmProps {
  url: string;
  /** It is on the wall, not about to go. */
  current: boolean;
  /** It has ended, was long enough, or did not start. */
  onOver(): void;
}

/** A video on the wall, without a sound, above its poster, which shows until it moves. */
export function Film({ url, current, onOver }: FilmProps) {
  const element = useRef<HTMLVideoElement>(null);
  const over = useEffectEvent(onOver);
  useEffect(() => {
    const film = element.current;
    if (!film || !current) return;
    let timer = window.setTimeout(over, START_MS);
    const moves = (): void => {
      film.dataset.moves = 'true';
      clearTimeout(timer);
      timer = window.setTimeout(over, LONGEST_MS);
    };
    const ends = (): void => {
      clearTimeout(timer);
      over();
    };
    film.addEventListener('playing', moves, { once: true });
    film.addEventListener('ended', ends);
    // React leaves the attribute out, without which nothing starts by itself.
    film.muted = true;
    film.play().catch(() => undefined);
    return () => {
      clearTimeout(timer);
      film.removeEventListener('playing', moves);
      film.removeEventListener('ended', ends);
      film.pause();
    };
  }, [current]);
  useEffect(() => {
    const film = element.current;
    // A film that was taken off the wall would keep its connection and its memory.
    return () => {
      film?.removeAttribute('src');
      film?.load();
    };
  }, []);
  return (
    <video ref={element} className={styles.film} src={url} muted playsInline preload="none" disableRemotePlayback aria-hidden="true" />
  );
}
