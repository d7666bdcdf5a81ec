import type { Report } from '@feierbild/contract/calls/reports.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { plural } from '../../lib/format.ts';
import { Headline } from '../../ui/headline.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { useTask } from '../../ui/use-task.ts';
import { AdminFrame } from './admin-frame.tsx';
import { ReportCard } from './report-card.tsx';
import styles from './reports.module.css';
import { openReports, reportsQuery, statusQuery } from './queries.ts';

/** /admin/meldungen: reports of photos that somebody wants deleted, open ones first. */
export function ReportsPage() {
  const { data, error, refetch } = useQuery(reportsQuery);
  const { data: status } = useQuery(statusQuery);
  const [settling, setSettling] = useState('');
  const { busy, failure, run } = useTask();

  async function settle({ id, settled_at }: Report): Promise<void> {
    setSettling(id);
    await call('PUT /admin/reports/:id', { params: { id }, body: { settled: settled_at === null } });
    await refetch();
  }

  if (!data && !error) return <Waiting />;
  // Without a session the client is on its way to the login.
  if (isRefusal(error, 'login_required')) return null;
  return (
    <AdminFrame width="reading">
      <div className={styles.page}>
        <div>
          <Headline>Meldungen</Headline>
          {data && data.length > 0 && <p className="soft">{plural(openReports(data), '1 offene Meldung', '# offene Meldungen')}</p>}
        </div>
        {(error || failure) && <Notice kind="error">{failure || messageOf(error)}</Notice>}
        {data?.length === 0 && <p className={styles.empty}>Noch keine Meldung. Was über „Foto melden“ eingeht, steht hier.</p>}
        {data && data.length > 0 && (
          <ul className={styles.list}>
            {data.map((report) => (
              <li key={report.id}>
                <ReportCard
                  report={report}
                  command={status?.command ?? ''}
                  busy={busy && settling === report.id}
                  onSettle={() => void run(() => settle(report))}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </AdminFrame>
  );
}
