import {
  ADDRESSES_KEPT,
  DAY,
  FAILURES_KEPT,
  HOUR,
  LINK_LIFETIME,
  LINK_REMEMBERED,
  MINUTE,
  PHOTOS_KEPT_DAYS,
  RECORDS_KEPT,
  SESSIONS,
} from '@feierbild/contract/constants.ts';

const YEAR = 365 * DAY;
/** Months for which an event's records are kept, longer than its photos. */
export const MONTHS = (RECORDS_KEPT / YEAR) * 12;

const days = (duration: number): string => `${duration / DAY} Tage`;

/** The processed data, with purpose, legal ground and period. Periods are the product's own constants. */
export const PROCESSING = [
  {
    what: 'Fotos mit allem, was das Handy darin speichert (etwa Aufnahmezeit und Aufnahmeort), Dateiname und der angegebene Name',
    why: 'Damit der Gastgeber sie erhält: Vertrag mit dem Gastgeber, berechtigtes Interesse des Gastgebers am Sammeln der Fotos (Art. 6 Abs. 1 lit. b und f DSGVO)',
    until: `bis zur Löschung durch Gast oder Gastgeber, spätestens ${PHOTOS_KEPT_DAYS} Tage nach dem Event`,
  },
  {
    what: 'Zufällige Gerätekennung; der Server speichert davon nur einen Prüfwert, für jedes Event einen anderen',
    why: 'Damit Gäste ohne Konto ihre eigenen Fotos sehen und löschen können (Art. 6 Abs. 1 lit. f DSGVO)',
    until: 'bis die Fotos gelöscht sind',
  },
  {
    what: 'Zugang des Gastgebers: Event-Code, Prüfdaten zum Passwort, Sitzungen, auch gesperrter Slideshows und eines Programms, dem er Zugang gibt',
    why: 'Damit nur der Gastgeber die Fotos öffnet: Vertrag (Art. 6 Abs. 1 lit. b DSGVO)',
    until: `Zugang: bis zur Löschung der Fotos; Sitzungen: ${days(SESSIONS.user.idle)} nach der letzten Nutzung, höchstens ${days(SESSIONS.user.longest)}; gesperrte Slideshows: ${days(SESSIONS.projector.idle)} nach der letzten Nutzung, höchstens ${days(SESSIONS.projector.longest)}; Programme: bis der Gastgeber es beendet, spätestens bis zur Löschung der Fotos`,
  },
  {
    what: 'Mailadresse und Name des Gastgebers, wenn sie angegeben sind; welche Mails er abbestellt hat',
    why: 'Einladung und Erinnerungen zu seinem Event: Vertrag (Art. 6 Abs. 1 lit. b DSGVO)',
    until: 'bis die Fotos gelöscht sind; für die Bestätigung der Löschung, bis sie zugestellt ist, höchstens 30 Tage',
  },
  {
    what: 'Kunde, Auftragsnummer und Notiz, die wir zu einem Event eintragen; weder Gastgeber noch Gäste sehen sie',
    why: 'Abwicklung des Auftrags: Vertrag (Art. 6 Abs. 1 lit. b DSGVO)',
    until: 'bis die Fotos gelöscht sind',
  },
  {
    what: 'Galerie für Gäste, wo der Gastgeber sie öffnet: gezeigte Fotos mit dem angegebenen Namen, Sitzungen, Herzen (als Prüfwert der Gerätekennung)',
    why: 'Damit Gäste gemeinsame Fotos ansehen: berechtigtes Interesse von Gastgeber und Gästen (Art. 6 Abs. 1 lit. f DSGVO)',
    until: `bis der Gastgeber sie schließt, spätestens bis zur Löschung der Fotos; Sitzungen: ${days(SESSIONS.gallery.idle)} nach der letzten Nutzung, höchstens ${days(SESSIONS.gallery.longest)}; bei der Freigabe Helfender ${days(SESSIONS.helper.idle)}, höchstens ${days(SESSIONS.helper.longest)}`,
  },
  {
    what: 'Zugänge der Verwaltung: Benutzername, Prüfdaten zum Passwort, zweite Faktoren, Sitzungen',
    why: 'Damit nur Berechtigte Events verwalten (Art. 6 Abs. 1 lit. f, Art. 32 DSGVO)',
    until: `Zugang: bis er entfernt wird; Sitzungen: ${SESSIONS.admin.idle / HOUR} Stunden nach der letzten Nutzung, höchstens ${days(SESSIONS.admin.longest)}`,
  },
  {
    what: 'Download-Links auf einzelne Fotos',
    why: 'Damit der Gastgeber oder die Fotobox ein Foto weitergeben kann (Art. 6 Abs. 1 lit. b und f DSGVO)',
    until: `${days(LINK_LIFETIME)}; ein Prüfwert des Links ohne Bezug zum Foto weitere ${days(LINK_REMEMBERED)}`,
  },
  {
    what: 'Zugriffsprotokoll: Zeit, aufgerufene Seite ohne Zusätze, Ergebnis, gekürzte IP\u2011Adresse',
    why: 'Sicherer und fehlerfreier Betrieb (Art. 6 Abs. 1 lit. f DSGVO)',
    until: 'bis es nicht mehr zur Fehlersuche gebraucht wird; die volle IP\u2011Adresse steht nie darin',
  },
  {
    what: 'Fehlversuche bei Codes und Passwörtern, als Prüfwert aus IP\u2011Adresse, Event oder Zugang',
    why: 'Schutz vor dem Durchprobieren (Art. 6 Abs. 1 lit. f DSGVO)',
    until: `${FAILURES_KEPT / MINUTE} Minuten, gelöscht innerhalb der folgenden Stunde`,
  },
  {
    what: 'Protokoll der Verwaltung: Anmeldungen, Rücksetzungen, Anlegen und Löschen von Events, IP\u2011Adresse',
    why: 'Nachweis, wer Zugang hatte (Art. 6 Abs. 1 lit. f, Art. 32 DSGVO)',
    until: `IP\u2011Adressen werden nach ${days(ADDRESSES_KEPT)}n anonymisiert, Einträge nach ${MONTHS} Monaten gelöscht`,
  },
  {
    what: 'Anfragen und Meldungen per Telefon, E\u2011Mail, WhatsApp oder Formular',
    why: 'Beantwortung, Vertragsanbahnung, Prüfung gemeldeter Fotos (Art. 6 Abs. 1 lit. b, c und f DSGVO)',
    until: `bis zur Erledigung und so lange, wie das Gesetz es verlangt; Meldungen in der Verwaltung höchstens ${MONTHS} Monate`,
  },
] as const;
