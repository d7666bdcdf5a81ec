import { plural } from '../../lib/format.ts';

export interface Item {
  id: string;
  file: File;
  isHeic: boolean;
  state: 'pending' | 'uploading' | 'uploaded' | 'failed';
  /** Share sent, 0 to 1. */
  progress: number;
  failure: { status: number; message: string } | null;
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
  return items.some(({ state, failure }) => state === 'failed' && failure?.status === 0);
}

/** Share of the selection that is sent, 0 to 1; a failed file counts as settled. */
export function shareSent(items: readonly Item[]): number {
  const sum = items.reduce((sent, { state, progress }) => sent + (state === 'uploading' ? progress : Number(state !== 'pending')), 0);
  return items.length === 0 ? 0 : sum / items.length;
}

export interface FailureSummary {
  text: string;
  advice: string;
}

const CAUSES: { statuses: number[]; text: [string, string]; advice: string }[] = [
  {
    statuses: [413],
    text: ['1 Datei ist zu groß.', '# Dateien sind zu groß.'],
    advice: 'Bitte geben Sie sie dem Gastgeber auf anderem Weg.',
  },
  {
    statuses: [415],
    text: ['1 Datei ist kein lesbares Bild.', '# Dateien sind keine lesbaren Bilder.'],
    advice: 'Tippen Sie die roten Kacheln an, um sie zu entfernen.',
  },
  {
    statuses: [507],
    text: ['Der Speicherplatz dieses Events ist voll: 1 Foto fehlt.', 'Der Speicherplatz dieses Events ist voll: # Fotos fehlen.'],
    advice: 'Bitte sagen Sie dem Gastgeber Bescheid; Ihre Fotos sind noch auf diesem Gerät.',
  },
  {
    statuses: [403, 404],
    text: ['1 Foto wurde nicht angenommen.', '# Fotos wurden nicht angenommen.'],
    advice: 'Das Event nimmt gerade keine Fotos an. Bitte fragen Sie den Gastgeber.',
  },
  {
    statuses: [0],
    text: ['1 Foto konnte ohne Verbindung nicht gesendet werden.', '# Fotos konnten ohne Verbindung nicht gesendet werden.'],
    advice: 'Es geht von selbst weiter, sobald Sie wieder Netz haben.',
  },
];
const OTHER = {
  text: ['1 Foto konnte nicht hochgeladen werden.', '# Fotos konnten nicht hochgeladen werden.'] as [string, string],
  advice: 'Bitte versuchen Sie es gleich noch einmal.',
};

/** Failed files summed up by cause, with what to do. */
export function summariseFailures(items: readonly Item[]): FailureSummary[] {
  const failed = items.filter(({ state }) => state === 'failed');
  const summary: FailureSummary[] = [];
  const say = ([one, many]: [string, string], advice: string, count: number): void => {
    if (count > 0) summary.push({ text: plural(count, one, many), advice });
  };
  const known = new Set(CAUSES.flatMap(({ statuses }) => statuses));
  for (const { statuses, text, advice } of CAUSES)
    say(text, advice, failed.filter(({ failure }) => statuses.includes(failure?.status ?? -1)).length);
  say(OTHER.text, OTHER.advice, failed.filter(({ failure }) => !known.has(failure?.status ?? -1)).length);
  return summary;
}
