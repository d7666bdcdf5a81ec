import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { formatNumber, plural } from '../../lib/format.ts';
import { photosAndVideos } from '../../video/counts.ts';

const TAP = 'Was rot ist, durch Antippen entfernen.';
const CHOOSE_AGAIN = 'Was rot ist, antippen und noch einmal auswählen.';

/** The German texts of the parts that the guests' page shows after its first paint. */
export const laterDe = {
  /** The button below the thanks that passes the page on. */
  passOn: 'Weitersagen',
  /** The notice in the built-in browser of another app. */
  inApp: {
    title: (app: string) => `Diese Seite ist im Browser ${app === '' ? 'einer anderen App' : `von ${app}`} offen.`,
    text: 'Sicherer klappt es im richtigen Browser: oben auf „…“ oder „⋮“ tippen und dort auf „Im Browser öffnen“.',
  },
  /** Reasons why files were not stored: `short` on the tile, `reason` after the file's name or the number of files, so in no number, and `advice`. */
  failures: {
    files: (count: number) => plural(count, '1 Datei', '# Dateien'),
    counted: photosAndVideos,
    because: (what: string, reason: string) => `${what}: ${reason}`,
    more: (names: readonly string[], others: number) => `${names.join(', ')}${others > 0 ? ` und ${formatNumber(others)} weitere` : ''}`,
    /** Failures by their causes, in the order in which they are told. */
    causes: {
      too_large: { short: 'Zu groß', reason: 'zu groß.', advice: 'Bitte dem Gastgeber auf anderem Weg geben.' },
      not_a_photo: { short: 'Kein Bild', reason: 'kein lesbares Bild.', advice: TAP },
      too_many_pixels: {
        short: 'Zu groß',
        reason: 'mehr als 200 Megapixel.',
        advice: 'Bitte kleiner aufnehmen oder dem Gastgeber auf anderem Weg geben.',
      },
      video_refused: { short: 'Keine Videos', reason: 'Bei diesem Event werden keine Videos angenommen.', advice: TAP },
      video_unreadable: { short: 'Nicht lesbar', reason: 'Möglich sind MP4, MOV und WebM, wie Handys sie aufnehmen.', advice: TAP },
      unreadable: {
        short: 'Nicht lesbar',
        reason: 'nicht mehr lesbar.',
        advice: `Vielleicht wurde etwas gelöscht oder verschoben. ${CHOOSE_AGAIN}`,
      },
      photo_removed: { short: 'Gelöscht', reason: 'gelöscht, bevor das Original da war.', advice: TAP },
      altered: { short: 'Verändert', reason: 'verändert angekommen.', advice: CHOOSE_AGAIN },
      storage_full: {
        short: 'Speicher voll',
        reason: 'Der Speicherplatz dieses Events ist voll.',
        advice: 'Bitte dem Gastgeber Bescheid sagen; alles ist noch auf diesem Gerät.',
      },
      disk_full: {
        short: 'Speicher voll',
        reason: 'Der Server hat keinen freien Speicherplatz mehr.',
        advice: 'Es ist nichts verloren; bitte später noch einmal versuchen.',
      },
      demo_full: { short: 'Demo voll', reason: `In der Demo sind höchstens ${DEMO_PHOTOS} Fotos je Gerät möglich.`, advice: '' },
      device_full: {
        short: 'Zu viele',
        reason: 'Von diesem Gerät sind schon alle Fotos da, die bei diesem Event möglich sind.',
        advice: TAP,
      },
      wrong_event_password: { short: 'Passwort', reason: 'Das Event-Passwort fehlt oder stimmt nicht mehr.', advice: '' },
      closed: { short: 'Event zu', reason: 'Das Event nimmt gerade nichts an.', advice: 'Bitte den Gastgeber fragen.' },
      no_connection: { short: 'Kein Netz', reason: 'ohne Verbindung nicht gesendet.', advice: 'Mit „Hochladen“ geht es weiter.' },
      other: { short: 'Nicht gesendet', reason: 'nicht hochgeladen.', advice: 'Bitte gleich noch einmal versuchen.' },
    },
  },
  mine: {
    title: 'Meine Fotos',
    hint: 'Diese Liste gehört zu diesem Browser; auf anderen Geräten ist sie leer.',
    /** The part of a photo that has arrived, if not all of it has. */
    states: { announced: 'Original folgt', unreadable: 'Original unlesbar' },
    photo: (name: string) => `Eigenes Foto ${name}`,
    video: (name: string) => `Eigenes Video ${name}`,
    remove: 'Löschen',
    download: 'Herunterladen',
    delete: (isVideo: boolean): string => (isVideo ? 'Video löschen?' : 'Foto löschen?'),
    deleteText: (isVideo: boolean, name: string) =>
      `Das ${isVideo ? 'Video' : 'Foto'} „${name}“ wird auch beim Gastgeber gelöscht. Das lässt sich nicht rückgängig machen.`,
    keep: 'Behalten',
    deleteNow: 'Endgültig löschen',
  },
};
