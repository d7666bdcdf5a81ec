import type { Photo } from '@feierbild/contract/entities.ts';
import { Play } from 'lucide-react';
import { formatLength } from './video.ts';
import styles from './video-length.module.css';

/** Says on a picture that it is a video, and how long; nothing on a photo's. */
export function VideoLength({ photo: { video } }: { photo: Photo }) {
  if (!video) return null;
  return (
    <span className={styles.length}>
      <Play size={14} fill="currentColor" aria-hidden="true" />
      {formatLength(video)}
    </span>
  );
}
