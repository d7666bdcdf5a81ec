import { berlinDay } from '@feierbild/contract/berlin.ts';
import { GB, QR_SIZE_CREDENTIALS } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { Copy } from 'lucide-react';
import { useRef } from 'react';
import { useEventUrl, useOrigin } from '../../lib/event-url.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatDay, formatDays, formatInstant, formatNumber } from '../../lib/format.ts';
import { useCopy } from '../../lib/use-copy.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-form.ts';
import styles from './event-details.module.css';
import { accessOf } from './invitation-state.ts';
import { printPath } from './many-events.tsx';
import { QrBox } from '../../ui/qr-box.tsx';

/** A dialog about an event. */
export type EventDialog =
  | { kind: 'form'; event: AdminEvent }
  | { kind: 'like'; event: AdminEvent }
  | { kind: 'reset' | 'remove'; event: AdminEvent };

export interface RowActions {
  /** Whether all actions are offered; assistants may only edit an event and create a similar one. */
  isAdmin: boolean;
  open(dialog: EventDialog): void;
  /** Creates the host's access. Throws ApiError, as `invite` does. */
  createUser(event: AdminEvent): Promise<unknown>;
  /** Creates the link by which the host sets the password. */
  invite(event: AdminEvent): Promise<unknown>;
}

/** The expanded row: access of host and guests, actions, and all data of the event. */
export function EventDetails({ event, actions }: { event: AdminEvent; actions: RowActions }) {
  const { storage, subtitle, customer, order_number, note, zip_downloaded_at, unsaved } = event;
  return (
    <div className={styles.detail}>
      <DescriptionList
        className={styles.list}
        items={[
          ['Gastgeber', hostOf(event)],
          ['Zugang', accessOf(event)],
        ]}
      />
      <EventActions event={event} actions={actions} />
      {!event.purged_at && <GuestAccess event={event} />}
      <DescriptionList
        className={`${styles.list} ${styles.repeated}`}
        items={[
          ['Untertitel', subtitle || null],
          ['Code', event.code],
          ['Datum', formatDays(event.start_date, event.end_date)],
          ['Geräte', formatNumber(event.device_count)],
          ['Fotos', formatNumber(storage.photos.count)],
          ['Videos', formatNumber(storage.videos.count)],
          [
            'Belegt',
            `${formatBytes(event.storage_stats.total_size)}${event.storage_limit === 'unlimited' ? ', ' : ' von '}${allowedStorage(event)}`,
          ],
          ['ZIP', zipState(event)],
          ['Letzter Tag der Fotos', deletionOf(event)],
          [
            'ZIP geladen',
            zip_downloaded_at === null
              ? 'noch nicht'
              : `am ${formatInstant(zip_downloaded_at)}${unsaved ? ', aber nicht mit allen Fotos' : ''}`,
          ],
          ['Kunde', customer || null],
          ['Auftragsnummer', order_number || null],
          ['Notiz', note === '' ? null : <span className={styles.note}>{note}</span>],
        ]}
      />
    </div>
  );
}

function EventActions({ event, actions }: { event: AdminEvent; actions: RowActions }) {
  const { busy, failure, run } = useAction();
  return (
    <>
      {failure && <Notice kind="error">{failure}</Notice>}
      <div className={styles.actions}>
        {!event.purged_at && (
          <>
            <Button look="secondary" onClick={() => actions.open({ kind: 'form', event })}>
              Bearbeiten
            </Button>
            <ButtonLink look="secondary" href={printPath('karten', [event])}>
              Karten
            </ButtonLink>
            <ButtonLink look="secondary" href={printPath('zettel', [event])}>
              Zettel
            </ButtonLink>
          </>
        )}
        {!event.purged_at && actions.isAdmin && (
          <>
            <Button look="secondary" busy={busy} onClick={() => void run(() => actions.invite(event))}>
              {event.user || event.invited_until ? 'Neu einladen' : 'Einladen'}
            </Button>
            {event.user ? (
              <Button look="secondary" onClick={() => actions.open({ kind: 'reset', event })}>
                Passwort zurücksetzen
              </Button>
            ) : (
              <Button look="secondary" busy={busy} onClick={() => void run(() => actions.createUser(event))}>
                Zugang erstellen
              </Button>
            )}
          </>
        )}
        <Button look="secondary" onClick={() => actions.open({ kind: 'like', event })}>
          Wie dieses
        </Button>
        {actions.isAdmin && (
          <Button look="quiet" className={styles.remove} onClick={() => actions.open({ kind: 'remove', event })}>
            Löschen
          </Button>
        )}
      </div>
    </>
  );
}

/** Names the host: `Lena und Tom, lena@example.org`. */
function hostOf({ host }: AdminEvent): string {
  return host === null ? 'keine Adresse' : [host.name, host.email].filter(Boolean).join(', ');
}

/** The guests' access: QR code, and address and password to copy. */
function GuestAccess({ event: { code, title, user_upload_password, with_fotobox } }: { event: AdminEvent }) {
  const [origin, url] = [useOrigin(), useEventUrl()(code)];
  const { notice, copy } = useCopy();
  const shown = useRef<Record<string, HTMLElement | null>>({});
  const ways = [
    { what: 'Link', name: 'Adresse für Gäste', value: url },
    { what: 'Passwort', name: 'Passwort für Gäste', value: user_upload_password ?? '' },
    { what: 'Fotobox-Adresse', name: 'Adresse für Fotoboxen', value: with_fotobox ? `${origin}/dav/${code}/` : '' },
  ].filter(({ value }) => value !== '');
  return (
    <section className={styles.guests} aria-label="Zugang der Gäste">
      <QrBox value={url} size={QR_SIZE_CREDENTIALS} title={`QR-Code zum Event ${title}`} />
      <DescriptionList
        className={styles.list}
        items={ways.map(({ what, name, value }) => [
          name,
          <span key={what} ref={(element) => void (shown.current[what] = element)}>
            {value}
          </span>,
        ])}
      />
      <div className={styles.actions}>
        {ways.map(({ what, value }) => (
          <Button key={what} look="secondary" onClick={() => void copy(value, `${what} kopiert`, shown.current[what] ?? null)}>
            <Copy size={20} /> {what} kopieren
          </Button>
        ))}
        <span role="status">{notice}</span>
      </div>
    </section>
  );
}

const ZIP = { idle: 'keins', processing: 'wird erstellt', complete: 'fertig', failed: 'fehlgeschlagen' };

/** Names the ZIP's state: `fertig`, `wird erstellt (40 %)`. */
export function zipState({ zip_status, zip_progress }: AdminEvent): string {
  return zip_status === 'processing' ? `${ZIP.processing} (${zip_progress}\u00a0%)` : ZIP[zip_status];
}

/** Names the allowed storage: `5 GB`, or `unbegrenzt`. */
export function allowedStorage({ storage_limit }: AdminEvent): string {
  return storage_limit === 'unlimited' ? 'unbegrenzt' : formatBytes(storage_limit * GB);
}

/** Names the last day of the photos, or the day of their deletion: `gelöscht am 17. Mai 2026`. */
export function deletionOf({ purged_at, deletion_date }: AdminEvent, format = formatDay): string {
  return purged_at ? `gelöscht am ${format(berlinDay(Date.parse(purged_at)))}` : format(deletion_date);
}
