import { formatDay } from '../../lib/format.ts';

/** The German texts around every page, and those that any page may need. */
export const shellDe = {
  skip: 'Zum Inhalt',
  home: ': zur Startseite',
  legal: 'Rechtliches',
  privacy: 'Datenschutz',
  terms: 'AGB',
  imprint: 'Impressum',
  contact: 'Kontakt',
  wait: 'Einen Moment …',
  reload: 'Seite neu laden',
  broken: 'Das hat nicht geklappt',
  brokenText: 'Die Seite konnte nicht geladen werden. Was hochgeladen ist, bleibt gespeichert; bitte die Seite neu laden.',
  close: 'Schließen',
  dismiss: 'Meldung schließen',
  retry: 'Erneut versuchen',
  cancel: 'Abbrechen',
  noConnection: 'Keine Verbindung. Bitte das Netz prüfen und es erneut versuchen.',
  unknown: 'Unbekannter Fehler ist aufgetreten',
  withId: (text: string, id: string) => `${text} (Kennung ${id})`,
  /** Hints below a refusal whose reason is known. */
  hints: {
    wrong: 'Das Event-Passwort stimmt nicht. Groß- und Kleinschreibung zählt.',
    missing: 'Bitte das Event-Passwort eingeben.',
    opens: (day: string) => `Dieses Event öffnet am ${formatDay(day)}.`,
    ended: (day: string) => `Dieses Event ist vorbei; sein letzter Tag war der ${formatDay(day)}.`,
    inactive: 'Dieses Event ist noch nicht oder nicht mehr aktiv.',
  },
};
