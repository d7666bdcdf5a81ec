import type { Photo } from '@feierbild/contract/entities.ts';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../api/client.ts';
import { formatInstant } from '../../lib/format.ts';
import { later } from '../../texts/guest/later.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Videos } from './video/use-videos.ts';
import styles from './my-photos.module.css';

interface PhotoDialogProps {
  photo: Photo;
  /** Null until it is loaded. */
  videos: Videos | null;
  onClose(): void;
  /** Rejects where the photo is still there. */
  onRemove(id: string): Promise<void>;
}

/** One's own photo, large: to download, or to delete after a question. */
export function PhotoDialog({ photo, videos, onClose, onRemove }: PhotoDialogProps) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function remove(): Promise<void> {
    setBusy(true);
    setFailure('');
    try {
      await onRemove(photo.id);
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  }

  return (
    <Dialog open title={asking ? later.mine.delete(photo.video !== undefined) : formatInstant(photo.created_at)} onClose={onClose}>
      {videos?.isVideo(photo) ? (
        <div className={styles.preview}>
          <videos.VideoPlayer photo={photo} label={later.mine.video(photo.filename)} />
        </div>
      ) : (
        <img
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
            <Button look="secondary" onClick={() => setAsking(false)}>
              {later.mine.keep}
            </Button>
            <Button look="danger" busy={busy} onClick={() => void remove()}>
              {later.mine.deleteNow}
            </Button>
          </>
        ) : (
          <>
            <Button look="quiet" onClick={() => setAsking(true)}>
              <Trash2 size={20} aria-hidden="true" /> {later.mine.remove}
            </Button>
            <ButtonLink href={photo.original_url} download>
              <Download size={20} aria-hidden="true" /> {later.mine.download}
            </ButtonLink>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
