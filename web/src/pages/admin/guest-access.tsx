import { QR_SIZE_CREDENTIALS } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { Copy } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useRef } from 'react';
import { useEventUrl } from '../../lib/event-url.ts';
import { useCopy } from '../../lib/use-copy.ts';
import { Button } from '../../ui/button.tsx';
import styles from './events-list.module.css';

/** How guests get in: QR code, address and password, to copy. */
export function GuestAccess({ event }: { event: AdminEvent }) {
  const url = useEventUrl()(event.code);
  const { notice, copy } = useCopy();
  const address = useRef<HTMLElement>(null);
  const password = useRef<HTMLElement>(null);
  return (
    <section className={styles.guests} aria-label="Zugang der Gäste">
      <div className={styles.qr}>
        <QRCodeSVG value={url} size={QR_SIZE_CREDENTIALS} title={`QR-Code zum Event ${event.title}`} />
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Adresse für Gäste</dt>
          <dd ref={address}>{url}</dd>
        </div>
        {event.user_upload_password && (
          <div>
            <dt>Passwort für Gäste</dt>
            <dd ref={password}>{event.user_upload_password}</dd>
          </div>
        )}
      </dl>
      <div className={styles.actions}>
        <Button look="secondary" onClick={() => void copy(url, 'Link kopiert', address.current)}>
          <Copy size={20} /> Link kopieren
        </Button>
        {event.user_upload_password && (
          <Button look="secondary" onClick={() => void copy(event.user_upload_password ?? '', 'Passwort kopiert', password.current)}>
            <Copy size={20} /> Passwort kopieren
          </Button>
        )}
        <span role="status">{notice}</span>
      </div>
    </section>
  );
}
