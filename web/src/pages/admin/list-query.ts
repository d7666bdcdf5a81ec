import type { AdminEventsQuery } from '@feierbild/contract/calls/events.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { call } from '../../api/client.ts';

/** The filter and order of the table of events, as the page's address keeps them. */
export interface ListQuery {
  search: string;
  status: StatusFilter;
  due: DueFilter;
  /** The chosen order; null for the server's order, the newest first. */
  order: Order | null;
}

/** The filters by their names in the address, with their names on the page and for the server. */
export const STATUS_FILTERS = {
  alle: { label: 'Alle', status: undefined },
  aktiv: { label: 'aktiv', status: 'active' },
  inaktiv: { label: 'inaktiv', status: 'inactive' },
  geloescht: { label: 'gelöscht', status: 'deleted' },
} as const;
export type StatusFilter = keyof typeof STATUS_FILTERS;

/** The filters for hosts' ZIPs and deletions, in the same form. */
export const DUE_FILTERS = {
  alle: { label: 'ZIP und Löschung', asked: {} },
  geladen: { label: 'ZIP geladen', asked: { zip: 'downloaded' } },
  offen: { label: 'ZIP nicht geladen', asked: { zip: 'missing' } },
  loeschung: { label: 'Löschung in 7 Tagen', asked: { deletion: 'near' } },
  eilig: { label: 'Löschung in 7 Tagen, ZIP nicht geladen', asked: { deletion: 'near', zip: 'missing' } },
} as const;
export type DueFilter = keyof typeof DUE_FILTERS;

/** The sortable columns by their names in the address, with their names for the server, and the direction of a first click. */
const SORTS = {
  beginn: { order: 'start', first: 'descending' },
  titel: { order: 'title', first: 'ascending' },
  speicher: { order: 'storage', first: 'descending' },
  loeschung: { order: 'deletion', first: 'ascending' },
} as const;
export type SortKey = keyof typeof SORTS;
export interface Order {
  by: SortKey;
  direction: 'ascending' | 'descending';
}

export const EVERYTHING: ListQuery = { search: '', status: 'alle', due: 'alle', order: null };

/** Reads the query in an address; unknown values are ignored. */
export function readQuery(params: URLSearchParams): ListQuery {
  const status = params.get('status') ?? '';
  const due = params.get('faellig') ?? '';
  const by = params.get('sortierung') ?? '';
  return {
    search: params.get('suche') ?? '',
    status: Object.hasOwn(STATUS_FILTERS, status) ? (status as StatusFilter) : 'alle',
    due: Object.hasOwn(DUE_FILTERS, due) ? (due as DueFilter) : 'alle',
    order: Object.hasOwn(SORTS, by)
      ? { by: by as SortKey, direction: params.get('richtung') === 'absteigend' ? 'descending' : 'ascending' }
      : null,
  };
}

/** Returns the parameters of a query; empty ones are left out. */
export function writeQuery({ search, status, due, order }: ListQuery): Record<string, string> {
  return {
    // As it was typed: without the space at its end, the next word would be written to the one before.
    ...(search.trim() !== '' && { suche: search }),
    ...(status !== 'alle' && { status }),
    ...(due !== 'alle' && { faellig: due }),
    ...(order && { sortierung: order.by, richtung: order.direction === 'descending' ? 'absteigend' : 'aufsteigend' }),
  };
}

/** Converts the query into the server's form. */
function askedBy({ search, status: filter, due, order }: ListQuery): Partial<AdminEventsQuery> {
  const { status } = STATUS_FILTERS[filter];
  return {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(status && { status }),
    ...DUE_FILTERS[due].asked,
    ...(order && { order: SORTS[order.by].order, direction: order.direction }),
  };
}

/** Returns the address of a query's events as a table to download. */
export function tablePath(query: ListQuery): string {
  const search = new URLSearchParams(askedBy(query) as Record<string, string>).toString();
  return `/admin/events.csv${search && `?${search}`}`;
}

/** Returns the order after a click on a column's head: first its default direction, then the other one, then the server's order. */
export function nextOrder(order: Order | null, by: SortKey): Order | null {
  const { first } = SORTS[by];
  if (order?.by !== by) return { by, direction: first };
  return order.direction === first ? { by, direction: first === 'ascending' ? 'descending' : 'ascending' } : null;
}

/** Pause before typed text is written to the address: Safari refuses more than 100 changes in 30 s. */
const TYPING_PAUSE_MS = 350;

/** Pauses between reads while an invitation waits for its first attempt, and for a further one. */
const WAITING_POLL_MS = 3000;
const TRIED_POLL_MS = 60_000;

/** Number of events that are read and rendered together. */
const PER_PAGE = 100;

/**
 * Reads the events of the list's query, page by page; while a new query runs, the previous one's events stay. The address keeps the
 * query, so that Back and reload show the same list; `query` also has text that is being typed.
 */
export function useEvents() {
  const [params, setParams] = useSearchParams();
  /** Typed text that is not in the address yet. */
  const [typed, setTyped] = useState<string | null>(null);
  const kept = readQuery(params);
  const query = typed === null ? kept : { ...kept, search: typed };

  const keepTyped = useEffectEvent(() => {
    setParams(writeQuery(query), { replace: true });
    setTyped(null);
  });
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(keepTyped, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  function change(wanted: Partial<ListQuery>): void {
    if (Object.keys(wanted).join() === 'search') {
      setTyped(wanted.search ?? '');
      return;
    }
    setParams(writeQuery({ ...query, ...wanted }));
    setTyped(null);
  }
  const { data, ...rest } = useInfiniteQuery({
    queryKey: ['events', kept],
    queryFn: ({ pageParam, signal }) =>
      call('GET /admin/events', { query: { ...askedBy(kept), page: pageParam, per_page: PER_PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ found = 0 }, pages) => (pages.length * PER_PAGE < found ? pages.length + 1 : undefined),
    placeholderData: keepPreviousData,
    // The mail server's answer comes seconds after the invitation, or after one of the pauses.
    refetchInterval: ({ state }) => {
      const waiting = (state.data?.pages ?? []).flatMap(({ events }) =>
        events.flatMap(({ invitation_state: invitation }) => (invitation?.state === 'waiting' ? [invitation] : [])),
      );
      if (waiting.length === 0) return false;
      return waiting.some(({ answer }) => answer === null) ? WAITING_POLL_MS : TRIED_POLL_MS;
    },
  });
  /** The events read so far, in order, and the numbers of found events, of all events, and of all their photos. */
  const found = useMemo(() => {
    const last = data?.pages.at(-1);
    if (!last) return null;
    // A new event shifts the others, so that one may be on two pages.
    const events = new Map(data?.pages.flatMap((page) => page.events).map((event) => [event.id, event]));
    return { events: [...events.values()], found: last.found ?? 0, all: last.all ?? 0, photos: last.all_photos ?? 0 };
  }, [data]);
  return { ...rest, found, query, change };
}

/** Reads an event; null if somebody else has deleted it. */
export async function readEvent({ id, code }: Pick<AdminEvent, 'id' | 'code'>): Promise<AdminEvent | null> {
  const { events } = await call('GET /admin/events', { query: { search: code, per_page: PER_PAGE } });
  return events.find((event) => event.id === id) ?? null;
}
