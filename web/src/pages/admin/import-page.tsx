import type { ImportedRow, TableRead } from '@feierbild/contract/event-table-schemas.ts';
import type { TableAnswers } from '@feierbild/contract/event-table.ts';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { CreatedEvent } from '@feierbild/contract/entities.ts';
import type { EventFormInput } from '@feierbild/contract/event-form.ts';
import { isEventDay } from '@feierbild/contract/event-status.ts';
import { Download, FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { useOrigin } from '../../lib/event-url.ts';
import { plural } from '../../lib/format.ts';
import { formatDaysShort } from '../../lib/german-format.ts';
import { useTypedGuard } from '../../lib/typed-guard.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/download-link.tsx';
import { FilePicker } from '../../ui/file-picker.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-form.ts';
import { AdminFrame } from './admin-frame.tsx';
import { Columns, Questions } from './import-questions.tsx';
import { doubtOf, EMPTY_FORM } from './form-model.ts';
import styles from './import.module.css';

/** Limit of the upload: a file of 1 MB on a slow line. */
const UPLOAD_MS = 60_000;

const LINKS_QUESTION = 'Die Links der Einladungen werden nur jetzt angezeigt und sind noch nicht gespeichert. Trotzdem verlassen?';

const CREATING_QUESTION = 'Die Events werden noch angelegt. Trotzdem verlassen?';

const LINK_LOST = 'Der Link der Einladung ging auf dem Weg verloren: Bitte laden Sie beim Event neu ein.';

/** The result of a row. */
type Outcome = { created: CreatedEvent } | { failure: string };
type Outcomes = Readonly<Record<string, Outcome>>;

interface Table extends TableRead {
  file: File;
  /** The answers with which the table was read. */
  says: Told;
}
/** The person's answers about a table: the meaning of its columns, and its open questions. */
interface Told extends TableAnswers {
  columns?: string;
}

const isNew = ({ mistakes, known }: ImportedRow): boolean => mistakes.length === 0 && known === null;

/** /admin/einlesen: reads a table, shows its rows, and creates their events one after the other by the usual call. */
export default function ImportPage() {
  const [table, setTable] = useState<Table | null>(null);
  const [told, setTold] = useState<Told>({});
  /** The latest answers; `told` may lag behind them while a table is read. */
  const asked = useRef(told);
  const [outcomes, setOutcomes] = useState<Outcomes>({});
  const [today] = useState(() => berlinDay(Date.now()));
  const reading = useAction();
  const creating = useAction();
  const rows = table?.rows ?? [];
  /** Whether the rows were read with the latest answers. */
  const isCurrent = table?.says === told;
  const waitingOf = (all: ImportedRow[]) => all.filter((row) => isNew(row) && !('created' in (outcomes[row.key] ?? {})));
  const waiting = waitingOf(rows);
  /** Keys of rows whose call was sent and not answered: the event may be there, and its key gets the answer again. */
  const unanswered = useRef(new Set<string>());
  const created = rows.length > 0 ? rows.filter((row) => 'created' in (outcomes[row.key] ?? {})).length : 0;
  const wrong = rows.filter(({ mistakes }) => mistakes.length > 0).length;
  const known = rows.filter((row) => row.known !== null && row.mistakes.length === 0).length;
  const origin = useOrigin();
  const made = Object.values(outcomes).flatMap((outcome) => ('created' in outcome ? [outcome.created] : []));
  const links = made.flatMap((event) => {
    const link = linkToPassOn(event, origin);
    return link === null ? [] : [`${event.title}: ${link}`];
  });

  // A link is shown only once; `saved` is the number of links in a saved file.
  const [saved, setSaved] = useState(0);
  useTypedGuard(links.length > saved, LINKS_QUESTION);
  // The links of events that are still being created would be lost.
  useTypedGuard(creating.busy && links.length <= saved, CREATING_QUESTION);

  function begin(says: Told): boolean {
    if (links.length > saved && !window.confirm(LINKS_QUESTION)) return false;
    asked.current = says;
    setTold(says);
    setOutcomes({});
    setSaved(0);
    creating.forget();
    return true;
  }

  /** Reads the table until no further answer was given meanwhile. */
  async function read(file: File): Promise<void> {
    for (;;) {
      const says = asked.current;
      const answer = await call('POST /admin/events/read', { file, query: says, limitMs: UPLOAD_MS });
      if (says === asked.current) return setTable({ file, says, ...answer });
    }
  }

  async function pick(file: File): Promise<void> {
    if (!begin({})) return;
    setTable(null);
    await read(file);
  }

  function say(more: Told): void {
    if (table && begin({ ...asked.current, ...more })) void reading.run(() => read(table.file));
  }

  /** Reads the table again and returns the rows that are still to be created: somebody else may have read the same file meanwhile. */
  async function stillNew({ file, says, ...read }: Table): Promise<ImportedRow[]> {
    const fresh = await call('POST /admin/events/read', { file, query: says, limitMs: UPLOAD_MS });
    const known = new Map(fresh.rows.map((row) => [row.line, row.known]));
    const rows = read.rows.map((row) => (unanswered.current.has(row.key) ? row : { ...row, known: known.get(row.line) ?? row.known }));
    setTable({ ...read, file, says, rows });
    return waitingOf(rows);
  }

  async function create(of: Table): Promise<void> {
    for (const { key, event } of await stillNew(of)) {
      unanswered.current.add(key);
      const outcome = await call('POST /admin/create_event', {
        headers: { 'idempotency-key': key },
        // The server itself has read this form from the table.
        body: event as EventFormInput,
      }).then(
        (answer): Outcome => ({ created: answer }),
        (error: unknown): Outcome => {
          // The other rows would fail alike; their keys allow another attempt.
          if (isRefusal(error, 'login_required', 'no_connection', 'unavailable')) throw error;
          return { failure: messageOf(error) };
        },
      );
      unanswered.current.delete(key);
      setOutcomes((before) => ({ ...before, [key]: outcome }));
    }
  }

  const failure = reading.failure && isRefusal(reading.error, 'invalid_input') ? Object.values(reading.error.fields)[0] : reading.failure;
  return (
    <AdminFrame title="Events einlesen" lead="Viele Events auf einmal, aus einer Tabelle (CSV)." className={styles.page}>
      <p>
        In der ersten Zeile stehen die Namen der Spalten: „Titel“ und „Beginn“ braucht es, dazu, wo Sie wollen, „Ende“, „Untertitel“,
        „Vorlage“, „Speicher in GB“, „E‑Mail“, „Gastgeber“, „Kunde“, „Auftragsnummer“, „Notiz“, „Passwort für Gäste“ und „Passwort der
        Fotobox“. Wo eine E‑Mail-Adresse steht, wird der Gastgeber eingeladen. Heißen Ihre Spalten anders, ordnen Sie sie danach zu.
      </p>
      <div className={styles.actions}>
        <FilePicker
          accept=".csv,.txt,.tsv,text/csv"
          busy={reading.busy || creating.busy}
          onPick={(file) => void reading.run(() => pick(file))}
        >
          <FileUp size={20} /> {table ? 'Andere Datei wählen' : 'Datei wählen'}
        </FilePicker>
        {links.length > 0 && !creating.busy && (
          <Button
            look="secondary"
            onClick={() => {
              const lost = made.filter(isLinkLost).map(({ title }) => `${title}: ${LINK_LOST}`);
              saveFile(new Blob([[...links, ...lost].join('\r\n')]), 'einladungen.txt');
              setSaved(links.length);
            }}
          >
            <Download size={20} /> {plural(links.length, '1 Einladung speichern', '# Einladungen speichern')}
          </Button>
        )}
        {table && waiting.length > 0 && (
          <Button busy={creating.busy} disabled={!isCurrent} onClick={() => void creating.run(() => create(table))}>
            {plural(waiting.length, '1 Event anlegen', '# Events anlegen')}
          </Button>
        )}
      </div>
      {failure && <Notice kind="error">{failure}</Notice>}
      {creating.failure && <Notice kind="error">{creating.failure}</Notice>}
      {table && (
        <>
          <fieldset className={styles.told} disabled={creating.busy}>
            <Questions questions={table.questions} answers={told} onAnswer={say} />
            <Columns columns={table.columns} chosen={told.columns} onChange={(columns) => say({ columns })} />
          </fieldset>
          <p role="status">
            <strong>{table.file.name}</strong>:{' '}
            {[
              created > 0 && `${created} angelegt`,
              waiting.length > 0 && `${waiting.length} neu`,
              known > 0 && `${known} schon da`,
              wrong > 0 && `${wrong} mit Fehlern`,
            ]
              .filter(Boolean)
              .join(', ') || 'keine Events'}
          </p>
          <ImportedRows rows={rows} outcomes={outcomes} today={today} />
        </>
      )}
    </AdminFrame>
  );
}

/** The rows of a table, each with its mistakes or its result. */
export function ImportedRows({ rows, outcomes, today }: { rows: ImportedRow[]; outcomes: Outcomes; today: string }) {
  return (
    <ol className={`bare ${styles.rows}`}>
      {rows.map((row) => (
        <Row key={row.line} row={row} outcome={outcomes[row.key]} today={today} />
      ))}
    </ol>
  );
}

function Row({ row, outcome, today }: { row: ImportedRow; outcome: Outcome | undefined; today: string }) {
  const { line, title, start_date, end_date, mistakes, known } = row;
  const days =
    isEventDay(start_date) && isEventDay(end_date)
      ? formatDaysShort(start_date, end_date)
      : [...new Set([start_date, end_date])].join(' – ');
  const details = [days, row.template, row.customer, row.order_number, row.host_email].filter(Boolean).join(' · ');
  const doubt = isNew(row) && !outcome && doubtOf({ ...EMPTY_FORM, start_date, end_date }, EMPTY_FORM, 0, today);
  return (
    <li className={`${styles.row} ${mistakes.length > 0 || (outcome && 'failure' in outcome) ? styles.wrong : ''}`}>
      <span className={styles.line}>Zeile {line}</span>
      <div className={styles.what}>
        <strong>{title || '(ohne Titel)'}</strong>
        <span className="soft">{details}</span>
        {mistakes.map(({ column, text }) => (
          <span key={column} className={styles.mistake}>
            <strong>{column}:</strong> {text}
          </span>
        ))}
        {doubt && <span className={styles.doubt}>{doubt}</span>}
        {outcome && 'failure' in outcome && <span className={styles.mistake}>{outcome.failure}</span>}
        {outcome && 'created' in outcome && <Created event={outcome.created} />}
      </div>
      <span className={styles.state}>
        {outcome && 'created' in outcome ? (
          'angelegt'
        ) : known !== null ? (
          <a href={`/admin?suche=${known}`}>gibt es schon</a>
        ) : isNew(row) ? (
          'neu'
        ) : (
          ''
        )}
      </span>
    </li>
  );
}

/** Returns the link of an invitation without a mail, which is shown only once; null if there is none. */
function linkToPassOn({ invitation }: CreatedEvent, origin: string): string | null {
  return invitation?.link === undefined || invitation.mailed ? null : new URL(invitation.link, origin).href;
}

/** Tells whether the server's first answer, which alone had the link, was lost. */
const isLinkLost = ({ invitation, invitation_state: state }: CreatedEvent): boolean => invitation === undefined && state?.state === 'open';

function Created({ event }: { event: CreatedEvent }) {
  const { code, invitation } = event;
  // A repeated answer has no invitation, although its mail waits.
  const isMailed = invitation?.mailed ?? event.invitation_state?.state === 'waiting';
  const link = linkToPassOn(event, useOrigin());
  return (
    <span>
      <a translate="no" href={`/admin?suche=${code}`}>
        {code}
      </a>
      {isMailed && ' · Einladung geht hinaus; ob sie ankommt, steht beim Event'}
      {isLinkLost(event) && ` · ${LINK_LOST}`}
      {link !== null && (
        <>
          {' '}
          · Einladung zum Weitergeben, nur jetzt: <code>{link}</code>
        </>
      )}
    </span>
  );
}
