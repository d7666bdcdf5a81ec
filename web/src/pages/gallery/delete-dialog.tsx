import type { Photo } from '@feierbild/contract/entities.ts';
import { useState } from 'react';
import { messageOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { photoText } from './photo-text.ts';
import { countsOf, photosAndVideos } from '../../video/counts.ts';

interface DeleteDialogProps {
  photos: readonly Photo[];
  onClose(): void;
  /** What it throws is shown, and the dialog stays. */
  onDelete(): Promise<void>;
}

/** Asks before photos are deleted for good. */
export function DeleteDialog({ photos, onClose, onDelete }: DeleteDialogProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [first] = photos;
  const counts = countsOf(photos);
  const title = photos.length === 1 ? `${counts.videos === 1 ? 'Video' : 'Foto'} löschen?` : `${photosAndVideos(counts)} löschen?`;
  const one = photos.length === 1 && first ? `${photoText(first)} („${first.filename}“) verschwindet` : '';

  async function remove(): Promise<void> {
    setBusy(true);
    try {
      await onDelete();
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  }

  return (
    <Dialog open title={title} onClose={onClose}>
      <p>{one || `${photosAndVideos(counts)} verschwinden`} aus Galerie, Slideshow und ZIP. Das lässt sich nicht rückgängig machen.</p>
      {failure && <Notice kind="error">{failure}</Notice>}
      <DialogActions>
        <Button look="secondary" onClick={onClose}>
          Behalten
        </Button>
        <Button look="danger" busy={busy} onClick={() => void remove()}>
          Endgültig löschen
        </Button>
      </DialogActions>
    </Dialog>
  );
}
