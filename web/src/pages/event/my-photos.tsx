import type { Photo } from '@feierbild/contract/entities.ts';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../texts/guest/guest.ts';
import { later } from '../../texts/guest/later.ts';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { useVideos } from './video/use-videos.ts';
import styles from './my-photos.module.css';
import { MY_PHOTOS } from './use-my-photos.ts';
import { PhotoDialog } from './photo-dialog.tsx';
import grid from './photo-tile.module.css';

interface MyPhotosProps {
  photos: readonly Photo[];
  /** Ids of those that get a check: just stored. */
  fresh: ReadonlySet<string>;
  onRemove(id: string): Promise<void>;
  /** While a run needs every connection. */
  locked: boolean;
}

/** What this browser uploaded: to view, download and delete. */
export function MyPhotos({ photos, fresh, onRemove, locked }: MyPhotosProps) {
  const [shown, setShown] = useState<Photo | null>(null);
  const videos = useVideos(photos.some(({ video }) => video));
  if (photos.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby={MY_PHOTOS}>
      <h2 id={MY_PHOTOS}>{later.mine.title}</h2>
      <p className={styles.hint}>{later.mine.hint}</p>
      <ul className={grid.grid}>
        {photos.map((photo) => (
          <li key={photo.id}>
            <button
              type="button"
              className={grid.tile}
              disabled={locked}
              onClick={() => setShown(photo)}
              aria-label={t.tile.view(photo.filename)}
            >
              <Thumbnail className={grid.picture} src={photo.thumbnail_url} alt="" loading="lazy" />
              {videos && <videos.VideoLength photo={photo} />}
              {fresh.has(photo.id) && (
                <span className={grid.badge}>
                  <Check size={18} strokeWidth={3} aria-hidden="true" />
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {shown && <PhotoDialog key={shown.id} photo={shown} videos={videos} onClose={() => setShown(null)} onRemove={onRemove} />}
    </section>
  );
}
