import { useCallback, useEffect, useState } from 'react';
import { messageOf, type ApiError } from '../../api/client.ts';
import { formatNumber, plural } from '../../lib/format.ts';
import { recall, remember } from '../../lib/storage.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Select } from '../../ui/select.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { RowActions } from './event-details.tsx';
import styles from './events-list.module.css';
import { EventsTable } from './events-table.tsx';
import { DUE_FILTERS, EVERYTHING, STATUS_FILTERS, tablePath, type useEvents } from './list-query.ts';
import { ManyEvents, usePicking } from './many-events.tsx';

/** The events with their search, filter and order. */
export function EventsList({ events, actions }: { events: ReturnType<typeof useEvents>; actions: RowActions }) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(readExpanded);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const { picked, pick } = usePicking();
  const { query, change, found, hasNextPage, isFetchingNextPage, isPlaceholderData } = events;
  const { search, status, due } = query;

  const toggle = useCallback((id: string) => {
    setExpanded((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  useEffect(() => remember('expandedEvents', JSON.stringify([...expanded])), [expanded]);

  if (found?.all === 0) {
    return (
      <Empty>
        <p>Noch kein Event. Legen Sie mit „Event erstellen“ das erste an.</p>
        <a href="/admin/einlesen">Oder viele auf einmal aus einer Tabelle</a>
      </Empty>
    );
  }
  const filtered = search.trim() !== '' || status !== 'alle' || due !== 'alle';
  return (
    <>
      <div className={styles.tools}>
        <label className={styles.search}>
          <span className="visually-hidden">Suchen</span>
          <input
            type="search"
            placeholder="Titel, Kunde, Code oder Tag suchen"
            value={search}
            onChange={({ target }) => change({ search: target.value })}
          />
        </label>
        <Filter name="Status" filters={STATUS_FILTERS} chosen={status} onChoose={(value) => change({ status: value })} />
        <Filter name="ZIP und Löschung" filters={DUE_FILTERS} chosen={due} onChoose={(value) => change({ due: value })} />
        <span className={styles.files}>
          <DownloadLink href={tablePath(query)} onAnswer={setRefused}>
            Als CSV
          </DownloadLink>
          <a href="/admin/einlesen">CSV einlesen</a>
        </span>
        <span className="soft" role="status">
          {/* The count of the previous query is not shown. */}
          {filtered && found && !isPlaceholderData && plural(found.found, '1 Event gefunden', '# Events gefunden')}
        </span>
      </div>
      {refused && <Notice kind="error">{messageOf(refused)}</Notice>}
      {found && found.events.length > 0 && (
        <EventsTable
          events={found.events}
          now={events.dataUpdatedAt}
          order={query.order}
          onOrder={(order) => change({ order })}
          expanded={expanded}
          onToggle={toggle}
          actions={actions}
          picked={picked}
          pick={pick}
        />
      )}
      {found && <ManyEvents events={found.events.filter(({ id }) => picked.has(id))} pick={pick} onChanged={() => events.refetch()} />}
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
        <Empty>
          <p>Kein Event passt dazu.</p>
          <Button look="secondary" onClick={() => change({ ...EVERYTHING, order: query.order })}>
            Alle Events zeigen
          </Button>
        </Empty>
      )}
    </>
  );
}

interface FilterProps<Value extends string> {
  name: string;
  filters: Record<Value, { label: string }>;
  chosen: Value;
  onChoose(value: Value): void;
}

function Filter<Value extends string>({ name, filters, chosen, onChoose }: FilterProps<Value>) {
  const options = (Object.entries(filters) as [Value, { label: string }][]).map(([value, { label }]): [Value, string] => [value, label]);
  return <Select label={name} isLabelHidden value={chosen} options={options} onChange={onChoose} />;
}

function readExpanded(): Set<string> {
  try {
    const ids: unknown = JSON.parse(recall('expandedEvents') ?? '[]');
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    return new Set();
  }
}
