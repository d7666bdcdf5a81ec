import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useState } from 'react';
import { call } from '../../../api/client.ts';
import { useOrigin } from '../../../lib/event-url.ts';
import { formatInstant } from '../../../lib/format.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ShareLink } from '../../../ui/share-link.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useTask } from '../../../ui/use-task.ts';
import styles from './viewer.module.css';

/** Makes a temporary link to one photo, and shows it. */
export function LinkDialog({ photo: { id, video }, onClose }: { photo: Photo; onClose(): void }) {
  const kind = video ? 'Video' : 'Foto';
  const origin = useOrigin();
  const { failure, run } = useTask();
  const [link, setLink] = useState<{ download_url: string; expires_at: string } | null>(null);
  useEffect(() => void run(async () => setLink(await call('POST /api/photos/:id/link', { params: { id } }))), [run, id]);

  return (
    <Dialog open title={`${kind} weitergeben`} onClose={onClose}>
      <div className={styles.linkBody}>
        {failure && <Notice kind="error">{failure}</Notice>}
        {!failure && !link && (
          <p role="status">
            <Spinner /> Der Link wird erstellt …
          </p>
        )}
        {link && <PhotoLink kind={kind} url={new URL(link.download_url, origin).href} expiresAt={link.expires_at} />}
      </div>
    </Dialog>
  );
}

/** A temporary link to one photo: as QR code for a phone nearby, and to copy. */
export function PhotoLink({ kind, url, expiresAt }: { kind: 'Foto' | 'Video'; url: string; expiresAt: string }) {
  return (
    <>
      <p>
        Wer diesen Link hat, kann dieses eine {kind} bis zum {formatInstant(expiresAt)} ohne Anmeldung herunterladen, ohne den Ort der
        Aufnahme.
      </p>
      <div className={styles.linkQr}>
        <QRCodeSVG value={url} size={QR_SIZE_SHARE} title={`QR-Code zum Download des ${kind}s`} />
      </div>
      <ShareLink url={url} title={`Ein ${kind} für Sie`} />
    </>
  );
}
