import type { Photo } from '@feierbild/contract/entities.ts';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { CANNOT_PLAY, canPlay, hasPicture } from './video.ts';
import buttons from '../ui/button.module.css';
import styles from './video-player.module.css';

interface VideoPlayerProps {
  photo: Photo & { video: NonNullable<Photo['video']> };
  label: string;
}

/** A video with the browser's own controls; where the browser cannot play it, its poster, a sentence and the download. */
export function VideoPlayer({ photo, label }: VideoPlayerProps) {
  const { video } = photo;
  const [playable, setPlayable] = useState(() => canPlay(video));
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const film = element.current;
    // A film that was taken off the page would hold its connection and its memory for a while.
    return () => {
      film?.removeAttribute('src');
      film?.load();
    };
  }, []);
  if (!playable) {
    return (
      <div className={styles.poster}>
        <img src={photo.preview_url} alt={label} width={photo.width} height={photo.height} />
        <p role="status">
          <strong>{CANNOT_PLAY}</strong>
          <a className={`${buttons.button} ${buttons.secondary}`} href={photo.original_url} download>
            <Download size={20} aria-hidden="true" /> Herunterladen
          </a>
        </p>
      </div>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- what guests film has none
    <video
      ref={element}
      className={styles.video}
      src={video.url}
      poster={photo.preview_url}
      width={photo.width}
      height={photo.height}
      aria-label={label}
      controls
      playsInline
      preload="none"
      onError={() => setPlayable(false)}
      onLoadedMetadata={({ currentTarget }) => setPlayable(hasPicture(currentTarget))}
    />
  );
}
