import type { HostEvent } from '@feierbild/contract/entities.ts';
import { QRCodeSVG } from 'qrcode.react';
import { useEventUrl, useOrigin } from '../../lib/event-url.ts';
import { formatDays } from '../../lib/format.ts';
import styles from './cards.module.css';
import { Sprig } from './sprig.tsx';
import { LONG_TITLE, titleSize } from './title-size.ts';

/** Light paper with a thin frame, a dark card, or light paper with a drawn branch. */
export type Design = 'papier' | 'abend' | 'zweig';

/** How guests are addressed. */
export type Address = 'ihr' | 'sie';

const REQUEST: Record<Address, string> = { ihr: 'Eure Fotos, bitte', sie: 'Ihre Fotos, bitte' };

interface CardProps {
  event: HostEvent;
  /** Is printed on the card and opens the event by the QR code; null leaves it out. */
  password: string | null;
  design: Design;
  address: Address;
}

/** The content of a card; its lengths are units of 1/105 of the card's width (`--unit`). */
export function Card({ event, password, design, address }: CardProps) {
  const eventUrl = useEventUrl();
  const { host } = new URL(useOrigin());
  const long = [...event.title].length > LONG_TITLE;
  return (
    <>
      <div className={styles.head}>
        {design === 'zweig' && !long && <Sprig />}
        {!long && <p className={styles.request}>{REQUEST[address]}</p>}
        <h2 className={styles.title} style={{ fontSize: `calc(${titleSize(event.title)} * var(--unit))` }}>
          {event.title}
        </h2>
        {event.subtitle && <p className={`${styles.subtitle} ${long ? styles.oneLine : ''}`}>{event.subtitle}</p>}
        <p className={styles.date}>{formatDays(event.start_date, event.end_date)}</p>
      </div>
      {/* Four modules of white around it, as readers need on the dark card; the others are white. */}
      <QRCodeSVG
        className={styles.qr}
        value={eventUrl(event.code, password)}
        marginSize={design === 'abend' ? 4 : 0}
        title={`QR-Code zum Event ${event.title}`}
      />
      <div>
        <p className={styles.slogan}>Scannen. Auswählen. Fertig.</p>
        <p className={styles.hint}>Ohne App, ohne Konto</p>
      </div>
      <div className={styles.foot}>
        <p className={styles.code}>
          <span>{host}/join</span>
          <span>
            Code <strong>{inFours(event.code)}</strong>
          </span>
        </p>
        {password && (
          <p>
            Passwort <strong className={styles.password}>{password}</strong>
          </p>
        )}
        {!password && event.user_upload_password && <p>Das Passwort verrät der Gastgeber.</p>}
      </div>
    </>
  );
}

/** `ABCD EFGH`: easier to read off and to type than eight characters in a row. */
function inFours(code: string): string {
  return code.replace(/(.{4})(?=.)/g, '$1 ');
}
