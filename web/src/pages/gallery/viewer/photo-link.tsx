import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import { QRCodeSVG } from 'qrcode.react';
import { formatInstant } from '../../../lib/format.ts';
import { ShareLink } from '../../../ui/share-link.tsx';
import styles from './viewer.module.css';

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
