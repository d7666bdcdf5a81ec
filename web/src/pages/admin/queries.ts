import type { Report } from '@feierbild/contract/calls/reports.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/client.ts';
import { askedBy, type ListQuery } from './list-query.ts';

/** Of the reports' page, and of the count at its link. */
export const reportsQuery = queryOptions({
  queryKey: ['reports'],
  queryFn: async (): Promise<Report[]> => (await call('GET /admin/reports')).reports,
});

/** How many reports wait for the operator. */
export const openReports = (reports: Report[]): number => reports.filter(({ settled_at }) => settled_at === null).length;

const readStatus = () => call('GET /admin/status');
export type Status = Omit<Awaited<ReturnType<typeof readStatus>>, 'username'>;

/** Who is logged in, and what of the installation should not stay as it is. */
export const statusQuery = queryOptions({ queryKey: ['status'], queryFn: readStatus });

/** Events that are read, and drawn, together. */
const PER_PAGE = 100;

/** What is known of the events that a query finds. */
interface FoundEvents {
  /** Those read so far, in order. */
  events: AdminEvent[];
  /** How many the query finds, how many there are, and how many photos these have. */
  found: number;
  all: number;
  photos: number;
}

/** The events that the server finds, page by page; while a new query is under way those of the one before. */
export function useEvents(query: ListQuery) {
  const { data, ...rest } = useInfiniteQuery({
    queryKey: ['events', query],
    queryFn: ({ pageParam, signal }) =>
      call('GET /admin/events', { query: { ...askedBy(query), page: pageParam, per_page: PER_PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ found = 0 }, pages) => (pages.length * PER_PAGE < found ? pages.length + 1 : undefined),
    placeholderData: keepPreviousData,
  });
  const found = useMemo((): FoundEvents | null => {
    const last = data?.pages.at(-1);
    if (!last) return null;
    // One that came in between moves the others on, so that one may be on two pages.
    const events = new Map(data?.pages.flatMap((page) => page.events).map((event) => [event.id, event]));
    return { events: [...events.values()], found: last.found ?? 0, all: last.all ?? 0, photos: last.all_photos ?? 0 };
  }, [data]);
  return { ...rest, found };
}

/** An event as it is now; null where somebody else has deleted it. */
export async function readEvent({ id, code }: Pick<AdminEvent, 'id' | 'code'>): Promise<AdminEvent | null> {
  const { events } = await call('GET /admin/events', { query: { search: code, per_page: PER_PAGE } });
  return events.find((event) => event.id === id) ?? null;
}
