import type { Photo } from '@feierbild/contract/entities.ts';
import { Check, Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatInstant } from '../../lib/format.ts';
import { useLazyModule } from '../../lib/use-lazy-module.ts';
import { t } from '../../texts/guest/guest.ts';
import { later } from '../../texts/guest/later.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { useAction } from '../../ui/use-form.ts';
import styles from './my-photos.module.css';
import { MY_PHOTOS } from './use-my-photos.ts';
import grid from './photo-tile.module.css';

/** Loads the code for videos, which guests who only send photos do not need. */
const loadVideos = () => import('./videos.tsx');
const loadCookieless = () => import('./cookieless.tsx');

/** Returns the note about the missing part of a photo. */
const noteOf = ({ state }: Photo): string | undefined => (later.mine.states as Partial<Record<Photo['state'], string>>)[state];

interface MyPhotosProps {
  photos: readonly Photo[];
  /** Ids of photos that were just stored, and get a check mark. */
  fresh: ReadonlySet<string>;
  onRemove(id: string): Promise<void>;
  /** Set while a run needs every connection. */
  locked: boolean;
}

/** This browser's photos: to view, download and delete. */
export function MyPhotos({ photos, fresh, onRemove, locked }: MyPhotosProps) {
  const [shown, setShown] = useState<Photo | null>(null);
  const videos = useLazyModule(
    loadVideos,
    photos.some(({ video }) => video),
  );
  const cookieless = useLazyModule(loadCookieless, !navigator.cookieEnabled);
  const Picture = cookieless?.OwnPicture ?? Thumbnail;
  if (photos.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby={MY_PHOTOS}>
      <h2 id={MY_PHOTOS}>{later.mine.title}</h2>
      <p className={styles.hint}>{cookieless?.hint() ?? later.mine.hint}</p>
      <ul className={grid.grid}>
        {photos.map((photo) => (
          <li key={photo.id}>
            <button
              type="button"
              className={grid.tile}
              disabled={locked}
              onClick={() => setShown(photo)}
              aria-label={[t.tile.view(photo.filename), noteOf(photo)].filter(Boolean).join(', ')}
            >
              <Picture className={grid.picture} src={photo.thumbnail_url} alt="" loading="lazy" />
              {videos && <videos.VideoLength photo={photo} />}
              {noteOf(photo) && <span className={`${grid.reason} ${grid.follows}`}>{noteOf(photo)}</span>}
              {fresh.has(photo.id) && (
                <span className={grid.badge}>
                  <Check size={18} strokeWidth={3} />
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {shown && <PhotoDialog key={shown.id} photo={shown} onClose={() => setShown(null)} {...{ videos, cookieless, onRemove }} />}
    </section>
  );
}

interface PhotoDialogProps {
  photo: Photo;
  /** The code for videos; null until it is loaded. */
  videos: Awaited<ReturnType<typeof loadVideos>> | null;
  /** The code for a browser without cookies; null in others. */
  cookieless: Awaited<ReturnType<typeof loadCookieless>> | null;
  onClose(): void;
  /** Rejects if the photo still exists. */
  onRemove(id: string): Promise<void>;
}

/** Shows an own photo large, to download it or to delete it after a question. */
export function PhotoDialog({ photo, videos, cookieless, onClose, onRemove }: PhotoDialogProps) {
  const Picture = cookieless?.OwnPicture ?? 'img';
  const [asking, setAsking] = useState(false);
  const { busy, failure, run } = useAction();

  async function remove(): Promise<void> {
    await onRemove(photo.id);
    onClose();
  }

  return (
    <Dialog title={asking ? later.mine.delete(photo.video !== undefined) : formatInstant(photo.created_at)} busy={busy} onClose={onClose}>
      {videos?.isVideo(photo) ? (
        <div className={styles.preview}>
          <videos.OwnVideo photo={photo} label={later.mine.video(photo.filename)} cookieless={cookieless} />
        </div>
      ) : (
        <Picture
          className={styles.preview}
          src={photo.preview_url}
          alt={later.mine.photo(photo.filename)}
          width={photo.width}
          height={photo.height}
        />
      )}
      {asking && <p>{later.mine.deleteText(photo.video !== undefined, photo.filename)}</p>}
      {failure && <Notice kind="error">{failure}</Notice>}
      <DialogActions>
        {asking ? (
          <>
            <Button look="secondary" disabled={busy} onClick={() => setAsking(false)}>
              {later.mine.keep}
            </Button>
            <Button look="danger" busy={busy} onClick={() => void run(remove)}>
              {later.mine.deleteNow}
            </Button>
          </>
        ) : (
          <>
            <Button look="quiet" onClick={() => setAsking(true)}>
              <Trash2 size={20} /> {later.mine.remove}
            </Button>
            {cookieless ? (
              <cookieless.OwnDownload photo={photo} />
            ) : (
              <ButtonLink href={photo.original_url} download>
                <Download size={20} /> {later.mine.download}
              </ButtonLink>
            )}
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
