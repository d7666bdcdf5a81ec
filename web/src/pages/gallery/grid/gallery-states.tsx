import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import { QRCodeSVG } from 'qrcode.react';
import { useEventUrl } from '../../../lib/event-url.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import styles from './grid.module.css';

/** While the first photos are being loaded. */
export function Skeleton() {
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">Fotos werden geladen</span>
      {Array.from({ length: 10 }, (_, n) => (
        <div key={n} />
      ))}
    </div>
  );
}

/** Before the first photo: what guests need is there at once. `password` is the guests', where there is one. */
export function EmptyGallery({ code, password }: { code: string; password: string | null }) {
  const eventUrl = useEventUrl();
  return (
    <div className={styles.empty}>
      <div className={styles.qr}>
        <QRCodeSVG value={eventUrl(code)} size={QR_SIZE_SHARE} title="QR-Code zum Event" />
      </div>
      <div className={styles.invitation}>
        <h2>Noch keine Fotos</h2>
        <p>Teilen Sie den Code mit Ihren Gästen. Was sie hochladen, erscheint hier von selbst.</p>
        <p className={styles.code}>{code}</p>
        {password !== null && (
          <p>
            Passwort <strong>{password}</strong>
          </p>
        )}
        <ButtonLink href={`/manage/${code}`}>Event teilen</ButtonLink>
      </div>
    </div>
  );
}
