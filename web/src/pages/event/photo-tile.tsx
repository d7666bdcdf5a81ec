import { Check, X } from 'lucide-react';
import { memo } from 'react';
import { upload } from '../../texts.ts';
import styles from './photo-tile.module.css';
import type { Item } from './selection.ts';

const STATES = { pending: 'ausgewählt', uploading: 'wird hochgeladen', uploaded: 'hochgeladen', failed: 'fehlgeschlagen' };

interface PhotoTileProps {
  item: Item;
  /** Object URL; undefined while it is drawn, null where it can't be. */
  thumbnail: string | null | undefined;
  locked: boolean;
  onRemove(id: string): void;
}

/** One selected file with its state; a click takes it out of the selection. */
export const PhotoTile = memo(function PhotoTile({ item, thumbnail, locked, onRemove }: PhotoTileProps) {
  const { file, state, failure } = item;
  const heic = item.isHeic && state === 'pending' ? upload.heic : null;
  const label = [file.name, heic, STATES[state], locked ? null : 'entfernen'].filter(Boolean).join(', ');
  const title = failure ? `${file.name}: ${failure.message}` : file.name;
  return (
    <button type="button" className={styles.tile} disabled={locked} onClick={() => onRemove(item.id)} aria-label={label} title={title}>
      {thumbnail && <img className={styles.picture} src={thumbnail} alt="" />}
      {item.isHeic && state === 'pending' && (
        <span className={`${styles.overlay} ${styles.heic}`} aria-hidden="true">
          {upload.heic}
        </span>
      )}
      {state === 'uploading' && (
        <span className={`${styles.overlay} ${styles.uploading}`}>
          <span className={styles.bar}>
            <span style={{ transform: `scaleX(${item.progress})` }} />
          </span>
        </span>
      )}
      {state === 'uploaded' && (
        <span className={`${styles.overlay} ${styles.uploaded}`}>
          <Check size={40} strokeWidth={3} aria-hidden="true" />
        </span>
      )}
      {state === 'failed' && (
        <span className={`${styles.overlay} ${styles.failed}`}>
          <X size={40} strokeWidth={3} aria-hidden="true" />
        </span>
      )}
    </button>
  );
});
