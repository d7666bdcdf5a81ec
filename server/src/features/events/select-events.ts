import type { AdminEventsQuery } from '@feierbild/contract/calls/events.ts';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import { eventStatus, isDeletionNear } from '@feierbild/contract/event-status.ts';
import { isUnsaved } from '../archive/archive.ts';
import type { EventStore } from './events.store.ts';

/** The columns by which a list of events is searched and ordered. */
type ListedEvent = Awaited<ReturnType<EventStore['listed']>>[number];

const collator = new Intl.Collator('de', { numeric: true, sensitivity: 'base' });
const byText = (one: string, other: string): number => Number(one > other) - Number(one < other);

const ORDERS: Record<NonNullable<AdminEventsQuery['order']>, (one: ListedEvent, other: ListedEvent) => number> = {
  start: (one, other) => byText(one.start_date, other.start_date),
  title: (one, other) => collator.compare(one.title, other.title),
  storage: (one, other) => one.used_bytes - other.used_bytes,
  // The day of deletion has the same distance from the end of each event.
  deletion: (one, other) => byText(one.end_date, other.end_date),
};

/**
 * Returns the events that match the query: every searched word in title, subtitle, code, notes or one of their days; the status; a day in a
 * period. They come in the query's order, else in the given one. The database does not search, as its engines know German letters and their
 * order differently, or not at all.
 */
export function selectEvents<E extends ListedEvent>(
  events: E[],
  { search = '', status, ids, zip, deletion, from = '', to = '9999', order, direction }: AdminEventsQuery,
  now: number,
): E[] {
  const today = berlinDay(now);
  const wanted = ids === undefined ? null : new Set(ids.split(','));
  const words = search.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean);
  const found = events.filter((event) => {
    if (wanted && !wanted.has(event.id)) return false;
    if (event.end_date < from || event.start_date > to) return false;
    if (status !== undefined && statusOf(event, now) !== status) return false;
    if (zip !== undefined && zipOf(event) !== zip) return false;
    if (deletion !== undefined && (event.purging_at !== null || !isDeletionNear(event, today))) return false;
    const { title, subtitle, code, customer, order_number, note } = event;
    const text = [title, subtitle, code, customer, order_number, note].join('\n').toLowerCase();
    return words.every((word) => text.includes(word) || (DATE.test(word) && isOn(event, word)));
  });
  if (!order) return found;
  const compare = ORDERS[order];
  const sign = direction === 'descending' ? -1 : 1;
  return found.sort((one, other) => sign * compare(one, other));
}

const MONTHS = ['januar', 'februar', 'märz', 'april', 'mai', 'juni', 'juli', 'august', 'september', 'oktober', 'november', 'dezember'];
/** `17.`, `17.5.`, `05.2026`, `2026`, `2026-05`, or the first letters of a month; other numbers are parts of titles and codes. */
const DATE = new RegExp(`^(\\d{1,2}\\.[\\d.]*|\\d{4}(-[\\d-]*)?|${MONTHS.map((name) => `${name.slice(0, 3)}\\p{L}*`).join('|')})$`, 'u');

/** Returns whether a day of the event, in a usual notation, begins with the word. */
function isOn({ start_date, end_date }: ListedEvent, word: string): boolean {
  return [start_date, end_date].some((date) => {
    const [year = '', month = '', day = ''] = date.split('-');
    const years = [year, year.slice(2)];
    const months = [month, String(Number(month))].flatMap((text) => years.map((shown) => `${text}.${shown}`));
    const days = [day, String(Number(day))].flatMap((text) => months.map((rest) => `${text}.${rest}`));
    const written = [date, ...months, ...days];
    return [...written, MONTHS[Number(month) - 1] ?? ''].some((text) => text.startsWith(word));
  });
}

/** Returns whether the host has the photos; undefined if there are none to download. */
function zipOf(event: ListedEvent): AdminEventsQuery['zip'] {
  if (event.purging_at === null && isUnsaved(event)) return 'missing';
  return event.zip_downloaded_at === null ? undefined : 'downloaded';
}

function statusOf(event: ListedEvent, now: number): AdminEventsQuery['status'] {
  if (event.purging_at !== null) return 'deleted';
  return eventStatus({ ...event, is_active: event.is_active === 1 }, now).label === 'aktiv' ? 'active' : 'inactive';
}
