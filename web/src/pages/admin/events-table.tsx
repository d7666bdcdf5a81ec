import { GB } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { eventStatus } from '@feierbild/contract/event-status.ts';
import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { formatBytes, formatDay, formatDays, formatNumber } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import styles from './admin.module.css';

const ZIP = { idle: 'keins', processing: 'wird erstellt', complete: 'fertig', failed: 'fehlgeschlagen' };

export interface RowActions {
  edit(event: AdminEvent): void;
  createUser(event: AdminEvent): void;
  resetPassword(event: AdminEvent): void;
  remove(event: AdminEvent): void;
}

interface EventsTableProps {
  events: AdminEvent[];
  now: number;
  expanded: ReadonlySet<string>;
  onToggle(id: string): void;
  actions: RowActions;
}

/** All events, a line each; a line opens to its details and actions. */
export function EventsTable({ events, now, expanded, onToggle, actions }: EventsTableProps) {
  return (
    // What scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroll} role="region" aria-label="Events" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Status</th>
            <th scope="col">Code</th>
            <th scope="col">Datum</th>
            <th scope="col" className={styles.number}>
              Fotos
            </th>
            <th scope="col" className={styles.number}>
              Speicher
            </th>
            <th scope="col">Löschung</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => {
            const open = expanded.has(event.id);
            return (
              <Fragment key={event.id}>
                <tr>
                  <th scope="row">
                    <button type="button" className={styles.expand} aria-expanded={open} onClick={() => onToggle(event.id)}>
                      <ChevronRight size={18} aria-hidden="true" className={open ? styles.turned : ''} />
                      <span>{event.title}</span>
                    </button>
                  </th>
                  <td>
                    <StatusBadge event={event} now={now} />
                  </td>
                  <td className={styles.mono}>{event.code}</td>
                  <td>{formatDays(event.start_date, event.end_date)}</td>
                  <td className={styles.number}>{formatNumber(event.storage.photos.count)}</td>
                  <td className={styles.number}>
                    {formatBytes(event.storage_stats.total_size)}
                    <span className={styles.soft}>
                      {' '}
                      / {event.storage_limit === 'unlimited' ? 'unbegrenzt' : formatBytes(event.storage_limit * GB)}
                    </span>
                  </td>
                  <td>{formatDay(event.deletion_date)}</td>
                </tr>
                {open && (
                  <tr className={styles.details}>
                    <td colSpan={7}>
                      <Details event={event} actions={actions} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function StatusBadge({ event, now }: { event: AdminEvent; now: number }) {
  const { label, colour } = eventStatus(event, now);
  return <span className={`${styles.badge} ${styles[colour]}`}>{label}</span>;
}

function Details({ event, actions }: { event: AdminEvent; actions: RowActions }) {
  const facts: [string, string][] = [
    ['Untertitel', event.subtitle || '–'],
    ['Geräte', formatNumber(event.device_count)],
    ['Fotos', formatNumber(event.storage.photos.count)],
    ['Videos', formatNumber(event.storage.videos.count)],
    ['Belegt', formatBytes(event.storage_stats.total_size)],
    ['ZIP', event.zip_status === 'processing' ? `${ZIP.processing} (${event.zip_progress} %)` : ZIP[event.zip_status]],
    ['Zugang', event.user?.username ?? 'noch keiner'],
    ['Letzter Tag der Fotos', formatDay(event.deletion_date)],
  ];
  return (
    <div className={styles.detail}>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.actions}>
        {!event.purged_at && (
          <Button look="secondary" onClick={() => actions.edit(event)}>
            Bearbeiten
          </Button>
        )}
        {!event.purged_at && !event.user && (
          <Button look="secondary" onClick={() => actions.createUser(event)}>
            Zugang erstellen
          </Button>
        )}
        {event.user && (
          <Button look="secondary" onClick={() => actions.resetPassword(event)}>
            Passwort zurücksetzen
          </Button>
        )}
        <Button look="quiet" className={styles.remove} onClick={() => actions.remove(event)}>
          Löschen
        </Button>
      </div>
    </div>
  );
}
