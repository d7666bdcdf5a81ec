import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { plural } from '../../lib/format.ts';
import { recall, remember } from '../../lib/storage.ts';
import { Button } from '../../ui/button.tsx';
import type { RowActions } from './event-details.tsx';
import styles from './events-list.module.css';
import { EventsTable } from './events-table.tsx';
import { EVERYTHING, selectEvents, STATUS_FILTERS, type StatusFilter } from './list-query.ts';
import { useListQuery } from './use-list-query.ts';

interface EventsListProps {
  events: AdminEvent[];
  /** When the events were read, ms since 1970. */
  now: number;
  actions: RowActions;
}

/** The events with their search, filter and order. */
export function EventsList({ events, now, actions }: EventsListProps) {
  const [query, change] = useListQuery();
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(readExpanded);
  const { status } = query;
  const { by, direction } = query.order ?? {};
  // The field is updated at once; the rows follow when the browser has time.
  const search = useDeferredValue(query.search);
  const shown = useMemo(
    () => selectEvents(events, { search, status, order: by && direction ? { by, direction } : null }, now),
    [events, search, status, by, direction, now],
  );

  const toggle = useCallback((id: string) => {
    setExpanded((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  useEffect(() => remember('expandedEvents', JSON.stringify([...expanded])), [expanded]);

  if (events.length === 0) {
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
            placeholder="Titel, Code oder Gastgeber suchen"
            value={query.search}
            onChange={({ target }) => change({ search: target.value })}
          />
        </label>
        <label>
          <span className="visually-hidden">Status</span>
          <select value={status} onChange={({ target }) => change({ status: target.value as StatusFilter })}>
            {Object.entries(STATUS_FILTERS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <span className={styles.soft} role="status">
          {filtered && plural(shown.length, '1 Event gefunden', '# Events gefunden')}
        </span>
      </div>
      {shown.length > 0 ? (
        <EventsTable
          events={shown}
          now={now}
          order={query.order}
          onOrder={(order) => change({ order })}
          expanded={expanded}
          onToggle={toggle}
          actions={actions}
        />
      ) : (
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
