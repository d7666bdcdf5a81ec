import type { ZipStatus } from '@feierbild/contract/entities.ts';
import { Download, FolderArchive, RotateCw } from 'lucide-react';
import { formatAge, formatBytes, formatNumber, plural } from '../../lib/format.ts';
import { zip as texts } from '../../texts.ts';
import type { Counts } from '../../video/counts.ts';
import { Button, buttonClasses } from '../button.tsx';
import { DownloadLink } from '../download-link.tsx';
import styles from './zip.module.css';

interface ZipPanelProps {
  status: ZipStatus;
  /** Percent, while it is being made. */
  progress: number;
  /** Bytes, age in seconds and photos that came since, of a ZIP that is there. */
  size: number | null;
  age: number | null;
  newPhotos: number | null;
  /** How many the event has; null while nobody knows. */
  counts: Counts | null;
  href: string;
  onMake(): void;
}

/** What is true of the ZIP, and the buttons that make and download it. */
export function ZipPanel({ status, progress, size, age, newPhotos, counts, href, onMake }: ZipPanelProps) {
  const ready = status === 'complete';
  const processing = status === 'processing';
  const photos = counts && counts.photos + counts.videos;
  const withVideos = counts !== null && counts.videos > 0;
  return (
    <section className={styles.zip} aria-label="ZIP-Download">
      <FolderArchive size={28} aria-hidden="true" />
      <div className={styles.text}>
        <strong>{withVideos ? 'Alle Fotos und Videos als ZIP' : 'Alle Fotos als ZIP'}</strong>
        <span className={styles.small} role="status">
          {processing && `Wird erstellt: ${formatNumber(progress)}\u00a0%`}
          {ready &&
            [`${formatBytes(size ?? 0)}, ${formatAge(age ?? 0)}`, newPhotos ? newText(newPhotos, withVideos) : '']
              .filter(Boolean)
              .join(' · ')}
          {!processing && !ready && (photos === 0 ? 'Es gibt noch keine Fotos.' : 'Originale in voller Qualität')}
        </span>
        {processing && <progress className={styles.progress} max={100} value={progress} aria-label="Fortschritt des ZIP" />}
      </div>
      <div className={styles.actions}>
        <Button look={ready ? 'secondary' : 'primary'} disabled={processing || !photos} onClick={onMake}>
          {ready && <RotateCw size={20} aria-hidden="true" className={styles.phone} />}
          <span className={ready ? styles.label : undefined}>{ready ? texts.again : texts.create}</span>
        </Button>
        {ready ? (
          <DownloadLink className={buttonClasses('primary')} href={href}>
            <Download size={20} aria-hidden="true" /> Herunterladen
          </DownloadLink>
        ) : (
          <Button disabled>
            <Download size={20} aria-hidden="true" /> <span className={styles.label}>Herunterladen</span>
          </Button>
        )}
      </div>
    </section>
  );
}

/** Photos and videos that came since, counted together. */
function newText(count: number, withVideos: boolean): string {
  return withVideos
    ? plural(count, '1 neue Datei seitdem', '# neue Dateien seitdem')
    : plural(count, '1 neues Foto seitdem', '# neue Fotos seitdem');
}
