import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { eventStatus } from '@feierbild/contract/event-status.ts';
import { ArrowDown, ArrowUp, ArrowUpDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { formatBytes, formatDaysShort, formatNumber, plural } from '../../lib/format.ts';
import { EventDetails, type RowActions } from './event-details.tsx';
import { allowedStorage, deletionOf, zipState } from './event-facts.ts';
import styles from './events-list.module.css';
import { nextOrder, type Order, type SortKey } from './list-query.ts';

const COLUMNS: { name: string; sort?: SortKey; number?: true }[] = [
  { name: 'Event', sort: 'titel' },
  { name: 'Status' },
  { name: 'Code' },
  { name: 'Datum', sort: 'beginn' },
  { name: 'Fotos', number: true },
  { name: 'Speicher', sort: 'speicher', number: true },
  { name: 'ZIP' },
  { name: 'Geräte', number: true },
  { name: 'Löschung', sort: 'loeschung' },
];

interface EventsTableProps {
  events: AdminEvent[];
  now: number;
  order: Order | null;
  onOrder(order: Order | null): void;
  expanded: ReadonlySet<string>;
  onToggle(id: string): void;
  actions: RowActions;
}

/**
 * All events, a line each, on a phone a card each; a line opens to its details and actions. The roles stand in for a table's
 * elements: rows of those can't be left out by the browser while they are off the screen.
 */
export function EventsTable({ events, now, order, onOrder, expanded, onToggle, actions }: EventsTableProps) {
  return (
    <div role="table" aria-label="Events" aria-colcount={COLUMNS.length} className={styles.table}>
      <div role="rowgroup" className={styles.tableHead}>
        <div role="row" className={styles.line}>
          {COLUMNS.map(({ name, sort, number }) => (
            <div
              key={name}
              role="columnheader"
              className={`${number ? styles.number : ''} ${sort ? '' : styles.unsorted}`}
              aria-sort={sort && (order?.by === sort ? order.direction : 'none')}
            >
              {sort ? (
                <button type="button" className={styles.sort} onClick={() => onOrder(nextOrder(order, sort))}>
                  {name}
                  <SortIcon direction={order?.by === sort ? order.direction : null} />
                </button>
              ) : (
                name
              )}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.rows}>
        {events.map((event) => (
          <EventRow key={event.id} event={event} now={now} open={expanded.has(event.id)} onToggle={onToggle} actions={actions} />
        ))}
      </div>
    </div>
  );
}

function SortIcon({ direction }: { direction: Order['direction'] | null }) {
  if (direction === 'ascending') return <ArrowUp size={16} />;
  if (direction === 'descending') return <ArrowDown size={16} />;
  return <ArrowUpDown size={16} className={styles.unordered} />;
}

interface EventRowProps {
  event: AdminEvent;
  now: number;
  open: boolean;
  onToggle(id: string): void;
  actions: RowActions;
}

/** One event; drawn again only where it changed, since hundreds stand in the list. */
const EventRow = memo(function EventRow({ event, now, open, onToggle, actions }: EventRowProps) {
  const { label, colour } = eventStatus(event, now);
  return (
    <div className={styles.event}>
      <div role="row" className={styles.line}>
        <div role="rowheader" className={styles.title}>
          <button type="button" className={styles.expand} aria-expanded={open} onClick={() => onToggle(event.id)}>
            <ChevronRight size={18} className={open ? styles.turned : ''} />
            <span>{event.title}</span>
          </button>
        </div>
        <div role="cell" className={styles.status}>
          <span className={`${styles.badge} ${styles[colour]}`}>{label}</span>
        </div>
        <div role="cell" className={styles.mono} data-label="Code">
          {event.code}
        </div>
        <div role="cell" className={styles.day} data-label="Datum">
          {formatDaysShort(event.start_date, event.end_date)}
        </div>
        <div role="cell" className={styles.number} data-label="Fotos">
          {formatNumber(event.storage.photos.count)}
          {event.storage.videos.count > 0 && (
            <span className={styles.besides}>{plural(event.storage.videos.count, '1 Video', '# Videos')}</span>
          )}
        </div>
        <div role="cell" className={styles.number} data-label="Speicher">
          {formatBytes(event.storage_stats.total_size)}
          <span className="soft"> / {allowedStorage(event)}</span>
        </div>
        <div role="cell" data-label="ZIP">
          {zipState(event)}
        </div>
        <div role="cell" className={styles.number} data-label="Geräte">
          {formatNumber(event.device_count)}
        </div>
        <div role="cell" data-label="Löschung">
          {deletionOf(event, (day) => formatDaysShort(day, day))}
        </div>
      </div>
      {open && (
        <div role="row" className={styles.details}>
          <div role="cell" aria-colspan={COLUMNS.length}>
            <EventDetails event={event} actions={actions} />
          </div>
        </div>
      )}
    </div>
  );
});
