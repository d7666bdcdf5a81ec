import { RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import type { Report, ReportForm } from '@feierbild/contract/calls/reports.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid, uuidv7 } from '../../lib/ids.ts';
import type { Ground } from '../ground.ts';
import type { Limits } from '../limits/limits.ts';
import { createReportStore, type ReportRow } from './reports.store.ts';

/** Most reports in the administrators' list; open ones come first. */
const SHOWN = 500;

export type Reports = ReturnType<typeof createReports>;

/** „Foto melden“: reports to the operator about photos that should be removed. */
export function createReports({ db, clock, limits }: Pick<Ground, 'db' | 'clock'> & { limits: Limits }) {
  const store = createReportStore(db);
  return {
    /** Stores a report and returns when it was received, ISO 8601. Throws Refusal too_many_attempts. */
    add: (form: ReportForm, address: string): Promise<string> =>
      limits.serialized('report', [address], async (attempt) => {
        attempt.failed();
        const now = clock.now();
        await store.add({ id: uuidv7(now), received_at: now, ...form, settled_at: null, settled_by: null });
        return new Date(now).toISOString();
      }),

    list: async (): Promise<Report[]> => (await store.newest(SHOWN)).map(reportAnswer),

    /** Throws Refusal report_not_found. */
    async settle(id: string, settled: boolean, admin: string): Promise<Report> {
      const row =
        isUuid(id) &&
        (await store.settle(id, settled ? { settled_at: clock.now(), settled_by: admin } : { settled_at: null, settled_by: null }));
      if (!row) throw new Refusal('report_not_found');
      return reportAnswer(row);
    },

    /** Removes reports older than 12 months. */
    forget: (): Promise<void> => store.removeUntil(clock.now() - RECORDS_KEPT),
  };
}

function reportAnswer({ received_at, settled_at, ...report }: ReportRow): Report {
  return {
    ...report,
    received_at: new Date(received_at).toISOString(),
    settled_at: settled_at === null ? null : new Date(settled_at).toISOString(),
  };
}
