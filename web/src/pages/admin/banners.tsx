import { formatInstant } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

interface Status {
  initial_password: boolean;
  default_business: boolean;
  https: boolean;
  decoder_isolated: boolean;
  /** The server's time if its clock jumped ahead. */
  clock_leapt: string | null;
  tampered_events: string[];
}

/** Warnings about the installation that the operator should act on. */
export function Banners({ status, onPassword, onClockRight }: { status: Status; onPassword(): void; onClockRight(): void }) {
  return (
    <>
      {status.tampered_events.length > 0 && (
        <Notice kind="error" permanent>
          In der Datenbank wurden Schlüssel verändert. Betroffen: {status.tampered_events.join(', ')}. Solange das so ist, werden dort keine
          Fotos angenommen. Was zu tun ist, steht in der Anleitung unter „Veränderte Schlüssel“.
        </Notice>
      )}
      {status.initial_password && (
        <Notice kind="warning" permanent>
          <span>
            Das erste Verwaltungspasswort ist noch in Gebrauch. Es stand in der Ausgabe oder in den Einstellungen und öffnet den
            Betreiberschlüssel: Bitte ändern Sie es.
          </span>
          <span>
            <Button look="secondary" onClick={onPassword}>
              Passwort ändern
            </Button>
          </span>
        </Notice>
      )}
      {status.clock_leapt !== null && (
        <Notice kind="warning" permanent>
          <span>
            Die Uhr des Servers ist gesprungen, oder er war länger als eine Woche aus. Solange das nicht geklärt ist, wird nichts gelöscht,
            auch was fällig ist. Der Server hält diese Zeit für richtig: {formatInstant(status.clock_leapt)}.
          </span>
          <span>
            <Button look="secondary" onClick={onClockRight}>
              Die Uhr geht richtig
            </Button>
          </span>
        </Notice>
      )}
      {!status.https && (
        <Notice kind="warning" permanent>
          PUBLIC_URL ist keine https-Adresse. Außerhalb des eigenen Netzes betreiben Sie Feierbild bitte nur hinter https.
        </Notice>
      )}
      {status.default_business && (
        <Notice kind="warning" permanent>
          Es sind die Daten des Beispielbetriebs eingetragen. Tragen Sie Ihre mit BUSINESS_FILE ein: Sie stehen im Impressum.
        </Notice>
      )}
      {!status.decoder_isolated && (
        <Notice kind="warning" permanent>
          Der Bild-Decoder ist nicht isoliert. Auf Linux hilft das Paket „bubblewrap“.
        </Notice>
      )}
    </>
  );
}
