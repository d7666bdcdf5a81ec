import type { Report } from '@feierbild/contract/calls/reports.ts';
import { queryOptions } from '@tanstack/react-query';
import { call, type Answer } from '../../api/client.ts';

export type Status = Omit<Answer<'GET /admin/status'>, 'username'>;

/** Reads the administrator of the session. */
export const meQuery = queryOptions({ queryKey: ['me'], queryFn: () => call('GET /admin/me') });

/** Reads the installation's findings. */
export const statusQuery = queryOptions({ queryKey: ['status'], queryFn: () => call('GET /admin/status'), refetchInterval: 60_000 });

/** Reads the reports, for their page and for the count at the link to it. */
export const reportsQuery = queryOptions({
  queryKey: ['reports'],
  queryFn: async (): Promise<Report[]> => (await call('GET /admin/reports')).reports,
});

/** Counts the reports that wait for the operator. */
export const openReports = (reports: Report[]): number => reports.filter(({ settled_at }) => settled_at === null).length;
