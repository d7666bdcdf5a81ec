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

/** The actions for a photo in the grid. The object must stay the same at each rendering. */
export interface PhotoActions {
  onOpen(this: void, id: string): void;
  /** Selects or deselects a photo; with `range` all photos from the last selected one on. */
  onSelect?(this: void, id: string, range: boolean): void;
  onToggleSlideshow?(this: void, photo: Photo): void;
  onHeart?(this: void, photo: Photo): void;
  /** Whether the grid offers no download. */
  noDownload?: boolean;
  /** Called when a picture fails to load. The session may be over, so one question to the server is enough for all pictures. */
  onBroken(this: void): void;
}

interface PhotoCardProps {
  place: PlacedPhoto<Photo>;
  /** Whether the photo is selected; null outside of a selection. */
  selected: boolean | null;
  /** Whether the card is the grid's tab stop: Tab reaches this card alone, arrow keys reach the others. */
  reachable: boolean;
  actions: PhotoActions;
}

/** A photo at its place, with its quick actions: a press opens the photo, or selects it during a selection. */
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
                // This button disappears when the selection starts; the card takes over its focus.
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

/** The number of guests who gave a photo their heart. */
function HeartCount({ count }: { count: number }) {
  return (
    <span className={styles.state}>
      <Heart size={14} fill="currentColor" /> {formatNumber(count)}
      <span className="visually-hidden"> {photoTexts.hearts(count)}</span>
    </span>
  );
}

/** A guest's heart for a photo. Always visible, because it is a guest's way to have a say. */
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
