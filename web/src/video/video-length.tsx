import type { Photo } from '@feierbild/contract/entities.ts';
import { Play } from 'lucide-react';
import styles from './video-length.module.css';

/** Says on a picture that it is a video, and how long; nothing on a photo's. */
export function VideoLength({ photo: { video } }: { photo: Photo }) {
  if (!video) return null;
  return (
    <span className={styles.length}>
      <Play size={14} fill="currentColor" aria-hidden="true" />
      {formatLength(video.duration_ms)}
    </span>
  );
}

/** `1:05`, from an hour on `1:00:05`; empty where it is not known. */
function formatLength(duration_ms: number | null): string {
  if (duration_ms === null) return '';
  const seconds = Math.round(duration_ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
