import type { Photo } from '@feierbild/contract/entities.ts';
import { isVideo } from '../../../video/video.ts';
import { VideoPlayer } from '../../../video/video-player.tsx';
import styles from '../my-photos.module.css';

/** One's own video, to play. */
export function OwnVideo({ photo }: { photo: Photo }) {
  if (!isVideo(photo)) return null;
  return (
    <div className={styles.preview}>
      <VideoPlayer photo={photo} label={`Eigenes Video ${photo.filename}`} />
    </div>
  );
}
