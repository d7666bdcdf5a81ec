import { RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import type { Report, ReportForm } from '@feierbild/contract/calls/reports.ts';
import { sql, type Selectable } from 'kysely';
import type { Database } from '../../database/schema.ts';
import type { Http } from '../../http/bind.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid, uuidv7 } from '../../lib/ids.ts';
import type { Ground } from '../ground.ts';
import type { Limits } from '../limits/limits.ts';
import { instantText } from '../../lib/german.ts';
import type { Mail } from '../mail/mail.ts';

/** Most reports in the administrators' list; open ones come first. */
const SHOWN = 500;

export type Reports = ReturnType<typeof createReports>;

/** „Foto melden“: reports to the operator about photos that should be removed. */
export function createReports({
  db,
  clock,
  limits,
  mail,
}: Pick<Ground, 'db' | 'clock'> & { limits: Limits; mail: Pick<Mail, 'toOperator'> }) {
  const { kysely } = db;
  return {
    /** Stores a report and returns when it was received, ISO 8601. Throws Refusal too_many_attempts. */
    add: (form: ReportForm, address: string): Promise<string> =>
      limits.serialized('report', [address], async (attempt) => {
        attempt.failed();
        const now = clock.now();
        const report = { id: uuidv7(now), received_at: now, ...form, settled_at: null, settled_by: null };
        await db.transaction(async (trx) => {
          await trx.insertInto('reports').values(report).execute();
          // Nothing of what a stranger has written.
          await mail.toOperator('report', { zeit: instantText(now) }, { trx });
        });
        return new Date(now).toISOString();
      }),

    /** Open ones first, then the newest. */
    async list(): Promise<Report[]> {
      const rows = kysely
        .selectFrom('reports')
        .selectAll()
        .orderBy(sql`case when settled_at is null then 0 else 1 end`)
        .orderBy('received_at', 'desc')
        .orderBy('id', 'desc')
        .limit(SHOWN);
      return (await rows.execute()).map(reportAnswer);
    },

    /** Throws Refusal report_not_found. */
    async settle(id: string, settled: boolean, admin: string): Promise<Report> {
      const by = settled ? { settled_at: clock.now(), settled_by: admin } : { settled_at: null, settled_by: null };
      const row = isUuid(id) && (await kysely.updateTable('reports').set(by).where('id', '=', id).returningAll().executeTakeFirst());
      if (!row) throw new Refusal('report_not_found');
      return reportAnswer(row);
    },

    /** Removes reports older than 12 months. */
    async forget(): Promise<void> {
      const until = clock.now() - RECORDS_KEPT;
      await kysely.deleteFrom('reports').where('received_at', '<=', until).execute();
    },
  };
}

/** Anybody may send them, administrators read and settle them. */
export function reportRoutes(http: Http, reports: Reports): void {
  http.bind('POST /api/reports', async ({ body, visitor }) => ({ received_at: await reports.add(body, visitor.address) }));
  http.bind('GET /admin/reports', async () => ({ reports: await reports.list() }));
  http.bind('PUT /admin/reports/:id', ({ params, body, visitor }) => reports.settle(params.id, body.settled, visitor.admin.username));
}

function reportAnswer({ received_at, settled_at, ...report }: Selectable<Database['reports']>): Report {
  return {
    ...report,
    received_at: new Date(received_at).toISOString(),
    settled_at: settled_at === null ? null : new Date(settled_at).toISOString(),
  };
}
