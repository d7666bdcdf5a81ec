import type { Behind } from '@feierbild/contract/calls/reports.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type Answer } from '../../api/client.ts';

export type Status = Omit<Answer<'GET /admin/status'>, 'username'>;

/** Reads the administrator of the session. */
export const meQuery = queryOptions({ queryKey: ['me'], queryFn: () => call('GET /admin/me') });

/** Reads the installation's findings. */
export const statusQuery = queryOptions({ queryKey: ['status'], queryFn: () => call('GET /admin/status'), refetchInterval: 60_000 });

/** Reads the reports, for their page and for the count at the link to it. */
export const reportsQuery = infiniteQueryOptions({
  queryKey: ['reports'],
  queryFn: ({ pageParam }) => call('GET /admin/reports', { query: pageParam }),
  initialPageParam: {} as Behind,
  getNextPageParam: ({ next }) => next,
});
