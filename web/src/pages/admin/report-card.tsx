import type { Report } from '@feierbild/contract/calls/reports.ts';
import { isEventCode } from '@feierbild/contract/event-code.ts';
import { formatInstant } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import styles from './reports.module.css';

interface ReportCardProps {
  report: Report;
  /** How commands are called on the server. */
  command: string;
  busy: boolean;
  onSettle(): void;
}

/** One report, and whether it is settled. */
export function ReportCard({ report, command: call, busy, onSettle }: ReportCardProps) {
  const settled = report.settled_at !== null;
  const sender = [report.name, report.email].filter(Boolean).join(', ');
  const facts = [
    ['Foto', report.photo],
    ['Grund', report.reason],
    ['Von', sender || 'ohne Angabe'],
  ];
  const command = settled ? null : commandFor(report);
  return (
    <article className={`${styles.card} ${settled ? styles.settled : ''}`} aria-label={`Meldung zu ${report.event}`}>
      <h2>{report.event}</h2>
      <p className="soft">Eingegangen am {formatInstant(report.received_at)}</p>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {command && (
          <div>
            <dt>{command.what}</dt>
            <dd>
              <code>
                {call} {command.line}
              </code>
            </dd>
          </div>
        )}
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

/** What the operator types on the server: to delete the photo where its id or address is named, else to find it in the event. */
function commandFor({ event, photo }: Report): { what: string; line: string } | null {
  const id = /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/i.exec(photo)?.[0];
  if (id) return { what: 'Foto löschen', line: `photo delete ${id}` };
  const code = event.trim().toUpperCase();
  return isEventCode(code) ? { what: 'Fotos des Events', line: `photo list --event ${code}` } : null;
}
