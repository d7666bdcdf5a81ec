import type { Photo } from '@feierbild/contract/entities.ts';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import styles from './my-photos.module.css';
import { PhotoDialog } from './photo-dialog.tsx';
import grid from './photo-tile.module.css';
import { useVideos } from './video/use-videos.ts';

/** Id of its headline, for links that lead there. */
export const MY_PHOTOS = 'meine-fotos';

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
      <h2 id={MY_PHOTOS}>Meine Fotos</h2>
      <p className={styles.hint}>Diese Liste gehört zu diesem Browser; auf anderen Geräten ist sie leer.</p>
      <ul className={grid.grid}>
        {photos.map((photo) => (
          <li key={photo.id}>
            <button
              type="button"
              className={grid.tile}
              disabled={locked}
              onClick={() => setShown(photo)}
              aria-label={`${photo.filename}, ansehen`}
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
