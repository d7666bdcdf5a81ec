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
  /** The guest pressed the button for it. */
  released: boolean;
  /** Object URL; undefined until it is drawn, null where it cannot be. */
  thumbnail?: string | null;
}

export function isHeic(file: { name: string; type: string }): boolean {
  return file.type === 'image/heic' || file.name.toLowerCase().endsWith('.heic');
}

const sameFile = (file: File): string => `${file.name}\n${file.size}\n${file.lastModified}`;

/** Refusals of the file itself: the same file would be refused again. Others depend on the event and may be lifted. */
const OF_THE_FILE = new Set<Failure['code']>(['too_large', 'not_a_photo', 'too_many_pixels', 'video_refused', 'unreadable']);

const WAITING = { state: 'waiting', progress: 0, failure: null } as const;

/** Adds newly chosen files: what is stored leaves the grid, what failed waits again, the same file is taken once. */
export function addFiles(items: readonly Item[], files: readonly File[], newId: () => string): Item[] {
  const kept = items
    .filter(({ state }) => state !== 'stored')
    .map((item) => (item.failure && !isHopeless(item) ? { ...item, ...WAITING } : item));
  const known = new Set(kept.map(({ file }) => sameFile(file)));
  const added: Item[] = [];
  for (const file of files) {
    if (known.has(sameFile(file))) continue;
    known.add(sameFile(file));
    added.push({ id: newId(), file, isHeic: isHeic(file), released: false, ...WAITING });
  }
  return [...kept, ...added];
}

/** Lets all that may still be stored wait for the next run. */
export function release(items: readonly Item[]): Item[] {
  return items.map((item) => (item.state === 'stored' || isHopeless(item) ? item : { ...item, ...WAITING, released: true }));
}

/** To be sent by the next run. */
export function isOwed(item: Item): boolean {
  return item.state === 'waiting' && item.released;
}

function isHopeless({ failure }: Item): boolean {
  return failure !== null && OF_THE_FILE.has(failure.code);
}

/** How many may still be stored. */
export function remaining(items: readonly Item[]): number {
  return items.filter((item) => item.state !== 'stored' && !isHopeless(item)).length;
}

/** Whether leaving the page would lose something: files that are neither stored nor refused. */
export function hasUnsent(items: readonly Item[]): boolean {
  return items.some(({ state }) => state === 'waiting' || state === 'sending');
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
