import type { Photo } from '@feierbild/contract/entities.ts';
import { videoLength } from '@feierbild/contract/video-length.ts';
import { Play } from 'lucide-react';
import styles from './video-length.module.css';

/** Says on a picture that it is a video, and how long; nothing on a photo's. */
export function VideoLength({ photo: { video } }: { photo: Photo }) {
  if (!video) return null;
  return (
    <span className={styles.length}>
      <Play size={14} fill="currentColor" />
      {videoLength(video.duration_ms)}
    </span>
  );
}
