import type { Report } from '@feierbild/contract/entities.ts';
import { formatInstant } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import styles from './reports.module.css';

/** One report, and whether it is settled. */
export function ReportCard({ report, busy, onSettle }: { report: Report; busy: boolean; onSettle(): void }) {
  const settled = report.settled_at !== null;
  const sender = [report.name, report.email].filter(Boolean).join(', ');
  const facts = [
    ['Foto', report.photo],
    ['Grund', report.reason],
    ['Von', sender || 'ohne Angabe'],
  ];
  return (
    <article className={`${styles.card} ${settled ? styles.settled : ''}`} aria-label={`Meldung zu ${report.event}`}>
      <h2>{report.event}</h2>
      <p className={styles.soft}>Eingegangen am {formatInstant(report.received_at)}</p>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.state}>
        <span>
          {report.settled_at === null
            ? 'Offen'
            : `Erledigt am ${formatInstant(report.settled_at)}${report.settled_by ? ` von ${report.settled_by}` : ''}`}
        </span>
        <Button look="secondary" busy={busy} onClick={onSettle}>
          {settled ? 'Wieder öffnen' : 'Als erledigt markieren'}
        </Button>
      </div>
    </article>
  );
}
