import { ZIP_POLL_INTERVAL } from '@feierbild/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { Download, FolderArchive } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formatAge, formatBytes, formatNumber, plural } from '../../lib/format.ts';
import { zip as texts } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import buttons from '../../ui/button.module.css';
import styles from './gallery.module.css';

/** All originals in one file: make it, see how far it is, download it. Errors are only logged; the box shows what is true. */
export function ZipBox({ code, photos }: { code: string; photos: number }) {
  const [asked, setAsked] = useState(false);
  const params = { ref: code };
  const { data, refetch } = useQuery({
    queryKey: ['zip', code],
    queryFn: () => call('GET /api/events/:ref/zip-progress', { params }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? ZIP_POLL_INTERVAL : 30_000),
  });
  const status = asked ? 'processing' : (data?.status ?? 'idle');
  const ready = status === 'complete';
  const processing = status === 'processing';

  async function make(): Promise<void> {
    setAsked(true);
    try {
      await call(ready ? 'POST /api/events/:ref/regenerate-zip' : 'POST /api/events/:ref/create-zip', { params });
    } catch (error) {
      // Being made already is fine: the progress tells. Everything else goes back to what was.
      console.error(error);
    }
    await refetch();
    setAsked(false);
  }

  return (
    <section className={styles.zip} aria-label="ZIP-Download">
      <FolderArchive size={28} aria-hidden="true" />
      <div className={styles.zipText}>
        <strong>Alle Fotos als ZIP</strong>
        <span className={styles.small} role="status">
          {processing && `Wird erstellt: ${formatNumber(data?.progress ?? 0)} %`}
          {ready &&
            [
              `${formatBytes(data?.size ?? 0)}, ${formatAge(data?.zip_age ?? 0)}`,
              data?.new_photos ? plural(data.new_photos, '1 neues Foto seitdem', '# neue Fotos seitdem') : '',
            ]
              .filter(Boolean)
              .join(' · ')}
          {!processing && !ready && (photos === 0 ? 'Es gibt noch keine Fotos.' : 'Originale in voller Qualität')}
        </span>
        {processing && <progress className={styles.progress} max={100} value={data?.progress ?? 0} aria-label="Fortschritt des ZIP" />}
      </div>
      <div className={styles.zipActions}>
        <Button look={ready ? 'secondary' : 'primary'} disabled={processing || photos === 0} onClick={() => void make()}>
          {ready ? texts.again : texts.create}
        </Button>
        {ready ? (
          <a className={`${buttons.button} ${buttons.primary}`} href={`/api/events/${code}/download`}>
            <Download size={20} aria-hidden="true" /> Herunterladen
          </a>
        ) : (
          <Button disabled>
            <Download size={20} aria-hidden="true" /> Herunterladen
          </Button>
        )}
      </div>
    </section>
  );
}
