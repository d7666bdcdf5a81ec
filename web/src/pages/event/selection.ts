import type { Failure } from './upload-run.ts';

export interface Item {
  id: string;
  file: File;
  isHeic: boolean;
  /** `refused`: by the server, for good; `lost`: this device can no longer read the file. */
  state: 'waiting' | 'sending' | 'stored' | 'refused' | 'lost';
  /** Share sent, 0 to 1. */
  progress: number;
  /** Why the last attempts to send it failed. */
  failure: Failure | null;
  /** Object URL; undefined until it is drawn, null where it cannot be. */
  thumbnail?: string | null;
}

export function isHeic(file: { name: string; type: string }): boolean {
  return file.type === 'image/heic' || file.name.toLowerCase().endsWith('.heic');
}

const sameFile = (file: File): string => `${file.name}\n${file.size}\n${file.lastModified}`;

/** Adds newly chosen files: what is stored leaves the grid, what failed waits again, the same file is taken once. */
export function addFiles(items: readonly Item[], files: readonly File[], newId: () => string): Item[] {
  const kept = items.filter(({ state }) => state !== 'stored').map((item) => (item.failure ? retried(item) : item));
  const known = new Set(kept.map(({ file }) => sameFile(file)));
  const added: Item[] = [];
  for (const file of files) {
    if (known.has(sameFile(file))) continue;
    known.add(sameFile(file));
    added.push({ id: newId(), file, isHeic: isHeic(file), state: 'waiting', progress: 0, failure: null });
  }
  return [...kept, ...added];
}

/** The item, waiting again. */
export function retried(item: Item): Item {
  return { ...item, state: 'waiting', progress: 0, failure: null };
}

/** How many are not stored yet. */
export function remaining(items: readonly Item[]): number {
  return items.filter(({ state }) => state !== 'stored').length;
}

/** Whether a file was not sent for want of a connection. */
export function lostConnection(items: readonly Item[]): boolean {
  return items.some(({ failure }) => failure?.code === 'no_connection');
}

/** Share of the selection that is sent, 0 to 1; a failed file counts as settled. */
export function shareSent(items: readonly Item[]): number {
  const sum = items.reduce((sent, item) => sent + (item.state === 'sending' ? item.progress : Number(isSettled(item))), 0);
  return items.length === 0 ? 0 : sum / items.length;
}

/** Stored, or failed in this run. */
export function isSettled({ state, failure }: Item): boolean {
  return state === 'stored' || failure !== null;
}
