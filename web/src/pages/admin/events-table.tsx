import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { eventStatus, isDeletionNear } from '@feierbild/contract/event-status.ts';
import { ArrowDown, ArrowUp, ArrowUpDown, ChevronRight } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatNumber, plural } from '../../lib/format.ts';
import { formatDaysShort } from '../../lib/german-format.ts';
import { allowedStorage, deletionOf, EventDetails, zipState, type RowActions } from './event-details.tsx';
import styles from './events-table.module.css';
import { isUndelivered } from './invitation-state.ts';
import { nextOrder, type Order, type SortKey } from './list-query.ts';
import type { Picking } from './many-events.tsx';

interface Column {
  name: string;
  sort?: SortKey;
  number?: true;
  className?: string | undefined;
  /** Renders the cell of an event. */
  cell(event: AdminEvent, now: number): ReactNode;
}

/** The columns after title and status. */
const COLUMNS: Column[] = [
  { name: 'Code', className: styles.mono, cell: ({ code }) => <span translate="no">{code}</span> },
  { name: 'Datum', sort: 'beginn', className: styles.day, cell: ({ start_date, end_date }) => formatDaysShort(start_date, end_date) },
  {
    name: 'Fotos',
    number: true,
    cell: ({ storage: { photos, videos } }) => (
      <>
        {formatNumber(photos.count)}
        {videos.count > 0 && <span className={styles.besides}>{plural(videos.count, '1 Video', '# Videos')}</span>}
      </>
    ),
  },
  {
    name: 'Speicher',
    sort: 'speicher',
    number: true,
    cell: (event) => (
      <>
        {formatBytes(event.storage_stats.total_size)}
        <span className="soft"> / {allowedStorage(event)}</span>
      </>
    ),
  },
  {
    name: 'ZIP',
    cell: (event) => (
      <>
        {zipState(event)}
        {event.zip_downloaded_at !== null && <span className={styles.besides}>{event.unsaved ? 'nicht ganz geladen' : 'geladen'}</span>}
      </>
    ),
  },
  { name: 'Geräte', number: true, cell: ({ device_count }) => formatNumber(device_count) },
  {
    name: 'Löschung',
    sort: 'loeschung',
    cell: (event, now) => (
      <>
        {deletionOf(event, (day) => formatDaysShort(day, day))}
        <DeletionMark event={event} today={berlinDay(now)} />
      </>
    ),
  },
];
const HEADS: Omit<Column, 'cell'>[] = [{ name: 'Event', sort: 'titel' }, { name: 'Status' }, ...COLUMNS];

/** Marks an event whose photos are deleted within a week, and whether the host has saved them. */
function DeletionMark({ event, today }: { event: AdminEvent; today: string }) {
  if (event.purged_at !== null || !isDeletionNear(event, today)) return null;
  const { unsaved, zip_downloaded_at } = event;
  const missing = zip_downloaded_at === null ? 'bald, ZIP nicht geladen' : 'bald, ZIP nicht ganz geladen';
  return <span className={`${styles.besides} ${unsaved ? styles.urgent : ''}`}>{unsaved ? missing : 'bald'}</span>;
}

interface EventsTableProps extends Picking {
  events: AdminEvent[];
  now: number;
  order: Order | null;
  onOrder(order: Order | null): void;
  expanded: ReadonlySet<string>;
  onToggle(id: string): void;
  actions: RowActions;
}

/**
 * The events as lines, on a phone as cards; a line opens to its details and actions. Roles replace a table's elements, because
 * browsers can't skip the rendering of a table's rows off the screen.
 */
export function EventsTable({ events, now, order, onOrder, expanded, onToggle, actions, picked, pick }: EventsTableProps) {
  const ids = events.map(({ id }) => id);
  return (
    <div role="table" aria-label="Events" aria-colcount={HEADS.length} className={styles.table}>
      <div role="rowgroup" className={styles.tableHead}>
        <div role="row" className={styles.line}>
          {HEADS.map(({ name, sort, number }) => {
            const direction = sort && order?.by === sort ? order.direction : 'none';
            const Icon = SORT_ICONS[direction];
            return (
              <div
                key={name}
                role="columnheader"
                className={`${number ? styles.number : ''} ${sort ? '' : styles.unsorted}`}
                aria-sort={sort && direction}
              >
                {name === 'Event' && (
                  <PickBox name="Alle gezeigten auswählen" checked={ids.every((id) => picked.has(id))} onChange={(on) => pick(ids, on)} />
                )}
                {sort ? (
                  <button type="button" className={styles.sort} onClick={() => onOrder(nextOrder(order, sort))}>
                    {name}
                    <Icon size={16} className={direction === 'none' ? styles.unordered : undefined} />
                  </button>
                ) : (
                  name
                )}
              </div>
            );
          })}
        </div>
      </div>
      <div role="rowgroup" className={styles.rows}>
        {events.map((event) => (
          <EventRow
            key={event.id}
            event={event}
            now={now}
            open={expanded.has(event.id)}
            isPicked={picked.has(event.id)}
            {...{ onToggle, actions, pick }}
          />
        ))}
      </div>
    </div>
  );
}

/** The check box of an event, or of all shown events. */
function PickBox({ name, checked, onChange }: { name: string; checked: boolean; onChange(on: boolean): void }) {
  return (
    <label className={styles.pick}>
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} aria-label={name} />
    </label>
  );
}

const SORT_ICONS = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown };

interface EventRowProps extends Pick<EventsTableProps, 'now' | 'onToggle' | 'actions' | 'pick'> {
  event: AdminEvent;
  open: boolean;
  isPicked: boolean;
}

/** An event's line, rendered again only after a change, because the list has hundreds. */
const EventRow = memo(function EventRow({ event, now, open, isPicked, onToggle, actions, pick }: EventRowProps) {
  const { label, colour } = eventStatus(event, now);
  return (
    <div className={`${styles.event} ${open ? styles.opened : ''}`}>
      <div role="row" className={styles.line}>
        <div role="rowheader" className={styles.title}>
          <PickBox name={`${event.title} auswählen`} checked={isPicked} onChange={(on) => pick([event.id], on)} />
          <button type="button" className={styles.expand} aria-expanded={open} onClick={() => onToggle(event.id)}>
            <ChevronRight size={18} className={open ? styles.turned : ''} />
            <span>
              <span translate="no">{event.title}</span>
              {!event.with_user_upload && event.purged_at === null && <span className={styles.besides}>Upload geschlossen</span>}
              {isUndelivered(event) && <span className={`${styles.besides} ${styles.urgent}`}>Einladung nicht zugestellt</span>}
            </span>
          </button>
        </div>
        <div role="cell" className={styles.status}>
          <span className={`${styles.badge} ${styles[colour]}`}>{label}</span>
        </div>
        {COLUMNS.map(({ name, number, className, cell }) => (
          <div key={name} role="cell" className={number ? styles.number : className} data-label={name}>
            {cell(event, now)}
          </div>
        ))}
      </div>
      {open && (
        <div role="row" className={styles.details}>
          <div role="cell" aria-colspan={HEADS.length}>
            <EventDetails event={event} actions={actions} />
          </div>
        </div>
      )}
    </div>
  );
});
