import { BACKUP_LATE, DISK_SCARCE, DISK_TOO_LITTLE } from '@feierbild/contract/constants.ts';
import { ChevronRight, CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatInstant, plural, formatList } from '../../lib/format.ts';
import { formatAge } from '../../lib/german-format.ts';
import { useWhileTyped } from '../../lib/typed-guard.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Status } from './admin-queries.ts';
import { FirstStart } from './settings/first-start.tsx';
import styles from './banners.module.css';
import type { InvitedEvent } from './use-invite.tsx';
import { Changes } from './papers/changes.tsx';

interface BannersProps {
  status: Status;
  /** Time at which the status was read, ms since 1970. */
  now: number;
  /** Whether any event has photos, which a backup would save. */
  photos: boolean;
  /** Called when the first questions were answered, or put off. */
  onSetUp(): void;
  onClockRight(): void;
  onInvite(event: InvitedEvent): void;
}

/** Warnings about the installation that the operator should act on: first present problems, then unfinished set-up. */
export function Banners({ status, now, photos, onSetUp, onClockRight, onInvite }: BannersProps) {
  const last = status.last_backup_at;
  // Another administrator may answer the questions meanwhile.
  const { shown: isFirstStart } = useWhileTyped(status.first_start);
  return (
    <>
      {status.tampered_events.length > 0 && (
        <Notice kind="error" permanent>
          In der Datenbank wurden Schlüssel verändert. Betroffen: {status.tampered_events.join(', ')}. Solange das so ist, werden dort keine
          Fotos angenommen. Was zu tun ist, steht in der Anleitung unter „Veränderte Schlüssel“.
        </Notice>
      )}
      {status.clock_leapt !== null && (
        <Notice kind="warning" permanent>
          <span>
            Die Uhr des Servers ist gesprungen, oder er war länger als eine Woche aus. Solange das nicht geklärt ist, wird nichts gelöscht,
            auch was fällig ist. Der Server hält diese Zeit für richtig: {formatInstant(status.clock_leapt)}.
          </span>
          <span>
            <Button look="secondary" onClick={onClockRight}>
              Die Uhr geht richtig
            </Button>
          </span>
        </Notice>
      )}
      <Undelivered {...status.undelivered} onInvite={onInvite} />
      {status.overdue_purges > 0 && status.clock_leapt === null && (
        <Notice kind="error" permanent>
          {plural(
            status.overdue_purges,
            'Die Fotos eines Events sind seit mehr als einem Tag überfällig',
            'Die Fotos von # Events sind seit mehr als einem Tag überfällig',
          )}{' '}
          und noch nicht gelöscht. Der Dienst versucht es mindestens jede Stunde; bleibt dieser Hinweis, nennt sein Log den Grund
          („retention failed“).
        </Notice>
      )}
      {status.free_bytes < DISK_SCARCE && (
        <Notice kind={status.free_bytes < DISK_TOO_LITTLE ? 'error' : 'warning'} permanent>
          Auf dem Server sind noch {formatBytes(status.free_bytes)} frei.{' '}
          {status.free_bytes < DISK_TOO_LITTLE
            ? 'Schaffen Sie Platz, sonst werden Fotos abgelehnt.'
            : `Ein großes Fest braucht mehr als ${formatBytes(DISK_SCARCE)}.`}
        </Notice>
      )}
      {status.last_backup_missing > 0 && (
        <Notice kind="error" permanent>
          <span>
            {plural(
              status.last_backup_missing,
              'Der letzten Sicherung fehlt eine Datei, die der Fotospeicher nicht hergibt.',
              'Der letzten Sicherung fehlen # Dateien, die der Fotospeicher nicht hergibt.',
            )}{' '}
            Welche, sagt <code>{status.command} backup &lt;Ordner&gt;</code>. Legen Sie sie aus einer anderen Sicherung zurück, oder bitten
            Sie den Gast noch einmal um sein Foto.
          </span>
        </Notice>
      )}
      {photos && (last === null || Math.abs(now - Date.parse(last)) > BACKUP_LATE) && (
        <Notice kind="warning" permanent>
          <span>
            {last === null ? 'Noch nie wurde gesichert.' : `Die letzte Sicherung war ${backupAge(last, now)}.`} Richten Sie eine tägliche
            Sicherung ein: <code>{status.command} backup &lt;Ordner&gt;</code>
          </span>
        </Notice>
      )}
      {status.isolation_fault && (
        <Notice kind="warning" permanent>
          Der Bild-Decoder ist nicht isoliert. Der Grund: {status.isolation_fault.cause}. {status.isolation_fault.remedy}.
        </Notice>
      )}
      {status.paper_changes.length > 0 && (
        <Changes changes={status.paper_changes}>
          <span>
            <ButtonLink href="/admin/datenschutz" look="secondary">
              Zu den Papieren
            </ButtonLink>
          </span>
        </Changes>
      )}
      {isFirstStart ? <FirstStart onDone={onSetUp} /> : <SetUp status={status} />}
    </>
  );
}

