import { KEPT_ON_DEVICE_DAYS } from '@feierbild/contract/constants.ts';
import { forget, recall, remember } from '../../../lib/storage.ts';
import { UNREADABLE } from '../attempt.ts';
import { isHopeless, isMissing, newWire, type Item } from '../item.ts';
import { keptEvents, keptIds, removeBytes, removeFolder } from './bytes.ts';
import { descriptors, put, remove, type Descriptor } from './database.ts';

/** What was kept for an event that this page does not show is removed after this time. */
const LONGEST_MS = KEPT_ON_DEVICE_DAYS * 24 * 60 * 60 * 1000;

/** What is kept of an event, as items of a new page; those whose bytes are gone are lost. Removes nothing once `reign` is aborted. */
export async function restore(event: string, reign: AbortSignal): Promise<Item[]> {
  // Copies are listed first, because a copy is written after its row: listed later, a new copy could have no row in the list, and would be
  // removed.
  const ids = await keptIds(event);
  const rows = await descriptors();
  if (reign.aborted) return [];
  const own = rows.filter((row) => row.event === event).sort((a, b) => a.place - b.place);
  // Copies that were begun for what is no longer waited for.
  await Promise.all([...ids].filter((id) => !own.some((row) => row.id === id)).map((id) => removeBytes(event, id)));
  // Before the sweep: a browser that was killed may have forgotten the note.
  noteInLocalStorage(event, own.length > 0);
  if (reign.aborted) return [];
  await sweep(
    event,
    rows.filter((row) => row.event !== event),
  );
  return own.map((row) => fromDescriptor(row, ids.has(row.id)));
}

/** Whether anything is kept of an event, also where the note was lost with its browser. */
export async function isKept(event: string): Promise<boolean> {
  return (await descriptors()).some((row) => row.event === event);
}

export async function save(event: string, item: Item, place: number): Promise<void> {
  noteInLocalStorage(event, true);
  await put('items', toDescriptor(event, item, place));
  await persist();
}

export async function drop(event: string, id: string): Promise<void> {
  await Promise.all([remove('items', id), removeBytes(event, id)]);
}

/** Removes all that is kept of an event. */
export async function forgetEvent(event: string): Promise<void> {
  const rows = await descriptors();
  const ids = await keptIds(event);
  for (const row of rows) if (row.event === event) ids.add(row.id);
  await Promise.all([...ids].map((id) => drop(event, id)));
  await removeFolder(event);
  noteInLocalStorage(event, false);
}

/** Removes files of other events that were kept too long. A time in the future was written by a wrong clock and is replaced by now. */
async function sweep(event: string, others: Descriptor[]): Promise<void> {
  const now = Date.now();
  for (const row of others) {
    if (row.addedAt > now) await put('items', { ...row, addedAt: now });
    else if (now - row.addedAt > LONGEST_MS) await drop(row.event, row.id);
  }
  const alive = new Set([event, ...others.map((row) => row.event)]);
  for (const folder of await keptEvents()) if (!alive.has(folder)) await removeFolder(folder);
}

/** Notes in local storage whether files of an event are kept, so that the next page loads this code only then. */
function noteInLocalStorage(event: string, something: boolean): void {
  const others = (recall('kept') ?? '').split(' ').filter((code) => code && code !== event);
  const events = something ? [...others, event] : others;
  if (events.length > 0) remember('kept', events.join(' '));
  else forget('kept');
}

/** Asks the browser once not to remove what is kept where the device gets short of room. Some ask the guest. */
async function persist(): Promise<void> {
  if (recall('persist')) return;
  remember('persist', '1');
  await navigator.storage?.persist?.().catch(() => false);
}

function toDescriptor(event: string, item: Item, place: number): Descriptor {
  const { id, name, type, size, modified, released, wire } = item;
  const state = item.state === 'stored' || item.state === 'refused' ? item.state : 'waiting';
  // Whether its bytes are gone is found out anew by each page: storage may have failed for a moment only.
  const failure = isMissing(item) ? null : item.failure;
  const { key, sha256 } = wire;
  return { id, event, name, type, size, modified, place, addedAt: Date.now(), state, failure, released, key, sha256 };
}

function fromDescriptor(row: Descriptor, kept: boolean): Item {
  const { id, name, type, size, modified, state, failure, released, key, sha256 } = row;
  const item: Item = {
    id,
    name,
    type,
    size,
    modified,
    file: null,
    earlier: true,
    isHeic: false,
    state,
    progress: 0,
    failure,
    released,
    kept,
    // The earlier page may have ended before it noted its progress, so the server is asked.
    wire: { ...newWire(), key, sha256, begun: true },
  };
  const missing = !kept && state !== 'stored' && !isHopeless(item);
  return missing ? { ...item, state: 'lost', failure: UNREADABLE } : item;
}
