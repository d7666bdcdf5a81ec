import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { formatBytes, formatDays, formatInstant, formatNumber } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { useTask } from '../../ui/use-task.ts';
import { allowedStorage, deletionOf, zipState } from './event-facts.ts';
import { GuestAccess } from './guest-access.tsx';
import styles from './events-list.module.css';

export interface RowActions {
  edit(event: AdminEvent): void;
  createUser(event: AdminEvent): Promise<unknown>;
  resetPassword(event: AdminEvent): void;
  remove(event: AdminEvent): void;
}

/** The expanded row: all facts of the event, the guests' address, and the actions. */
export function EventDetails({ event, actions }: { event: AdminEvent; actions: RowActions }) {
  const { busy, run } = useTask();
  const facts: [string, string][] = [
    ['Untertitel', event.subtitle || '–'],
    ['Code', event.code],
    ['Datum', formatDays(event.start_date, event.end_date)],
    ['Geräte', formatNumber(event.device_count)],
    ['Fotos', formatNumber(event.storage.photos.count)],
    ['Videos', formatNumber(event.storage.videos.count)],
    ['Belegt', `${formatBytes(event.storage_stats.total_size)} von ${allowedStorage(event)}`],
    ['ZIP', zipState(event)],
    ['ZIP geladen', event.zip_downloaded_at === null ? 'noch nicht' : `am ${formatInstant(event.zip_downloaded_at)}`],
    ['Zugang', event.user?.username ?? 'noch keiner'],
    ['Letzter Tag der Fotos', deletionOf(event)],
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
      {!event.purged_at && <GuestAccess event={event} />}
      <div className={styles.actions}>
        {!event.purged_at && (
          <Button look="secondary" onClick={() => actions.edit(event)}>
            Bearbeiten
          </Button>
        )}
        {!event.purged_at && !event.user && (
          <Button look="secondary" busy={busy} onClick={() => void run(() => actions.createUser(event))}>
            Zugang erstellen
          </Button>
        )}
        {!event.purged_at && event.user && (
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
