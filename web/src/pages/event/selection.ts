import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { plural } from '../../lib/format.ts';
import type { Failure } from './upload-run.ts';

export interface Item {
  id: string;
  file: File;
  isHeic: boolean;
  state: 'pending' | 'uploading' | 'uploaded' | 'failed';
  /** Share sent, 0 to 1. */
  progress: number;
  failure: Failure | null;
}

export function isHeic(file: { name: string; type: string }): boolean {
  return file.type === 'image/heic' || file.name.toLowerCase().endsWith('.heic');
}

const sameFile = (file: File): string => `${file.name}\n${file.size}\n${file.lastModified}`;

/** A new choice: what is uploaded leaves the grid, what failed waits again, the same file is taken once. */
export function addFiles(items: readonly Item[], files: readonly File[], newId: () => string): Item[] {
  const kept = items.filter(({ state }) => state !== 'uploaded').map((item) => (item.state === 'failed' ? retried(item) : item));
  const known = new Set(kept.map(({ file }) => sameFile(file)));
  const added: Item[] = [];
  for (const file of files) {
    if (known.has(sameFile(file))) continue;
    known.add(sameFile(file));
    added.push({ id: newId(), file, isHeic: isHeic(file), state: 'pending', progress: 0, failure: null });
  }
  return [...kept, ...added];
}

/** The item, waiting again. */
export function retried(item: Item): Item {
  return { ...item, state: 'pending', progress: 0, failure: null };
}

/** How many still have to go: selected minus uploaded. */
export function remaining(items: readonly Item[]): number {
  return items.filter(({ state }) => state !== 'uploaded').length;
}

/** True where something was not sent for want of a connection. */
export function hasLostConnection(items: readonly Item[]): boolean {
  return items.some(({ state, failure }) => state === 'failed' && failure?.code === 'no_connection');
}

/** Share of the selection that is sent, 0 to 1; a failed file counts as settled. */
export function shareSent(items: readonly Item[]): number {
  const sum = items.reduce((sent, { state, progress }) => sent + (state === 'uploading' ? progress : Number(state !== 'pending')), 0);
  return items.length === 0 ? 0 : sum / items.length;
}

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
  const failed = items.flatMap(({ state, failure }) => (state === 'failed' && failure ? [failure.code] : []));
  const known = new Set(CAUSES.flatMap(({ codes }) => codes));
  return [...CAUSES, { ...OTHER, codes: failed.filter((code) => !known.has(code)) }].flatMap(({ codes, text: [one, many], advice }) => {
    const count = failed.filter((code) => codes.includes(code)).length;
    return count === 0 ? [] : [{ text: plural(count, one, many), advice, password: codes.includes('wrong_event_password') }];
  });
}
