import type { Report } from '@feierbild/contract/calls/reports.ts';
import { queryOptions } from '@tanstack/react-query';
import { call, type Answer } from '../../api/client.ts';

export type Status = Omit<Answer<'GET /admin/status'>, 'username'>;

/** The administrator of the session. */
export const meQuery = queryOptions({ queryKey: ['me'], queryFn: () => call('GET /admin/me') });

/** The installation's findings. */
export const statusQuery = queryOptions({ queryKey: ['status'], queryFn: () => call('GET /admin/status'), refetchInterval: 60_000 });

/** For the reports' page, and the count at the link to it. */
export const reportsQuery = queryOptions({
  queryKey: ['reports'],
  queryFn: async (): Promise<Report[]> => (await call('GET /admin/reports')).reports,
});

/** How many reports wait for the operator. */
export const openReports = (reports: Report[]): number => reports.filter(({ settled_at }) => settled_at === null).length;
