import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { counted } from './counted.ts';
import { isMissing, isOwed, type Item } from './selection.ts';
import type { Failure } from './upload-run.ts';
import type { Videos } from './video/use-videos.ts';

/** More are of no further help. */
const IDS_SHOWN = 3;

export interface FailureSummary {
  text: string;
  advice: string;
  /** The event's password has to be given anew. */
  password: boolean;
  /** By these the operator finds in the log what the page cannot explain. */
  ids: string[];
}

type Failed = Item & { failure: Failure };

interface Cause {
  codes: Failure['code'][];
  /** On the tile. */
  short: string;
  text: [string, string];
  advice: string;
}

const REFUSED: Cause['text'] = ['1 Foto wurde nicht angenommen.', '# Fotos wurden nicht angenommen.'];
const TAP = 'Was rot ist, durch Antippen entfernen.';

const CAUSES: Cause[] = [
  {
    codes: ['too_large'],
    short: 'Zu groß',
    text: ['1 Datei ist zu groß.', '# Dateien sind zu groß.'],
    advice: 'Bitte dem Gastgeber auf anderem Weg geben.',
  },
  {
    codes: ['not_a_photo'],
    short: 'Kein Bild',
    text: ['1 Datei ist kein lesbares Bild.', '# Dateien sind keine lesbaren Bilder.'],
    advice: TAP,
  },
  {
    codes: ['too_many_pixels'],
    short: 'Zu groß',
    text: ['1 Bild hat mehr als 200 Megapixel.', '# Bilder haben mehr als 200 Megapixel.'],
    advice: 'Bitte kleiner aufnehmen oder dem Gastgeber auf anderem Weg geben.',
  },
  {
    // An event answers one of them, and the same to all videos.
    codes: ['video_refused', 'video_unreadable'],
    short: 'Video',
    text: ['1 Video wurde nicht angenommen.', '# Videos wurden nicht angenommen.'],
    advice: 'Bei diesem Event werden keine Videos angenommen.',
  },
  {
    codes: ['unreadable'],
    short: 'Nicht lesbar',
    text: ['1 Datei lässt sich nicht mehr lesen.', '# Dateien lassen sich nicht mehr lesen.'],
    advice: 'Vielleicht wurde etwas gelöscht oder verschoben. Was rot ist, antippen und noch einmal auswählen.',
  },
  {
    codes: ['altered'],
    short: 'Verändert',
    text: ['1 Foto kam verändert an.', '# Fotos kamen verändert an.'],
    advice: 'Was rot ist, antippen und noch einmal auswählen.',
  },
  {
    codes: ['storage_full'],
    short: 'Speicher voll',
    text: ['Der Speicherplatz dieses Events ist voll: 1 Foto fehlt.', 'Der Speicherplatz dieses Events ist voll: # Fotos fehlen.'],
    advice: 'Bitte dem Gastgeber Bescheid sagen; alles ist noch auf diesem Gerät.',
  },
  {
    codes: ['disk_full'],
    short: 'Speicher voll',
    text: [
      'Der Server hat keinen freien Speicherplatz mehr: 1 Foto fehlt.',
      'Der Server hat keinen freien Speicherplatz mehr: # Fotos fehlen.',
    ],
    advice: 'Es ist nichts verloren; bitte später noch einmal versuchen.',
  },
  { codes: ['demo_full'], short: 'Demo voll', text: REFUSED, advice: `In der Demo sind höchstens ${DEMO_PHOTOS} Fotos je Gerät möglich.` },
  {
    codes: ['wrong_event_password'],
    short: 'Passwort',
    text: REFUSED,
    advice: 'Das Event-Passwort fehlt oder stimmt nicht mehr.',
  },
  {
    codes: ['event_inactive', 'upload_disabled', 'event_not_found'],
    short: 'Event zu',
    text: REFUSED,
    advice: 'Das Event nimmt gerade nichts an. Bitte den Gastgeber fragen.',
  },
  {
    codes: ['no_connection'],
    short: 'Kein Netz',
    text: ['1 Foto konnte ohne Verbindung nicht gesendet werden.', '# Fotos konnten ohne Verbindung nicht gesendet werden.'],
    advice: 'Mit „Hochladen“ geht es weiter.',
  },
];
const OTHER: Omit<Cause, 'codes'> = {
  short: 'Nicht gesendet',
  text: ['1 Foto konnte nicht hochgeladen werden.', '# Fotos konnten nicht hochgeladen werden.'],
  advice: 'Bitte gleich noch einmal versuchen.',
};

/** Why a file failed, in one or two words. */
export function shortReason({ code }: Failure): string {
  return (CAUSES.find(({ codes }) => codes.includes(code)) ?? OTHER).short;
}

/** Failed files summed up by cause, with what to do. Leaves out what is sent again by itself, and what has to be chosen again. */
export function summariseFailures(items: readonly Item[], waiting: boolean, videos: Videos | null): FailureSummary[] {
  const failed = items.filter((item): item is Failed => item.failure !== null && !(waiting && isOwed(item)) && !isMissing(item));
  const known = new Set(CAUSES.flatMap(({ codes }) => codes));
  const others = failed.map(({ failure }) => failure.code).filter((code) => !known.has(code));
  return [...CAUSES, { ...OTHER, codes: others }].flatMap(({ codes, text: [one, many], advice }) => {
    const found = failed.filter(({ failure }) => codes.includes(failure.code));
    const [first] = found;
    if (!first) return [];
    return {
      text: counted(videos, found, one, many),
      advice: videos?.adviceOn(first.failure.code) ?? advice,
      password: codes.includes('wrong_event_password'),
      ids: codes === others ? idsOf(found.map(({ failure }) => failure)) : [],
    };
  });
}

/** The first few ids of what failed. */
export function idsOf(failures: readonly Failure[]): string[] {
  return [...new Set(failures.flatMap(({ requestId }) => requestId ?? []))].slice(0, IDS_SHOWN);
}
