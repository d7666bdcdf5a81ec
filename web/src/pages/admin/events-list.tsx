import { useCallback, useEffect, useState } from 'react';
import { formatNumber, plural } from '../../lib/format.ts';
import { recall, remember } from '../../lib/storage.ts';
import { Button } from '../../ui/button.tsx';
import type { RowActions } from './event-details.tsx';
import styles from './events-list.module.css';
import { EventsTable } from './events-table.tsx';
import type { useEvents } from './queries.ts';
import { EVERYTHING, STATUS_FILTERS, type ListQuery, type StatusFilter } from './list-query.ts';

interface EventsListProps {
  /** As it is being typed. */
  query: ListQuery;
  onChange(wanted: Partial<ListQuery>): void;
  events: ReturnType<typeof useEvents>;
  actions: RowActions;
}

/** The events with their search, filter and order. */
export function EventsList({ query, onChange: change, events, actions }: EventsListProps) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(readExpanded);
  const { search, status } = query;
  const { found, hasNextPage, isFetchingNextPage, isPlaceholderData } = events;

  const toggle = useCallback((id: string) => {
    setExpanded((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  useEffect(() => remember('expandedEvents', JSON.stringify([...expanded])), [expanded]);

  if (found?.all === 0) {
    return <p className={styles.empty}>Noch kein Event. Legen Sie mit „Event erstellen“ das erste an.</p>;
  }
  const filtered = search.trim() !== '' || status !== 'alle';
  return (
    <>
      <div className={styles.tools}>
        <label className={styles.search}>
          <span className="visually-hidden">Suchen</span>
          <input
            type="search"
            placeholder="Titel, Code oder Tag suchen"
            value={search}
            onChange={({ target }) => change({ search: target.value })}
          />
        </label>
        <label>
          <span className="visually-hidden">Status</span>
          <select value={status} onChange={({ target }) => change({ status: target.value as StatusFilter })}>
            {Object.entries(STATUS_FILTERS).map(([value, { label }]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <span className="soft" role="status">
          {/* Not of the query before. */}
          {filtered && found && !isPlaceholderData && plural(found.found, '1 Event gefunden', '# Events gefunden')}
        </span>
      </div>
      {found && found.events.length > 0 && (
        <EventsTable
          events={found.events}
          now={events.dataUpdatedAt}
          order={query.order}
          onOrder={(order) => change({ order })}
          expanded={expanded}
          onToggle={toggle}
          actions={actions}
        />
      )}
      {hasNextPage && found && (
        <div className={styles.more}>
          <Button look="secondary" busy={isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
            Weitere Events zeigen
          </Button>
          <span className="soft">
            {formatNumber(found.events.length)} von {formatNumber(found.found)}
          </span>
        </div>
      )}
      {found?.events.length === 0 && (
        <div className={styles.empty}>
          <p>Kein Event passt dazu.</p>
          <Button look="secondary" onClick={() => change({ ...EVERYTHING, order: query.order })}>
            Alle Events zeigen
          </Button>
        </div>
      )}
    </>
  );
}

function readExpanded(): Set<string> {
  try {
    const ids: unknown = JSON.parse(recall('expandedEvents') ?? '[]');
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    return new Set();
  }
}
