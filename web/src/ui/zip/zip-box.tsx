import type { ZipProgress } from '@feierbild/contract/calls/archive.ts';
import { ZIP_POLL_INTERVAL } from '@feierbild/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { Download, FolderArchive, RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { call, isRefusal, messageOf, type ApiError } from '../../api/client.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatNumber, plural } from '../../lib/format.ts';
import { formatAge } from '../../lib/german-format.ts';
import { zip as texts } from '../../texts.ts';
import type { Counts } from '../../video/counts.ts';
import { Button, buttonClasses } from '../button.tsx';
import { DownloadLink } from '../download-link.tsx';
import { Notice } from '../notice.tsx';
import styles from './zip.module.css';

/**
 * Makes, shows and downloads the ZIP of all originals and, on request, of the photos that exist as previews only. Errors are only logged;
 * the box shows the server's state.
 */
export function ZipBox({ code, counts, previews = 0 }: { code: string; counts: Counts | null; previews?: number }) {
  const [asked, setAsked] = useState(false);
  const params = { ref: code };
  const { data, refetch } = useQuery({
    queryKey: ['zip', code],
    queryFn: () => call('GET /api/events/:ref/zip-progress', { params }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? ZIP_POLL_INTERVAL : 30_000),
  });
  const zip: ZipState = asked ? { ...NO_ZIP, status: 'processing' } : (data ?? NO_ZIP);

  // A complete ZIP's state is read again when the number of photos changes: photos have come, or one in the ZIP was deleted.
  const askAgain = useEffectEvent(() => void (data?.status === 'complete' && refetch({ cancelRefetch: false })));
  useEffect(() => askAgain(), [counts?.photos, counts?.videos]);

  async function onMake(withPreviews: boolean): Promise<void> {
    setAsked(true);
    try {
      const making = data?.status === 'complete' ? 'POST /api/events/:ref/regenerate-zip' : 'POST /api/events/:ref/create-zip';
      await call(making, { params, body: { previews: withPreviews } });
    } catch (error) {
      // If the ZIP is being made already, the progress shows it; after every other error the box shows the state before.
      console.error(error);
    }
    await refetch();
    setAsked(false);
  }

  const href = `/api/events/${code}/download`;
  return (
    <ZipPanel
      zip={zip}
      counts={counts}
      previews={previews}
      href={href}
      onMake={(withPreviews) => void onMake(withPreviews)}
      onRefused={() => void refetch()}
    />
  );
}

/** The state of an event's ZIP. */
export type ZipState = Omit<ZipProgress, 'photos'>;
export const NO_ZIP: ZipState = { status: 'idle', progress: 0, size: null, zip_age: null, new_photos: null, unreadable: 0, damaged: 0 };

interface ZipPanelProps {
  zip: ZipState;
  /** Number of the event's photos and videos; null while it is unknown. */
  counts: Counts | null;
  /** Number of photos that exist as previews only. */
  previews?: number;
  href: string;
  onMake(withPreviews: boolean): void;
  /** Called if the server does not hand out the ZIP: another host makes it anew, or it can no longer be read to its end. */
  onRefused(): void;
}

/** The ZIP's state in words, and the buttons that make and download it. */
export function ZipPanel({ zip, counts, previews = 0, href, onMake, onRefused }: ZipPanelProps) {
  const { status, progress, size, zip_age, new_photos, unreadable, damaged } = zip;
  const [withPreviews, setWithPreviews] = useState(false);
  /** The refusal of the last press, unless the ZIP's state explains it. */
  const [refused, setRefused] = useState<ApiError | null>(null);
  function onAnswer(refusal: ApiError | null): void {
    setRefused(isRefusal(refusal, 'archive_not_ready') ? null : refusal);
    if (refusal) onRefused();
  }
  const ready = status === 'complete';
  const processing = status === 'processing';
  const photos = counts && counts.photos + counts.videos;
  const isEmpty = !photos && !(withPreviews && previews);
  const withVideos = counts !== null && counts.videos > 0;
  // New photos and videos are counted together.
  const [one, more] = withVideos ? ['1 neue Datei', '# neue Dateien'] : ['1 neues Foto', '# neue Fotos'];
  return (
    <section className={styles.zip} aria-label="ZIP-Download">
      <FolderArchive size={28} />
      <div className={styles.text}>
        <strong>{withVideos ? 'Alle Fotos und Videos als ZIP' : 'Alle Fotos als ZIP'}</strong>
        <span className={styles.small} role="status">
          {processing && `Wird erstellt: ${formatNumber(progress)}\u00a0%`}
          {ready &&
            [`${formatBytes(size ?? 0)}, ${formatAge(zip_age ?? 0)}`, new_photos ? `${plural(new_photos, one, more)} seitdem` : '']
              .filter(Boolean)
              .join(' · ')}
          {!processing &&
            !ready &&
            (photos !== 0 ? 'Originale in voller Qualität' : previews > 0 ? 'Noch ist kein Original da.' : 'Es gibt noch keine Fotos.')}
        </span>
        {unreadable > 0 && (
          <span className={styles.small}>
            {plural(
              unreadable,
              'Ein Original ist unlesbar und nur als Vorschau im ZIP. Laden Sie es einzeln aus der Galerie.',
              '# Originale sind unlesbar und nur als Vorschau im ZIP. Laden Sie sie einzeln aus der Galerie.',
            )}
          </span>
        )}
        {damaged > 0 && !processing && (
          <span className={styles.small}>
            {ready
              ? plural(
                  damaged,
                  'Ein Original ist auf dem Server beschädigt und fehlt im ZIP. „Beschädigte Fotos.txt“ darin nennt es.',
                  '# Originale sind auf dem Server beschädigt und fehlen im ZIP. „Beschädigte Fotos.txt“ darin nennt sie.',
                )
              : plural(
                  damaged,
                  'Ein Original ist auf dem Server beschädigt. Das nächste ZIP hat alle anderen und nennt es.',
                  '# Originale sind auf dem Server beschädigt. Das nächste ZIP hat alle anderen und nennt sie.',
                )}
          </span>
        )}
        {previews > 0 && (
          <label className={`${styles.small} ${styles.ask}`}>
            <input type="checkbox" checked={withPreviews} onChange={({ target }) => setWithPreviews(target.checked)} />
            {plural(previews, 'Auch das eine Foto, das nur als Vorschau da ist', 'Auch die # Fotos, die nur als Vorschau da sind')}
          </label>
        )}
        {processing && <progress className={styles.progress} max={100} value={progress} aria-label="Fortschritt des ZIP" />}
        {ready && refused && <Notice kind="error">{messageOf(refused)}</Notice>}
      </div>
      <div className={styles.actions}>
        <Button look={ready ? 'secondary' : 'primary'} disabled={processing || isEmpty} onClick={() => onMake(withPreviews)}>
          {ready && <RotateCw size={20} className={styles.phone} />}
          <span className={ready ? styles.label : undefined}>{ready ? texts.again : texts.create}</span>
        </Button>
        {ready ? (
          <DownloadLink className={buttonClasses('primary')} href={href} onAnswer={onAnswer}>
            <Download size={20} /> Herunterladen
          </DownloadLink>
        ) : (
          <Button disabled>
            <Download size={20} /> <span className={styles.label}>Herunterladen</span>
          </Button>
        )}
      </div>
    </section>
  );
}
