import type { Photo } from '@feierbild/contract/entities.ts';
import { Check, Download, Heart, MonitorOff, MonitorPlay } from 'lucide-react';
import { memo, useRef } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { photoTexts } from '../../texts/guest/photo.ts';
import { VideoLength } from '../../video/video-length.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import styles from './grid.module.css';
import type { PlacedPhoto } from './masonry.ts';
import { photoText, stateText } from '../photo-text.ts';

/** What can be done with a photo in the grid; the very same object at each drawing. */
export interface PhotoActions {
  onOpen(this: void, id: string): void;
  /** `range`: with all from the one that was selected last. */
  onSelect?(this: void, id: string, range: boolean): void;
  onToggleSlideshow?(this: void, photo: Photo): void;
  onHeart?(this: void, photo: Photo): void;
  /** Its file is not to be had from here. */
  noDownload?: boolean;
  /** Its picture does not come; that may mean that the session is over, so asking once is enough for all. */
  onBroken(this: void): void;
}

interface PhotoCardProps {
  place: PlacedPhoto<Photo>;
  /** Whether it is selected; null while nothing is being selected. */
  selected: boolean | null;
  /** The tab stop of the grid: Tab reaches this card alone, arrow keys the others. */
  reachable: boolean;
  actions: PhotoActions;
}

/** One photo at its place: opens, or is taken into the selection; with its quick actions. */
export const PhotoCard = memo(function PhotoCard({ place, selected, reachable, actions }: PhotoCardProps) {
  const { onOpen, onSelect, onToggleSlideshow, onHeart, noDownload, onBroken } = actions;
  const { photo, left, top, width, height } = place;
  const button = useRef<HTMLButtonElement>(null);
  const t = photoTexts;
  const text = photoText(photo);
  const state = stateText(photo);
  const selecting = selected !== null;
  return (
    <div className={`${styles.card} ${selected ? styles.selected : ''}`} style={{ insetInlineStart: left, top, width, height }}>
      <button
        ref={button}
        type="button"
        data-photo={photo.id}
        tabIndex={reachable ? 0 : -1}
        className={`${styles.open} ${selecting ? styles.pick : ''}`}
        {...(selecting && { role: 'checkbox', 'aria-checked': selected })}
        onClick={({ shiftKey }) => (selecting ? onSelect?.(photo.id, shiftKey) : onOpen(photo.id))}
      >
        <Thumbnail src={photo.thumbnail_url} alt={text} width={photo.width} height={photo.height} onError={onBroken} decoding="async" />
        <VideoLength photo={photo} />
        {state && <span className={styles.state}>{state}</span>}
        {!state && photo.hearts !== undefined && <HeartCount count={photo.hearts} />}
        {selecting && !photo.slideshow && <span className="visually-hidden">, nicht in der Slideshow</span>}
      </button>
      {selecting ? (
        <>
          <span className={styles.check} aria-hidden="true">
            <span>{selected && <Check size={18} strokeWidth={3} />}</span>
          </span>
          {!photo.slideshow && (
            <span className={styles.off} aria-hidden="true" title="Nicht in der Slideshow">
              <MonitorOff size={18} />
            </span>
          )}
        </>
      ) : (
        <>
          {onSelect && (
            <button
              type="button"
              role="checkbox"
              aria-checked="false"
              tabIndex={-1}
              aria-label={`Auswählen: ${text}`}
              title="Auswählen"
              className={styles.check}
              onClick={({ shiftKey }) => {
                // This button goes when the selection starts; the card takes over its focus.
                button.current?.focus();
                onSelect(photo.id, shiftKey);
              }}
            >
              <span />
            </button>
          )}
          <div className={styles.quick}>
            {onHeart && <HeartButton photo={photo} onHeart={onHeart} />}
            {onToggleSlideshow && (
              <button
                type="button"
                className={photo.slideshow ? undefined : styles.says}
                aria-pressed={photo.slideshow}
                tabIndex={-1}
                aria-label="In der Slideshow"
                title={photo.slideshow ? 'In der Slideshow' : 'Nicht in der Slideshow'}
                onClick={() => onToggleSlideshow(photo)}
              >
                {photo.slideshow ? <MonitorPlay size={18} /> : <MonitorOff size={18} />}
              </button>
            )}
            {!noDownload && (
              <DownloadLink href={photo.original_url} tabIndex={-1} aria-label={t.download} title={t.download}>
                <Download size={18} />
              </DownloadLink>
            )}
          </div>
        </>
      )}
    </div>
  );
});

/** How many guests gave a photo their heart. */
function HeartCount({ count }: { count: number }) {
  return (
    <span className={styles.state}>
      <Heart size={14} fill="currentColor" /> {formatNumber(count)}
      <span className="visually-hidden"> {photoTexts.hearts(count)}</span>
    </span>
  );
}

/** A guest's heart for a photo: always there, because with it a guest has a say. */
function HeartButton({ photo, onHeart }: { photo: Photo; onHeart(this: void, photo: Photo): void }) {
  const t = photoTexts;
  return (
    <button
      type="button"
      className={`${styles.says} ${photo.heart ? styles.loved : ''}`}
      aria-pressed={photo.heart === true}
      tabIndex={-1}
      aria-label={t.heart}
      title={t.heart}
      onClick={() => onHeart(photo)}
    >
      <Heart size={20} fill={photo.heart ? 'currentColor' : 'none'} />
    </button>
  );
}