/** Mails and webhooks that were given up: first hosts without access, each with a button to invite again. */
function Undelivered({ invitations, mails, webhooks, onInvite }: Status['undelivered'] & Pick<BannersProps, 'onInvite'>) {
  return (
    <>
      {invitations.length > 0 && (
        <Notice kind="error" permanent>
          <strong>
            {plural(invitations.length, 'Eine Einladung wurde nicht zugestellt.', '# Einladungen wurden nicht zugestellt.')} Ohne sie hat
            der Gastgeber keinen Zugang.
          </strong>
          <ul className={`bare ${styles.undelivered}`}>
            {invitations.map((event) => (
              <li key={event.id}>
                <a href={`/admin?suche=${event.code}`}>{event.title}</a>
                {event.answer !== null && <code>{event.answer}</code>}
                <Button look="secondary" aria-label={`Neu einladen: ${event.title}`} onClick={() => onInvite(event)}>
                  Neu einladen
                </Button>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {mails > 0 && (
        <Notice kind="error" permanent>
          <span>
            {plural(mails, 'Eine Mail wurde', '# Mails wurden')} nicht zugestellt. Warum, steht unter{' '}
            <a href="/admin/einstellungen/mail">„Mail“</a>.
          </span>
        </Notice>
      )}
      {webhooks > 0 && (
        <Notice kind="error" permanent>
          <span>
            {plural(webhooks, 'Eine Nachricht an Ihre Webhooks wurde', '# Nachrichten an Ihre Webhooks wurden')} aufgegeben. Warum, steht
            unter <a href="/admin/verbindungen">„Verbindungen“</a>.
          </span>
        </Notice>
      )}
    </>
  );
}

/** The operator's data that should be checked once, with the pages to do so. */
const POINTS: Record<Status['open_points'][number], { name: string; path: string }> = {
  owner: { name: 'Inhaber', path: '/admin/einstellungen' },
  prices: { name: 'Preise', path: '/admin/einstellungen/preise' },
  tax: { name: 'Steuer', path: '/admin/einstellungen' },
  hosting: { name: 'Serverstandort', path: '/admin/einstellungen' },
};
/** The open tasks of a new installation, folded into one line. */
function SetUp({ status }: { status: Status }) {
  /** `short` names the task in the line of several. */
  const tasks: { needed: boolean; short: string; text: ReactNode }[] = [
    {
      needed: status.initial_password,
      short: 'Passwort ändern',
      text: (
        <>
          <span>
            Das erste Verwaltungspasswort ist noch in Gebrauch. Es stand in der Ausgabe oder in den Einstellungen und öffnet den
            Betreiberschlüssel: Bitte ändern Sie es.
          </span>
          <ButtonLink href="/admin/zugang" look="secondary">
            Passwort ändern
          </ButtonLink>
        </>
      ),
    },
    {
      needed: !status.https,
      short: 'https einrichten',
      text: 'PUBLIC_URL ist keine https-Adresse. Außerhalb des eigenen Netzes betreiben Sie Feierbild bitte nur hinter https.',
    },
    {
      needed: status.default_business,
      short: 'Betriebsdaten eintragen',
      text: (
        <>
          <span>Es sind die Daten des Beispielbetriebs eingetragen. Tragen Sie Ihre ein: Sie stehen im Impressum.</span>
          <ButtonLink href="/admin/einstellungen" look="secondary">
            Eintragen
          </ButtonLink>
        </>
      ),
    },
    {
      needed: !status.default_business && status.open_points.length > 0,
      short: `${formatList(status.open_points.map((point) => POINTS[point].name))} ansehen`,
      text: (
        <>
          <span>
            Was hier steht, hat noch niemand geprüft, und es steht in Impressum, AGB und Datenschutzerklärung oder auf der Startseite. Jeder
            Punkt ist erledigt, sobald Sie ihn einmal gespeichert haben.
          </span>
          <span className={styles.points}>
            {status.open_points.map((point) => (
              <ButtonLink key={point} href={POINTS[point].path} look="secondary">
                {POINTS[point].name}
              </ButtonLink>
            ))}
          </span>
        </>
      ),
    },
    {
      needed: status.demo_by_default,
      short: 'Demo ansehen',
      text: (
        <>
          <span>
            Auf Ihrer Startseite steht eine öffentliche Demo, weil nichts anderes eingestellt ist. Festgelegt wird das auf dem Server, in
            seinen Einstellungen (meist <code>feierbild.env</code>): <code>DEMO=on</code> behält sie, <code>DEMO=off</code> nimmt sie mit
            dem nächsten Start weg.
          </span>
          <ButtonLink href="/" look="secondary">
            Startseite
          </ButtonLink>
        </>
      ),
    },
  ].filter(({ needed }) => needed);
  const [first, ...others] = tasks;
  if (!first) return null;
  if (others.length === 0) {
    return (
      <Notice kind="warning" permanent>
        {first.text}
      </Notice>
    );
  }
  return (
    <details className={styles.setUp}>
      <summary>
        <CircleAlert size={20} />
        <span>
          <strong>Noch offen:</strong> {tasks.map(({ short }) => short).join(', ')}
        </span>
        <ChevronRight size={20} className={styles.arrow} />
      </summary>
      <ul>
        {tasks.map(({ short, text }) => (
          <li key={short}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

/** Describes the last backup: „Letzte Sicherung: vor 5 Stunden, ohne 2 Dateien.“ `now` is ms since 1970. */
export function backupText({ last_backup_at: last, last_backup_missing: missing }: Status, now: number): string {
  if (last === null) return 'Noch keine Sicherung.';
  return `Letzte Sicherung: ${backupAge(last, now)}${missing > 0 ? `, ohne ${plural(missing, '1 Datei', '# Dateien')}` : ''}.`;
}

/** The server's clock was ahead if the date is in the future; the browser's own may be a little behind. */
const backupAge = (last: string, now: number): string =>
  Date.parse(last) - now > BACKUP_LATE ? 'laut ihrem Datum in der Zukunft' : formatAge((now - Date.parse(last)) / 1000);
