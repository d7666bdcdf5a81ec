import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { Printer } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import type { ReactNode } from 'react';
import { useEventUrl, useOrigin } from '../../lib/event-url.ts';
import { formatDay, formatDays, plural } from '../../lib/format.ts';
import { useSite } from '../../lib/use-site.ts';
import { Button } from '../../ui/button.tsx';
import { Headline } from '../../ui/headline.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Logo, PageShell, pictureOf } from '../../ui/page-shell.tsx';
import styles from './slips.module.css';

interface SlipsProps {
  events: AdminEvent[];
  actions: ReactNode;
  lead?: ReactNode;
}

/** Slips for hosts, two on a sheet. */
export function Slips({ events, actions, lead }: SlipsProps) {
  const { business, fictitious } = useSite();
  return (
    <PageShell actions={actions}>
      <div className={styles.page}>
        <div className={styles.toolbar}>
          <Headline>Zettel für Gastgeber</Headline>
          {lead}
          <p>
            Zwei auf einem Blatt A4. Das Passwort des Gastgebers steht nicht darauf: Das kennt niemand mehr, nachdem es angezeigt wurde. Auf
            der Linie ist Platz dafür.
          </p>
          {fictitious && (
            <Notice kind="warning" permanent>
              Auf den Zetteln steht der Beispielbetrieb „{business.identity.brand}“, den es nicht gibt. Tragen Sie vor dem Drucken Ihre
              Betriebsdaten ein.
            </Notice>
          )}
          <Button onClick={() => window.print()}>
            <Printer size={20} /> {plural(events.length, '1 Zettel drucken', '# Zettel drucken')}
          </Button>
        </div>
        {events.map((event) => (
          <Slip key={event.id} event={event} />
        ))}
      </div>
    </PageShell>
  );
}

/** A slip for the host, with the login and the guests' access. */
function Slip({ event }: { event: AdminEvent }) {
  const { business, brand: { logo } = {} } = useSite();
  const { brand } = business.identity;
  const origin = useOrigin();
  const address = useEventUrl()(event.code, { password: event.link_password ?? event.user_upload_password });
  const { host } = new URL(origin);
  return (
    <article className={styles.slip} data-slip>
      <header>
        <p className={styles.brand}>{logo ? <Logo {...pictureOf(logo)} name={brand} share={0.8} /> : brand}</p>
        <h2 translate="no" className={styles.title}>
          {event.title}
        </h2>
        <p>{formatDays(event.start_date, event.end_date)}</p>
      </header>
      <section>
        <div>
          <h3>Für Sie als Gastgeber</h3>
          <dl>
            <Line name="Anmelden">{host}/login</Line>
            <Line name="Benutzername">
              <strong className={styles.code}>{event.code}</strong>
            </Line>
            <Line name="Passwort">
              {event.user === null && event.invited_until !== null ? 'legen Sie mit der Einladung fest' : <span className={styles.line} />}
            </Line>
          </dl>
          <p>Nach dem Fest alles als ZIP laden: Am {formatDay(event.deletion_date)} ist der letzte Tag der Fotos.</p>
        </div>
        <QRCodeSVG
          className={styles.qr}
          value={`${origin}/login?username=${event.code}`}
          title={`QR-Code zur Anmeldung für ${event.title}`}
        />
      </section>
      <section>
        <div>
          <h3>Für Ihre Gäste</h3>
          <dl>
            <Line name="Adresse">{host}/join</Line>
            <Line name="Code">
              <strong className={styles.code}>{event.code}</strong>
            </Line>
            {event.with_upload_password && (
              <Line name="Passwort">
                {event.user_upload_password === null ? (
                  <span className={styles.line} />
                ) : (
                  <strong translate="no" className={styles.code}>
                    {event.user_upload_password}
                  </strong>
                )}
              </Line>
            )}
          </dl>
          <p>Scannen, Fotos auswählen, fertig: ohne App und ohne Konto.</p>
        </div>
        <QRCodeSVG className={styles.qr} value={address} title={`QR-Code zum Event ${event.title}`} />
      </section>
    </article>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
