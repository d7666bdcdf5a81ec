import { KEPT_ON_DEVICE_DAYS } from '@feierbild/contract/constants.ts';
import { noteEvent, recall, remember } from '../../../lib/storage.ts';
import { UNREADABLE, isHopeless, isMissing, newWire, type Item } from '../item.ts';
import { all, put, remove, type Descriptor } from './database.ts';

/** What was kept for an event that this page does not show is removed after this time. */
const LONGEST_MS = KEPT_ON_DEVICE_DAYS * 24 * 60 * 60 * 1000;

/** What is kept of an event, as items of a new page; those whose bytes are gone are lost. Removes nothing once `reign` is aborted. */
export async function restore(event: string, reign: AbortSignal): Promise<Item[]> {
  const [rows, kept] = await all();
  if (reign.aborted) return [];
  const own = rows.filter((row) => row.event === event).sort((a, b) => a.place - b.place);
  const others = rows.filter((row) => row.event !== event);
  noteEvent('kept', event, own.length > 0);
  const now = Date.now();
  await sweep(rows, kept, (row) => row.event !== event && now - row.addedAt > LONGEST_MS);
  // Written by a wrong clock.
  await put(others.filter(({ addedAt }) => addedAt > now).map((row) => ({ ...row, addedAt: now })));
  return own.map((row) => fromDescriptor(row, kept.includes(row.id)));
}

/** Whether anything is kept of an event, also where the note was lost with its browser. */
export async function isKept(event: string): Promise<boolean> {
  const [rows] = await all();
  return rows.some((row) => row.event === event);
}

export async function save(event: string, item: Item, place: number): Promise<void> {
  noteEvent('kept', event, true);
  await put([toDescriptor(event, item, place)]);
  persist();
}

/** Removes these of an event; `isAll` is asked once they are gone: nothing of it is left then. */
export async function drop(event: string, ids: Iterable<string>, isAll: () => boolean): Promise<void> {
  await remove(ids);
  if (isAll()) noteEvent('kept', event, false);
}

/** Removes all that is kept of an event. */
export async function forgetEvent(event: string): Promise<void> {
  const [rows, kept] = await all();
  await sweep(rows, kept, (row) => row.event === event);
  noteEvent('kept', event, false);
}

/** Removes rows that are `over`, and copies that no row names any more. */
async function sweep(rows: readonly Descriptor[], kept: readonly string[], over: (row: Descriptor) => boolean): Promise<void> {
  const named = new Set(rows.filter((row) => !over(row)).map(({ id }) => id));
  const ids = [...rows.map(({ id }) => id), ...kept];
  await remove(ids.filter((id) => !named.has(id)));
}

/** Asks the browser once not to remove what is kept where the device gets short of room. Some ask the guest, so that nothing waits for it. */
function persist(): void {
  if (recall('persist')) return;
  remember('persist', '1');
  void navigator.storage?.persist?.().catch(() => false);
}

function toDescriptor(event: string, item: Item, place: number): Descriptor {
  const { id, name, type, size, modified, released, wire } = item;
  const state = item.state === 'stored' || item.state === 'refused' ? item.state : 'waiting';
  // Whether its bytes are gone is found out anew by each page: storage may have failed for a moment only.
  const failure = isMissing(item) ? null : item.failure;
  const { key, sha256 } = wire;
  return { id, event, name, type, size, modified, place, addedAt: Date.now(), state, failure, released, key, sha256 };
}

function fromDescriptor({ key, sha256, ...row }: Descriptor, kept: boolean): Item {
  // The earlier page may have ended before it noted its progress, so the server is asked.
  const wire = { ...newWire(), key, sha256, begun: true };
  const item: Item = { ...row, file: null, earlier: true, progress: 0, kept, wire };
  const missing = !kept && row.state !== 'stored' && !isHopeless(item);
  return missing ? { ...item, state: 'lost', failure: UNREADABLE } : item;
}
