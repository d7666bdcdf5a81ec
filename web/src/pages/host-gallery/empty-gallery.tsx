import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import { useEventUrl } from '../../lib/event-url.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { QrBox } from '../../ui/qr-box.tsx';
import styles from './empty-gallery.module.css';

/** The gallery before the first photo: code and QR code for guests. `password` is the guests' password, if there is one. */
export function EmptyGallery({ code, password }: { code: string; password: string | null }) {
  const eventUrl = useEventUrl();
  return (
    <div className={styles.empty}>
      <QrBox value={eventUrl(code)} size={QR_SIZE_SHARE} title="QR-Code zum Event" />
      <div className={styles.invitation}>
        <h2>Noch keine Fotos</h2>
        <p>Teilen Sie den Code mit Ihren Gästen. Was sie hochladen, erscheint hier von selbst.</p>
        <p translate="no" className={styles.code}>
          {code}
        </p>
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
