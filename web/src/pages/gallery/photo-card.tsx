import type { Photo } from '@feierbild/contract/entities.ts';
import { Download, MonitorOff, MonitorPlay } from 'lucide-react';
import { memo } from 'react';
import styles from './gallery.module.css';
import type { PlacedPhoto } from './masonry.ts';
import { photoText } from './photo-text.ts';

interface PhotoCardProps {
  place: PlacedPhoto<Photo>;
  onOpen(id: string): void;
  onMark(photo: Photo): void;
  onBroken(): void;
}

/** One photo at its place, with its two quick actions. */
export const PhotoCard = memo(
  function PhotoCard({ place: { photo, left, top, width, height }, onOpen, onMark, onBroken }: PhotoCardProps) {
    const text = photoText(photo);
    return (
      <div className={styles.card} style={{ left, top, width, height }}>
        <button type="button" className={styles.open} onClick={() => onOpen(photo.id)}>
          <img src={photo.thumbnail_url} alt={text} width={photo.width} height={photo.height} onError={onBroken} decoding="async" />
        </button>
        <div className={styles.quick}>
          <button
            type="button"
            aria-pressed={photo.slideshow}
            aria-label="In der Slideshow"
            title={photo.slideshow ? 'In der Slideshow' : 'Nicht in der Slideshow'}
            onClick={() => onMark(photo)}
          >
            {photo.slideshow ? <MonitorPlay size={18} aria-hidden="true" /> : <MonitorOff size={18} aria-hidden="true" />}
          </button>
          <a href={photo.original_url} download aria-label="Herunterladen" title="Herunterladen">
            <Download size={18} aria-hidden="true" />
          </a>
        </div>
      </div>
    );
  },
  // A photo's place is computed anew at each layout, mostly to the same numbers.
  (a, b) =>
    a.place.photo === b.place.photo &&
    a.place.left === b.place.left &&
    a.place.top === b.place.top &&
    a.place.width === b.place.width &&
    a.place.height === b.place.height &&
    a.onOpen === b.onOpen &&
    a.onMark === b.onMark,
);
