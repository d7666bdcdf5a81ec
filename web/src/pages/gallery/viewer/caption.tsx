import type { Photo } from '@feierbild/contract/entities.ts';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { formatBytes, formatLocal, formatTime } from '../../../lib/format.ts';
import { photoText } from '../photo-text.ts';
import styles from './viewer.module.css';

/** Who sent a photo, and when; all else that is known of it behind a button. */
export function Caption({ photo }: { photo: Photo }) {
  const [open, setOpen] = useState(false);
  const all = [
    photoText(photo),
    photo.taken_at && `aufgenommen ${formatLocal(photo.taken_at)}`,
    `${photo.filename}, ${formatBytes(photo.size)}`,
  ].filter(Boolean);
  return (
    <div className={styles.caption}>
      <p>
        {photo.device.name} · {formatTime(photo.created_at)}
        <button type="button" aria-label="Alle Angaben" title="Alle Angaben" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Info size={18} />
        </button>
      </p>
      {open && <p>{all.join(' · ')}</p>}
    </div>
  );
}
