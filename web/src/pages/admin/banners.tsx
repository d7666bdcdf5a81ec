import { queryOptions } from '@tanstack/react-query';
import { DISK_SCARCE, DISK_TOO_LITTLE } from '@feierbild/contract/constants.ts';
import { ChevronRight, CircleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatAge, formatBytes, formatInstant, plural } from '../../lib/format.ts';
import { call } from '../../api/client.ts';
import { recall, remember } from '../../lib/storage.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FirstStart } from './settings/first-start.tsx';
import styles from './banners.module.css';
import { Changes } from './papers/changes.tsx';

const readStatus = () => call('GET /admin/status');
export type Status = Omit<Awaited<ReturnType<typeof readStatus>>, 'username'>;

/** Who is logged in, and what of the installation should not stay as it is. */
export const statusQuery = queryOptions({ queryKey: ['status'], queryFn: readStatus });

/** Kept in this browser: the questions of the first start were put off. */
const LATER = 'firstStartLater';

/** A daily backup that is older was not taken, ms. */
const OLD_BACKUP_MS = 2 * 24 * 60 * 60 * 1000;

interface BannersProps {
  status: Status;
  /** When it was read, ms since 1970. */
  now: number;
  /** Whether any event has photos, which a backup would save. */
  photos: boolean;
  onPassword(): void;
  /** The first questions were answered. */
  onSetUp(): void;
  onClockRight(): void;
}

/** Warnings about the installation that the operator should act on: what is wrong now, then what was not set up yet. */
export function Banners({ status, now, photos, onPassword, onSetUp, onClockRight }: BannersProps) {
  const last = status.last_backup_at;
  const [later, setLater] = useState(() => recall(LATER) !== null);
  const asks = status.first_start && !later;
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
      {photos && (last === null || now - Date.parse(last) > OLD_BACKUP_MS) && (
        <Notice kind="warning" permanent>
          <span>
            {last === null ? 'Noch nie wurde gesichert.' : `Die letzte Sicherung war ${backupAge(last, now)}.`} Richten Sie eine tägliche
            Sicherung ein: <code>{status.command} backup &lt;Ordner&gt;</code>
          </span>
        </Notice>
      )}
      {!status.decoder_isolated && (
        <Notice kind="warning" permanent>
          Der Bild-Decoder ist nicht isoliert. Auf Linux hilft das Paket „bubblewrap“.
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
      {asks ? (
        <FirstStart
          onDone={onSetUp}
          onLater={() => {
            remember(LATER, 'true');
            setLater(true);
          }}
        />
      ) : (
        <SetUp status={status} onPassword={onPassword} />
      )}
    </>
  );
}

/** What a new installation still lacks: one line, which opens. */
function SetUp({ status, onPassword }: { status: Status; onPassword(): void }) {
  /** `short`: among others, in one line. */
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
          <Button look="secondary" onClick={onPassword}>
            Passwort ändern
          </Button>
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

/** „Letzte Sicherung: vor 5 Stunden.“; `now` is ms since 1970. */
export function backupText({ last_backup_at: last }: Status, now: number): string {
  return last === null ? 'Noch keine Sicherung.' : `Letzte Sicherung: ${backupAge(last, now)}.`;
}

const backupAge = (last: string, now: number): string => formatAge((now - Date.parse(last)) / 1000);
