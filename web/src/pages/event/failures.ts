import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { plural } from '../../lib/format.ts';
import type { Item } from './selection.ts';
import type { Failure } from './upload-run.ts';

export interface FailureSummary {
  text: string;
  advice: string;
  /** The event's password has to be given anew. */
  password: boolean;
}

interface Cause {
  codes: Failure['code'][];
  text: [string, string];
  advice: string;
}

const REFUSED: Cause['text'] = ['1 Foto wurde nicht angenommen.', '# Fotos wurden nicht angenommen.'];

const CAUSES: Cause[] = [
  {
    codes: ['too_large'],
    text: ['1 Datei ist zu groß.', '# Dateien sind zu groß.'],
    advice: 'Bitte geben Sie sie dem Gastgeber auf anderem Weg.',
  },
  {
    codes: ['not_a_photo'],
    text: ['1 Datei ist kein lesbares Bild.', '# Dateien sind keine lesbaren Bilder.'],
    advice: 'Tippen Sie die roten Kacheln an, um sie zu entfernen.',
  },
  {
    codes: ['unreadable'],
    text: ['1 Datei lässt sich nicht mehr lesen.', '# Dateien lassen sich nicht mehr lesen.'],
    advice: 'Vielleicht wurde etwas gelöscht oder verschoben. Tippen Sie die roten Kacheln an und wählen Sie die Fotos noch einmal aus.',
  },
  {
    codes: ['storage_full'],
    text: ['Der Speicherplatz dieses Events ist voll: 1 Foto fehlt.', 'Der Speicherplatz dieses Events ist voll: # Fotos fehlen.'],
    advice: 'Bitte sagen Sie dem Gastgeber Bescheid; Ihre Fotos sind noch auf diesem Gerät.',
  },
  {
    codes: ['disk_full'],
    text: [
      'Der Server hat keinen freien Speicherplatz mehr: 1 Foto fehlt.',
      'Der Server hat keinen freien Speicherplatz mehr: # Fotos fehlen.',
    ],
    advice: 'Es ist nichts verloren; bitte versuchen Sie es später erneut.',
  },
  { codes: ['demo_full'], text: REFUSED, advice: `In der Demo sind höchstens ${DEMO_PHOTOS} Fotos je Gerät möglich.` },
  { codes: ['wrong_event_password'], text: REFUSED, advice: 'Das Event-Passwort fehlt oder stimmt nicht mehr.' },
  {
    codes: ['event_inactive', 'upload_disabled', 'event_not_found'],
    text: REFUSED,
    advice: 'Das Event nimmt gerade keine Fotos an. Bitte fragen Sie den Gastgeber.',
  },
  {
    codes: ['no_connection'],
    text: ['1 Foto konnte ohne Verbindung nicht gesendet werden.', '# Fotos konnten ohne Verbindung nicht gesendet werden.'],
    advice: 'Es geht von selbst weiter, sobald Sie wieder Netz haben.',
  },
];
const OTHER: Omit<Cause, 'codes'> = {
  text: ['1 Foto konnte nicht hochgeladen werden.', '# Fotos konnten nicht hochgeladen werden.'],
  advice: 'Bitte versuchen Sie es gleich noch einmal.',
};

/** Failed files summed up by cause, with what to do. */
export function summariseFailures(items: readonly Item[]): FailureSummary[] {
  const failed = items.flatMap(({ failure }) => (failure ? [failure.code] : []));
  const known = new Set(CAUSES.flatMap(({ codes }) => codes));
  return [...CAUSES, { ...OTHER, codes: failed.filter((code) => !known.has(code)) }].flatMap(({ codes, text: [one, many], advice }) => {
    const count = failed.filter((code) => codes.includes(code)).length;
    return count === 0 ? [] : [{ text: plural(count, one, many), advice, password: codes.includes('wrong_event_password') }];
  });
}
