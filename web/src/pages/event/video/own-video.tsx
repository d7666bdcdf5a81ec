import type { Photo } from '@feierbild/contract/entities.ts';
import { later } from '../../../texts/guest/later.ts';
import { isVideo } from '../../../video/video.ts';
import { VideoPlayer } from '../../../video/video-player.tsx';
import styles from '../my-photos.module.css';

/** One's own video, to play. */
export function OwnVideo({ photo }: { photo: Photo }) {
  if (!isVideo(photo)) return null;
  return (
    <div className={styles.preview}>
      <VideoPlayer photo={photo} label={later.mine.video(photo.filename)} />
    </div>
  );
}
