import type { Photo } from '@feierbild/contract/entities.ts';
import type { ReactNode } from 'react';
import { messageOf } from '../api/client.ts';
import { addStill } from './still.ts';
import { filmed } from '../texts/guest/video.ts';
import { useVideo } from './use-video.ts';
import { canPlay, hasPicture } from './video.ts';
import styles from './video-player.module.css';

interface VideoPlayerProps {
  photo: Photo & { video: NonNullable<Photo['video']> };
  label: string;
  /** False where another slide is shown in front, which pauses the video. */
  current?: boolean;
  /** Called when a frame plays. */
  onSeen?(): void;
  /** The download in place of a video that this browser cannot play, where the page has one for its visitor. */
  download?: ReactNode;
}

/**
 * A video with the browser's own controls, and a sentence while its connection is broken; where the browser cannot play it or the
 * server refuses it, its poster and the reason.
 */
export function VideoPlayer({ photo, label, current = true, onSeen, download }: VideoPlayerProps) {
  const { video } = photo;
  const { state, props } = useVideo(video.url, () => (canPlay(video) ? 'playable' : 'unplayable'), current);
  if (state !== 'playable' && state !== 'waiting') {
    const isRefused = state !== 'unplayable';
    return (
      <div className={styles.poster}>
        <img src={photo.preview_url} alt={label} width={photo.width} height={photo.height} />
        <p role="status">
          <strong>{isRefused ? messageOf(state) : filmed.unplayable}</strong>
          {!isRefused && download}
        </p>
      </div>
    );
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what guests film has none */}
      <video
        {...props}
        onPlaying={({ currentTarget }) => hasPicture(currentTarget) && onSeen?.()}
        onTimeUpdate={({ currentTarget }) => addStill(currentTarget, photo)}
        className={styles.video}
        poster={photo.preview_url}
        width={photo.width}
        height={photo.height}
        aria-label={label}
        controls
        playsInline
        preload="none"
      />
      {state === 'waiting' && (
        <p className={styles.waiting} role="status">
          {filmed.broken}
        </p>
      )}
    </>
  );
}
