import { Check, CloudOff, X } from 'lucide-react';
import { memo } from 'react';
import { t } from '../../texts/guest/guest.ts';
import styles from './photo-tile.module.css';
import { isHeic, sentenceOf, type Item } from './item.ts';

interface PhotoTileProps {
  item: Item;
  /** The reason of the failure in one or two words; null if there is none. */
  reason: string | null;
  locked: boolean;
  /** Whether the file is sent again automatically, so that the guest has nothing to do. */
  resends: boolean;
  onRemove(id: string, tile: HTMLElement): void;
}

/** A selected file with its state; a click removes it from the selection. */
export const PhotoTile = memo(function PhotoTile({ item, reason, locked, resends, onRemove }: PhotoTileProps) {
  const { name, state, failure, thumbnail, announced } = item;
  const follows = announced && state !== 'stored' && !failure;
  const heic = isHeic(item) && state === 'waiting' && !failure;
  const label = [
    name,
    heic && t.tile.heic,
    follows && t.tile.announced,
    failure ? `${resends ? t.tile.resends : t.tile.failed}: ${reason}` : t.tile[state === 'refused' || state === 'lost' ? 'failed' : state],
    locked ? null : t.tile.remove,
  ]
    .filter(Boolean)
    .join(', ');
  const title = failure ? `${name}: ${sentenceOf(failure)}` : name;
  return (
    <button
      type="button"
      className={styles.tile}
      disabled={locked}
      onClick={({ currentTarget }) => onRemove(item.id, currentTarget)}
      // A held key would also remove the neighbours, which get the focus.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      aria-label={label}
      title={title}
    >
      {thumbnail && <img className={styles.picture} src={thumbnail} alt="" />}
      {heic && (
        <span className={`${styles.overlay} ${styles.heic}`} aria-hidden="true">
          {t.tile.heic}
        </span>
      )}
      {state === 'sending' && (
        <span className={`${styles.overlay} ${styles.uploading}`}>
          <span className={`${styles.bar} ${follows ? styles.above : ''}`}>
            <span style={{ transform: `scaleX(${item.progress})` }} />
          </span>
        </span>
      )}
      {follows && <span className={`${styles.reason} ${styles.follows}`}>{t.tile.announced}</span>}
      {state === 'stored' && (
        <span className={`${styles.overlay} ${styles.uploaded}`}>
          <Check size={40} strokeWidth={3} />
        </span>
      )}
      {failure && (
        <span className={`${styles.overlay} ${resends ? styles.resends : styles.failed}`}>
          {resends ? <CloudOff size={32} /> : <X size={40} strokeWidth={3} />}
          <span className={styles.reason}>{reason}</span>
        </span>
      )}
    </button>
  );
});
