import type { Photo } from '@feierbild/contract/entities.ts';
import { videoLength } from '@feierbild/contract/video-length.ts';
import { Play } from 'lucide-react';
import styles from './video-length.module.css';

/** Marks a picture as a video and shows its length; renders nothing for a photo. */
export function VideoLength({ photo: { video } }: { photo: Photo }) {
  if (!video) return null;
  return (
    <span className={styles.length}>
      <Play size={14} fill="currentColor" />
      {videoLength(video.duration_ms)}
    </span>
  );
}
