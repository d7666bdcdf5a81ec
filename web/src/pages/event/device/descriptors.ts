import { DAY, KEPT_ON_DEVICE_DAYS } from '@feierbild/contract/constants.ts';
import { noteEvent, recall, remember } from '../../../lib/storage.ts';
import { UNREADABLE, isHopeless, isMissing, newWire, type Item } from '../item.ts';
import { all, put, remove, type Descriptor } from './database.ts';

/** Time after which copies for another event than the page's are removed. */
const LONGEST_MS = KEPT_ON_DEVICE_DAYS * DAY;
/** Time after which copies of photos are removed that were never submitted. */
const UNPRESSED_MS = DAY;

/** Reads an event's kept photos as items of a new page; a photo without bytes is lost. Removes nothing once `reign` is aborted. */
export async function restore(event: string, reign: AbortSignal): Promise<Item[]> {
  const [rows, kept] = await all();
  if (reign.aborted) return [];
  const now = Date.now();
  const ageMs = (row: Descriptor): number => now - row.addedAt;
  /** Tells whether a row that was never submitted is too old or has no bytes; another event's page may just be writing its bytes. */
  const isForgotten = (row: Descriptor): boolean =>
    !row.released && (ageMs(row) > UNPRESSED_MS || (row.event === event && !kept.includes(row.id)));
  const own = rows.filter((row) => row.event === event && !isForgotten(row)).sort((a, b) => a.place - b.place);
  const others = rows.filter((row) => row.event !== event && !isForgotten(row));
  // Forgotten rows end the note. A note without any row stays: the device has lost the rows.
  for (const one of new Set(rows.map((row) => row.event)))
    noteEvent(
      'kept',
      one,
      [...own, ...others].some((row) => row.event === one),
    );
  // A clock that leaps makes every row look old, so a row has to look old again a day later.
  const isOver = ({ oldSince }: Descriptor): boolean => oldSince !== undefined && now - oldSince > DAY;
  // A device without room can still be read; the next page tries again to remove and write.
  await sweep(rows, kept, (row) => isForgotten(row) || (row.event !== event && ageMs(row) > LONGEST_MS && isOver(row)))
    .then(() => put(others.flatMap((row) => (ageMs(row) > LONGEST_MS && isOver(row) ? [] : dated(row, now)))))
    .catch(() => undefined);
  return own.map((row) => fromDescriptor(row, kept.includes(row.id)));
}

/** Reads an event's rows, even if a killed browser has lost the note that there are some. */
export async function rowsOf(event: string): Promise<Descriptor[]> {
  const [rows] = await all();
  return rows.filter((row) => row.event === event);
}

/** Returns the row with its changed `oldSince` or `addedAt`; none if nothing has changed. */
function dated({ oldSince, ...row }: Descriptor, now: number): Descriptor[] {
  // A wrong clock has written this time.
  if (row.addedAt > now) return [{ ...row, addedAt: now }];
  const isOld = now - row.addedAt > LONGEST_MS;
  if (isOld) return oldSince === undefined || oldSince > now ? [{ ...row, oldSince: now }] : [];
  return oldSince === undefined ? [] : [row];
}

/** Writes the rows of items with their places among all, and removes the copies of stored ones. */
export async function save(event: string, items: readonly Item[], all: readonly Item[]): Promise<void> {
  noteEvent('kept', event, true);
  const places = new Map(all.map(({ id }, place) => [id, place]));
  const rows = items.map((item) => toDescriptor(event, item, places.get(item.id) ?? 0));
  await put(
    rows,
    rows.flatMap(({ id, state }) => (state === 'stored' ? [id] : [])),
  );
  if (items.some(({ submitted }) => submitted)) persist();
}

/** Returns a text that changes with the stored parts of an item. */
export function noteOf({ state, failure, submitted, wire }: Item): string {
  return [stateOf(state), failure?.code, submitted, wire.key, wire.sha256].join(' ');
}

/**
 * Removes these items of an event; `isAll` says that none is left. The note that this device keeps some is removed first, because a note
 * without items means that they were lost.
 */
export async function drop(event: string, ids: Iterable<string>, isAll: boolean): Promise<void> {
  if (isAll) noteEvent('kept', event, false);
  await remove(ids);
}

/** Removes all kept photos of an event. */
export async function forgetEvent(event: string): Promise<void> {
  const [rows, kept] = await all();
  await sweep(rows, kept, (row) => row.event === event);
  noteEvent('kept', event, false);
}

/** Removes rows that are `over`, and copies without a row. */
async function sweep(rows: readonly Descriptor[], kept: readonly string[], over: (row: Descriptor) => boolean): Promise<void> {
  const named = new Set(rows.filter((row) => !over(row)).map(({ id }) => id));
  const ids = [...rows.map(({ id }) => id), ...kept];
  await remove(ids.filter((id) => !named.has(id)));
}

/** Asks the browser once to keep this data when the device runs out of room. Nothing waits for the answer: some browsers ask the guest. */
function persist(): void {
  if (recall('persist')) return;
  remember('persist', '1');
  void navigator.storage?.persist?.().catch(() => false);
}

const stateOf = (state: Item['state']): Descriptor['state'] => (state === 'stored' || state === 'refused' ? state : 'waiting');

function toDescriptor(event: string, item: Item, place: number): Descriptor {
  const { id, name, type, size, modified, submitted, wire } = item;
  const state = stateOf(item.state);
  // Each page finds out anew whether the bytes are gone, because storage may have failed for a moment only.
  const failure = isMissing(item) ? null : item.failure;
  const { key, sha256 } = wire;
  return { id, event, name, type, size, modified, place, addedAt: Date.now(), state, failure, released: submitted, key, sha256 };
}

function fromDescriptor({ key, sha256, released: submitted, ...row }: Descriptor, kept: boolean): Item {
  // The earlier page may have ended before it noted its progress, so the server is asked.
  const wire = { ...newWire(), key, sha256, begun: submitted };
  const item: Item = {
    ...row,
    file: null,
    earlier: true,
    progress: 0,
    submitted,
    noted: submitted,
    ended: false,
    kept,
    announced: false,
    wire,
  };
  const missing = !kept && row.state !== 'stored' && !isHopeless(item);
  return missing ? { ...item, state: 'lost', failure: UNREADABLE } : item;
}
