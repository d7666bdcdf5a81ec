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

/** Each column's direction that a first click asks for. */
const FIRST: Record<SortKey, Direction> = { beginn: 'descending', titel: 'ascending', speicher: 'descending', loeschung: 'ascending' };

/** The query in an address; unknown values are ignored. */
export function readQuery(params: URLSearchParams): ListQuery {
  const status = params.get('status') ?? '';
  const by = params.get('sortierung') ?? '';
  return {
    search: params.get('suche') ?? '',
    status: Object.hasOwn(STATUS_FILTERS, status) ? (status as StatusFilter) : 'alle',
    order: Object.hasOwn(FIRST, by)
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
  const first = FIRST[by];
  if (order?.by !== by) return { by, direction: first };
  return order.direction === first ? { by, direction: first === 'ascending' ? 'descending' : 'ascending' } : null;
}
