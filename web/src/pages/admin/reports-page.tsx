import type { Report } from '@feierbild/contract/calls/reports.ts';
import { isEventCode } from '@feierbild/contract/event-code.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formatInstant, plural } from '../../lib/format.ts';
import { Empty } from '../../ui/empty.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-form.ts';
import { AdminFrame } from './admin-frame.tsx';
import { reportsQuery, statusQuery } from './admin-queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import styles from './reports.module.css';

/** /admin/meldungen: reports of photos that somebody wants deleted, open ones first. */
export default function ReportsPage() {
  const query = useInfiniteQuery(reportsQuery);
  const { data: status } = useQuery(statusQuery);
  const [settling, setSettling] = useState('');
  const { busy, failure, run } = useAction();

  async function settle({ id, settled_at }: Report): Promise<void> {
    setSettling(id);
    await call('PUT /admin/reports/:id', { params: { id }, body: { settled: settled_at === null } });
    await query.refetch();
  }

  const [first] = query.data?.pages ?? [];
  return (
    <AdminFrame
      title="Meldungen"
      lead={first && first.reports.length > 0 && plural(first.open, '1 offene Meldung', '# offene Meldungen')}
      width="reading"
      className={styles.page}
    >
      <Loaded query={query}>
        {({ pages }) =>
          pages[0]?.reports.length === 0 ? (
            <Empty>Noch keine Meldung. Was über „Foto melden“ eingeht, steht hier.</Empty>
          ) : (
            <ul className={`bare ${styles.list}`}>
              {pages
                .flatMap(({ reports }) => reports)
                .map((report) => (
                  <li key={report.id}>
                    <ReportCard
                      report={report}
                      cli={status?.command ?? ''}
                      busy={busy && settling === report.id}
                      failure={settling === report.id ? failure : ''}
                      onSettle={() => void run(() => settle(report))}
                    />
                  </li>
                ))}
            </ul>
          )
        }
      </Loaded>
      {query.hasNextPage && (
        <div>
          <Button look="secondary" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Ältere Meldungen zeigen
          </Button>
        </div>
      )}
    </AdminFrame>
  );
}

interface ReportCardProps {
  report: Report;
  cli: string;
  busy: boolean;
  /** The reason why the last press on its button failed, or empty. */
  failure: string;
  onSettle(): void;
}

/** A report and its state; `cli` begins the server's commands. */
export function ReportCard({ report, cli, busy, failure, onSettle }: ReportCardProps) {
  const { settled_at, settled_by } = report;
  const settled = settled_at !== null;
  const sender = [report.name, report.email].filter(Boolean).join(', ');
  const command = settled ? null : commandFor(report);
  return (
    <article className={`${styles.card} ${settled ? styles.settled : ''}`} aria-label={`Meldung zu ${report.event}`}>
      <h2>{report.event}</h2>
      <p className="soft">Eingegangen am {formatInstant(report.received_at)}</p>
      <DescriptionList
        items={[
          ['Foto', report.photo],
          ['Grund', report.reason],
          ['Von', sender || 'ohne Angabe'],
          [command?.what ?? '', command && <code>{`${cli} ${command.line}`}</code>],
        ]}
      />
      {failure && <Notice kind="error">{failure}</Notice>}
      <div className={styles.state}>
        <span>{settled ? `Erledigt am ${formatInstant(settled_at)}${settled_by ? ` von ${settled_by}` : ''}` : 'Offen'}</span>
        <Button look="secondary" busy={busy} onClick={onSettle}>
          {settled ? 'Wieder öffnen' : 'Als erledigt markieren'}
        </Button>
      </div>
    </article>
  );
}

/** Returns the operator's command: it deletes the photo if its id or address is named, else lists the event's photos. */
function commandFor({ event, photo }: Report): { what: string; line: string } | null {
  const id = /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/i.exec(photo)?.[0];
  if (id) return { what: 'Foto löschen', line: `photo delete ${id}` };
  const code = event.trim().toUpperCase();
  return isEventCode(code) ? { what: 'Fotos des Events', line: `photo list --event ${code}` } : null;
}
