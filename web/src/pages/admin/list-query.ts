import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { eventStatus } from '@feierbild/contract/event-status.ts';

/** Which events the table shows and in which order, as the address of the page keeps it. */
export interface ListQuery {
  search: string;
  status: StatusFilter;
  /** Without it the order is the server's: the newest first. */
  order: Order | null;
}

export const STATUS_FILTERS = { alle: 'Alle', aktiv: 'aktiv', inaktiv: 'inaktiv', geloescht: 'gelöscht' } as const;
export type StatusFilter = keyof typeof STATUS_FILTERS;

export type SortKey = 'beginn' | 'titel' | 'speicher' | 'loeschung';
export type Direction = 'ascending' | 'descending';
export interface Order {
  by: SortKey;
  direction: Direction;
}

export const EVERYTHING: ListQuery = { search: '', status: 'alle', order: null };

const collator = new Intl.Collator('de', { numeric: true, sensitivity: 'base' });

/** Each column's comparison upwards, and the direction that a first click asks for. */
const SORTS: Record<SortKey, { first: Direction; compare(a: AdminEvent, b: AdminEvent): number }> = {
  beginn: { first: 'descending', compare: (a, b) => compareTexts(a.start_date, b.start_date) },
  titel: { first: 'ascending', compare: (a, b) => collator.compare(a.title, b.title) },
  speicher: { first: 'descending', compare: (a, b) => a.storage_stats.total_size - b.storage_stats.total_size },
  loeschung: { first: 'ascending', compare: (a, b) => compareTexts(a.deletion_date, b.deletion_date) },
};

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The query in an address; unknown values are ignored. */
export function readQuery(params: URLSearchParams): ListQuery {
  const status = params.get('status') ?? '';
  const by = params.get('sortierung') ?? '';
  return {
    search: params.get('suche') ?? '',
    status: Object.hasOwn(STATUS_FILTERS, status) ? (status as StatusFilter) : 'alle',
    order: Object.hasOwn(SORTS, by)
      ? { by: by as SortKey, direction: params.get('richtung') === 'absteigend' ? 'descending' : 'ascending' }
      : null,
  };
}

/** The parameters of a query; empty ones are left out. */
export function writeQuery({ search, status, order }: ListQuery): Record<string, string> {
  return {
    ...(search.trim() !== '' && { suche: search.trim() }),
    ...(status !== 'alle' && { status }),
    ...(order && { sortierung: order.by, richtung: order.direction === 'descending' ? 'absteigend' : 'aufsteigend' }),
  };
}

/** The order after a click on a column's head: first its default direction, then the other one, then the server's order. */
export function nextOrder(order: Order | null, by: SortKey): Order | null {
  const { first } = SORTS[by];
  if (order?.by !== by) return { by, direction: first };
  return order.direction === first ? { by, direction: first === 'ascending' ? 'descending' : 'ascending' } : null;
}

/** The events that have every typed word in title, subtitle, code or the host's name, and the status; in order. */
export function selectEvents(events: AdminEvent[], { search, status, order }: ListQuery, now: number): AdminEvent[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = events.filter((event) => {
    if (status !== 'alle' && statusOf(event, now) !== status) return false;
    const text = `${event.title}\n${event.subtitle}\n${event.code}\n${event.user?.username ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (!order) return found;
  const { compare } = SORTS[order.by];
  const sign = order.direction === 'ascending' ? 1 : -1;
  return [...found].sort((a, b) => sign * compare(a, b));
}

/** The status that the badge shows, and `geloescht` for events whose photos were deleted. */
function statusOf(event: AdminEvent, now: number): StatusFilter {
  return event.purged_at ? 'geloescht' : eventStatus(event, now).label;
}
