import type { AuditAction, AuditEntry } from '@feierbild/contract/calls/admins.ts';
import { formatInstant } from '../../lib/format.ts';
import styles from './audit.module.css';

const ACTIONS: Record<AuditAction, string> = {
  'admin.login': 'Verwaltung angemeldet',
  'admin.logout': 'Verwaltung abgemeldet',
  'admin.added': 'Verwaltungszugang angelegt',
  'admin.removed': 'Verwaltungszugang entfernt',
  'admin.password': 'Verwaltungspasswort geändert',
  'admin.recovery-code': 'Wiederherstellungscode erzeugt',
  'admin.recovered': 'Passwort mit Wiederherstellungscode gesetzt',
  'host.login': 'Gastgeber angemeldet',
  'host.logout': 'Gastgeber abgemeldet',
  'slideshow.locked': 'Slideshow gesperrt',
  'slideshow.unlocked': 'Gesperrte Slideshow beendet',
  'login.limited': 'Anmeldung nach Fehlversuchen gebremst',
  'host.created': 'Gastgeber-Zugang angelegt',
  'host.reset': 'Gastgeber-Passwort zurückgesetzt',
  'event.created': 'Event angelegt',
  'event.changed': 'Event geändert',
  'event.deleted': 'Event gelöscht',
  'event.purged': 'Fotos fristgerecht gelöscht',
  'key.tampered': 'Veränderte Schlüssel bemerkt',
  'photo.deleted': 'Foto gelöscht',
  'clock.confirmed': 'Uhrzeit bestätigt',
};
const ACTORS: Record<string, string> = {
  host: 'Gastgeber',
  projector: 'Gesperrte Slideshow',
  system: 'Feierbild',
  cli: 'Befehl am Server',
  unknown: 'Unbekannt',
};

/** One line of the audit trail. */
export function AuditLine({ entry: { at, actor, action, event_code, address } }: { entry: AuditEntry }) {
  const admin = /^admin:(.*)$/.exec(actor)?.[1];
  return (
    <li>
      <time dateTime={at}>{formatInstant(at)}</time>
      <strong>{ACTIONS[action]}</strong>
      <span>{admin ?? ACTORS[actor] ?? actor}</span>
      <span className={styles.code}>{event_code}</span>
      <span className="soft">{address}</span>
    </li>
  );
}
