import type { Photo } from '@feierbild/contract/entities.ts';
import { useEffect, useState } from 'react';
import { call, messageOf } from '../../../api/client.ts';
import { useOrigin } from '../../../lib/event-url.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import styles from './viewer.module.css';
import { PhotoLink } from './photo-link.tsx';

/** Makes a temporary link to one photo, and shows it. */
export function LinkDialog({ photo, onClose }: { photo: Photo; onClose(): void }) {
  const kind = photo.video ? 'Video' : 'Foto';
  const origin = useOrigin();
  const [link, setLink] = useState<{ url: string; expiresAt: string } | null>(null);
  const [failure, setFailure] = useState('');

  useEffect(() => {
    let shown = true;
    call('POST /api/photos/:id/link', { params: { id: photo.id } }).then(
      ({ download_url, expires_at }) => shown && setLink({ url: new URL(download_url, origin).href, expiresAt: expires_at }),
      (error: unknown) => shown && setFailure(messageOf(error)),
    );
    return () => {
      shown = false;
    };
  }, [photo.id, origin]);

  return (
    <Dialog open title={`${kind} weitergeben`} onClose={onClose}>
      <div className={styles.linkBody}>
        {failure && <Notice kind="error">{failure}</Notice>}
        {!failure && !link && (
          <p role="status">
            <Spinner /> Der Link wird erstellt …
          </p>
        )}
        {link && <PhotoLink kind={kind} url={link.url} expiresAt={link.expiresAt} />}
      </div>
    </Dialog>
  );
}
