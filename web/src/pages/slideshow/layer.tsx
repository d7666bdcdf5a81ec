import { ANONYMOUS } from '@feierbild/contract/constants.ts';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { hasPicture, previewFor, releaseAtEnd } from '../../video/video.ts';
import styles from './slideshow.module.css';
import type { LoadedPhoto, Slide } from './use-show.ts';

/** How long a new photo is named as such, ms. */
const NEW_MS = 4_000;

interface LayerProps {
  slide: Slide;
  /** Photos in the slideshow; null where this layer is about to go. */
  total: number | null;
  /** Whether it says who sent its photos. */
  named: boolean;
  /** It has faded in. */
  onShown(id: string): void;
  /** Its video is over. */
  onOver(id: string): void;
}

/** One slide on a blurred fill of itself. */
export function Layer({ slide: { id, pictures, isNew }, total, named, onShown, onOver }: LayerProps) {
  const [first] = pictures;
  const ratios = pictures.reduce((sum, { photo }) => sum + photo.width / photo.height, 0);
  return (
    <div
      className={`${styles.layer} ${pictures.length > 1 ? styles.pair : ''}`}
      style={{ '--ratios': ratios } as CSSProperties}
      onAnimationEnd={(event) => event.target === event.currentTarget && onShown(id)}
    >
      {first && <img className={styles.fill} src={previewFor(first.photo)} alt="" aria-hidden="true" />}
      {pictures.map((one) => (
        <Picture
          key={one.photo.id}
          picture={one}
          alt={total === null ? '' : `${one.photo.video ? 'Video' : 'Foto'} ${one.place + 1} von ${total}`}
        >
          {one.photo.video && <SlideVideo url={one.photo.video.url} current={total !== null} onOver={() => onOver(id)} />}
        </Picture>
      ))}
      {named && <Names pictures={pictures} />}
      {isNew && total !== null && <NewPill name={named ? (first?.photo.device.name ?? '') : ''} />}
    </div>
  );
}

/** Says for a moment that a photo is new; a locked slideshow gets no names, and guests need not give one. */
function NewPill({ name }: { name: string }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), NEW_MS);
    return () => clearTimeout(timer);
  }, []);
  if (over) return null;
  return <p className={styles.pill}>{name && name !== ANONYMOUS ? `Neu von ${name}` : 'Neu'}</p>;
}

/** Who sent the photos, small; a locked slideshow gets no names. */
function Names({ pictures }: { pictures: readonly LoadedPhoto[] }) {
  const names = new Set(pictures.map(({ photo }) => photo.device.name).filter((name) => name && name !== ANONYMOUS));
  return names.size > 0 && <p className={styles.names}>{[...names].join(' · ')}</p>;
}

/** Shows the image element that was loaded: another one with its address might need the network again. */
function Picture({ picture: { photo, image }, alt, children }: { picture: LoadedPhoto; alt: string; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => attach(frame.current, image, alt), [image, alt]);
  const ratio = photo.width / photo.height;
  const shape = { '--ratio': ratio, '--kept': ratio < 1 ? 1 : undefined };
  return (
    <div className={styles.frame} style={shape as CSSProperties}>
      <div ref={frame} className={styles.picture} />
      {children}
    </div>
  );
}

function attach(frame: HTMLElement | null, image: HTMLImageElement, alt: string): void {
  image.alt = alt;
  image.className = styles.photo ?? '';
  // Moving it without need would load it once more in some browsers.
  if (image.parentNode !== frame) frame?.replaceChildren(image);
}

/** A video that does not move by then is passed over, ms. */
const START_MS = 5_000;
/** Of a longer one the beginning is shown, ms. */
const LONGEST_MS = 15_000;

/**
 * A video in the slideshow, without sound, above its poster, which shows until it moves. `current`: its slide is not about to go;
 * `onOver`: it has ended, was long enough, or did not start.
 */
function SlideVideo({ url, current, onOver }: { url: string; current: boolean; onOver(): void }) {
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
