import type { AdminEventsQuery } from '@feierbild/contract/calls/events.ts';
import { eventStatus } from '@feierbild/contract/event-status.ts';
import type { EventRow } from '../../database/schema.ts';

/** What a list of events is searched and ordered by. */
export type ListedEvent = Pick<
  EventRow,
  'id' | 'code' | 'title' | 'subtitle' | 'start_date' | 'end_date' | 'is_active' | 'used_bytes' | 'purging_at'
>;

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
 * The events that have every searched word in title, subtitle or code, and the status; in order, without one as they came. Not by the
 * database: its engines know German letters and their order differently, or not at all.
 */
export function selectEvents<E extends ListedEvent>(
  events: E[],
  { search = '', status, order, direction }: AdminEventsQuery,
  now: number,
): E[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = events.filter((event) => {
    if (status !== undefined && statusOf(event, now) !== status) return false;
    const text = `${event.title}\n${event.subtitle}\n${event.code}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (!order) return found;
  const compare = ORDERS[order];
  const sign = direction === 'descending' ? -1 : 1;
  return found.sort((one, other) => sign * compare(one, other));
}

function statusOf(event: ListedEvent, now: number): AdminEventsQuery['status'] {
  if (event.purging_at !== null) return 'deleted';
  return eventStatus({ ...event, is_active: event.is_active === 1 }, now).label === 'aktiv' ? 'active' : 'inactive';
}
