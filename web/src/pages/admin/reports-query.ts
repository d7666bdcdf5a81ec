import type { Report } from '@feierbild/contract/entities.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** The query behind the reports' page and the count at its link. */
export const reportsQuery = queryOptions({
  queryKey: ['reports'],
  queryFn: async (): Promise<Report[]> => (await call('GET /admin/reports')).reports,
});

/** How many reports wait for the operator. */
export const openReports = (reports: Report[]): number => reports.filter(({ settled_at }) => settled_at === null).length;
