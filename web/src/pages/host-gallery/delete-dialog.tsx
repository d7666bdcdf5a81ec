import type { Photo } from '@feierbild/contract/entities.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { photoText } from '../../gallery/photo-text.ts';
import { countsOf, photosAndVideos } from '../../video/counts.ts';

/** Asks before photos are deleted for good. An error of `onDelete` is shown, and the dialog stays. */
export function DeleteDialog({ photos, onClose, onDelete }: { photos: readonly Photo[]; onClose(): void; onDelete(): Promise<void> }) {
  const [first] = photos;
  const counts = countsOf(photos);
  const title = photos.length === 1 ? `${counts.videos === 1 ? 'Video' : 'Foto'} löschen?` : `${photosAndVideos(counts)} löschen?`;
  const one = photos.length === 1 && first ? `${photoText(first)} („${first.filename}“) verschwindet` : '';
  return (
    <ConfirmDialog title={title} cancel="Behalten" confirm="Endgültig löschen" onClose={onClose} onConfirm={onDelete}>
      <p>{one || `${photosAndVideos(counts)} verschwinden`} aus Galerie, Slideshow und ZIP. Das lässt sich nicht rückgängig machen.</p>
    </ConfirmDialog>
  );
}
