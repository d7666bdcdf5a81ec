import type { HostEvent } from '@feierbild/contract/entities.ts';
import { QRCodeSVG } from 'qrcode.react';
import { useEventUrl, useOrigin } from '../../lib/event-url.ts';
import styles from './cards.module.css';
import { titleSize } from './title-size.ts';

/** The content of a table card (A6). `password` is printed on it and opens the event by the QR code; null leaves it out. */
export function Card({ event, password }: { event: HostEvent; password: string | null }) {
  const eventUrl = useEventUrl();
  const { host } = new URL(useOrigin());
  return (
    <>
      <h2 className={styles.title} style={{ fontSize: `calc(${titleSize(event.title)} * var(--mm))` }}>
        {event.title}
      </h2>
      <QRCodeSVG className={styles.qr} value={eventUrl(event.code, password)} title={`QR-Code zum Event ${event.title}`} />
      <ol className={styles.steps}>
        <li>QR-Code mit der Handykamera scannen</li>
        <li>Ihre schönsten Fotos auswählen</li>
        <li>Auf „Hochladen“ tippen – fertig!</li>
      </ol>
      <p className={styles.code}>
        Ohne Kamera: {host}/join, Code <strong>{event.code}</strong>
        {password && (
          <>
            , Passwort <strong>{password}</strong>
          </>
        )}
        {!password && event.user_upload_password && '. Das Passwort verrät der Gastgeber.'}
      </p>
    </>
  );
}
