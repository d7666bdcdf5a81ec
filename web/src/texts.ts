/** The specification's German strings, each once and to the letter: straight quotes, three dots, arrows and checks included. */

export { join } from './texts/guest/texts.ts';

export const download = {
  noPreview: 'Vorschau konnte nicht geladen werden',
  button: 'Foto herunterladen',
  busy: 'Wird heruntergeladen...',
  done: 'Download erfolgreich!',
  doneText: 'Ihr Foto wurde heruntergeladen.',
  valid: 'Dieser Link ist 7 Tage gültig',
  safe: 'Sicher und privat',
  error: 'Fehler',
  noToken: 'Ungültiger Download-Link',
  home: 'Zur Startseite',
  expired: 'Der Download-Link ist abgelaufen. Bitte erstellen Sie ein neues Foto.',
  invalid: 'Ungültiger Download-Link.',
  failed: 'Fehler beim Herunterladen des Fotos: {message}. Bitte versuchen Sie es erneut.',
} as const;

export const login = {
  blank: 'Bitte füllen Sie alle Felder aus',
  wrongHost: 'Ungültige Zugangsdaten',
  wrongAdmin: 'Ungültige Benutzerdaten oder Passwort',
  trouble: 'Ein Fehler ist aufgetreten. Bitte versuchen Sie es später erneut.',
} as const;

export const dashboard = {
  invalidCode: 'Ungültiger Event-Code',
  notFound: 'Event nicht gefunden',
  failed: 'Fehler aufgetreten',
  comingSoon: 'Coming Soon',
  nsfw: 'coming soon',
} as const;

export const gallery = {
  notFound: 'Event nicht gefunden',
  failed: 'Fehler',
  fallback: 'Ein unerwarteter Fehler ist aufgetreten',
} as const;

export const zip = { create: 'ZIP erstellen', again: 'Neu generieren' } as const;

export const slideshow = {
  notFound: 'Event nicht gefunden',
  almost: 'Fast geschafft!',
  add: 'Fotos hinzufügen: n/5',
  oops: 'Hoppla!',
} as const;

export const admin = {
  mismatch: 'Der eingegebene Code stimmt nicht mit dem Event-Code überein.',
  endBeforeStart: 'Enddatum muss nach dem Startdatum liegen',
  nothingSelected: 'Kein Event ausgewählt',
} as const;

export const create = {
  title: 'Event erstellen',
  notice: 'Während der Beta-Phase können Events nur über unsere Kontaktdaten angefragt werden.',
} as const;

export const privacy = {
  stand: '06.03.2025',
  encryption:
    'Fotos werden verschlüsselt gespeichert (AES-256). Aus Datenbank, Fotospeicher und Konfiguration allein kann der Anbieter keine Fotos lesen. Öffnen können sie der Gastgeber mit seinem Passwort, das hochladende Gerät seine eigenen und, wer einen gültigen Download-Link hat, dieses Foto. Beim Hochladen und Abrufen verarbeitet der Server sie kurz unverschlüsselt im Arbeitsspeicher. Die Verwaltung hat keine Fotoansicht; technisch könnte der Anbieter durch Zurücksetzen des Gastgeber-Passworts Zugang erlangen; jede Rücksetzung wird protokolliert und dem Gastgeber angezeigt.',
} as const;

export const header = { manage: 'Event verwalten', request: 'Event anfragen', mobileCreate: 'Event erstellen' } as const;

export const contact = { whatsapp: 'Hallo, ich habe eine Anfrage zu Ihrem Eventservice.' } as const;
