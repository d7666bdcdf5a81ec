import { QR_SIZE_CREDENTIALS } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { Copy } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useRef } from 'react';
import { useEventUrl } from '../../lib/event-url.ts';
import { formatBytes, formatDays, formatInstant, formatNumber } from '../../lib/format.ts';
import { useCopy } from '../../lib/use-copy.ts';
import { Button } from '../../ui/button.tsx';
import { useTask } from '../../ui/use-task.ts';
import { allowedStorage, deletionOf, zipState } from './event-facts.ts';
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

/** How guests get in: QR code, address and password, to copy. */
export function GuestAccess({ event }: { event: AdminEvent }) {
  const url = useEventUrl()(event.code);
  const { notice, copy } = useCopy();
  const address = useRef<HTMLElement>(null);
  const password = useRef<HTMLElement>(null);
  return (
    <section className={styles.guests} aria-label="Zugang der Gäste">
      <div className={styles.qr}>
        <QRCodeSVG value={url} size={QR_SIZE_CREDENTIALS} title={`QR-Code zum Event ${event.title}`} />
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Adresse für Gäste</dt>
          <dd ref={address}>{url}</dd>
        </div>
        {event.user_upload_password && (
          <div>
            <dt>Passwort für Gäste</dt>
            <dd ref={password}>{event.user_upload_password}</dd>
          </div>
        )}
      </dl>
      <div className={styles.actions}>
        <Button look="secondary" onClick={() => void copy(url, 'Link kopiert', address.current)}>
          <Copy size={20} /> Link kopieren
        </Button>
        {event.user_upload_password && (
          <Button look="secondary" onClick={() => void copy(event.user_upload_password ?? '', 'Passwort kopiert', password.current)}>
            <Copy size={20} /> Passwort kopieren
          </Button>
        )}
        <span role="status">{notice}</span>
      </div>
    </section>
  );
}
