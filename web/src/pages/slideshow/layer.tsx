import { ANONYMOUS } from '@feierbild/contract/constants.ts';
import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { SlideVideo } from './slide-video.tsx';
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
      {first && <img className={styles.fill} src={first.photo.preview_url} alt="" aria-hidden="true" />}
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
