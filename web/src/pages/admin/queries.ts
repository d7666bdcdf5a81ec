import type { Report } from '@feierbild/contract/entities.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

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
