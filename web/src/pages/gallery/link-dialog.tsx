import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useState } from 'react';
import { call, messageOf } from '../../api/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ShareLink } from '../../ui/share-link.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './gallery.module.css';

/** Makes a temporary link to one photo, and shows it: as QR code for the phone of who stands here, to copy for all others. */
export function LinkDialog({ photo, onClose }: { photo: Photo; onClose(): void }) {
  const [link, setLink] = useState<{ url: string; until: string } | null>(null);
  const [failure, setFailure] = useState('');

  useEffect(() => {
    let shown = true;
    call('POST /api/photos/:id/link', { params: { id: photo.id } }).then(
      ({ download_url, expires_at }) =>
        shown && setLink({ url: new URL(download_url, window.location.origin).href, until: longDate.format(new Date(expires_at)) }),
      (error: unknown) => shown && setFailure(messageOf(error)),
    );
    return () => {
      shown = false;
    };
  }, [photo.id]);

  return (
    <Dialog open title="Foto weitergeben" onClose={onClose}>
      <div className={styles.linkBody}>
        {failure && <Notice kind="error">{failure}</Notice>}
        {!failure && !link && (
          <p role="status">
            <Spinner /> Der Link wird erstellt …
          </p>
        )}
        {link && (
          <>
            <p>Wer diesen Link hat, kann dieses eine Foto bis zum {link.until} ohne Anmeldung herunterladen, ohne den Ort der Aufnahme.</p>
            <div className={styles.linkQr}>
              <QRCodeSVG value={link.url} size={QR_SIZE_SHARE} title="QR-Code zum Download des Fotos" />
            </div>
            <ShareLink url={link.url} title="Ein Foto für Sie" />
          </>
        )}
      </div>
    </Dialog>
  );
}

const longDate = new Intl.DateTimeFormat('de-DE', { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' });
