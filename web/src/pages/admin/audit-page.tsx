import { auditText } from '@feierbild/contract/audit-texts.ts';
import type { AuditEntry } from '@feierbild/contract/calls/admins.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formatInstant } from '../../lib/format.ts';
import { Empty } from '../../ui/empty.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { AdminFrame } from './admin-frame.tsx';
import styles from './audit.module.css';
import { Loaded } from '../../ui/loaded.tsx';

/** /admin/protokoll: the audit trail, the newest first. */
export default function AuditPage() {
  const [code, setCode] = useState('');
  const event = code.length === 8 ? code : undefined;
  const query = useInfiniteQuery({
    queryKey: ['audit', event],
    queryFn: ({ pageParam }) => call('GET /admin/audit', { query: { ...(event && { event }), ...(pageParam && { before: pageParam }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

  return (
    <AdminFrame
      title="Protokoll"
      lead="Anmeldungen, Rücksetzungen und Löschungen. Adressen werden nach 7 Tagen gekürzt, Einträge nach 12 Monaten gelöscht."
      className={styles.page}
    >
      <div className={styles.filter}>
        <CodeField value={code} onChange={setCode} counter="filled" />
      </div>
      <Loaded query={query}>
        {({ pages }) =>
          pages[0]?.entries.length === 0 ? (
            <Empty>
              {event ? 'Zu diesem Event gibt es keinen Eintrag.' : 'Noch kein Eintrag. Was in der Verwaltung geschieht, steht hier.'}
            </Empty>
          ) : (
            <ol className={styles.list}>
              {pages.flatMap(({ entries }) => entries.map((entry) => <AuditLine key={entry.id} entry={entry} />))}
            </ol>
          )
        }
      </Loaded>
      {query.hasNextPage && (
        <div>
          <Button look="secondary" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Ältere Einträge zeigen
          </Button>
        </div>
      )}
    </AdminFrame>
  );
}

const ACTORS: Record<string, string> = {
  host: 'Gastgeber',
  projector: 'Gesperrte Slideshow',
  helper: 'Hilfe des Gastgebers',
  system: 'Feierbild',
  cli: 'Befehl am Server',
  unknown: 'Unbekannt',
};

/** One line of the audit trail. */
export function AuditLine({ entry: { at, actor, action, event_code, address, account } }: { entry: AuditEntry }) {
  const admin = /^admin:(.*)$/.exec(actor)?.[1];
  const assistant = /^assistant:(.*)$/.exec(actor)?.[1];
  const token = /^token:(.*)$/.exec(actor)?.[1];
  return (
    <li>
      <time dateTime={at}>{formatInstant(at)}</time>
      <strong>{auditText({ action, account })}</strong>
      <span>{admin ?? (assistant && `${assistant} (Helfer)`) ?? (token && `Token „${token}“`) ?? ACTORS[actor] ?? actor}</span>
      <span className={styles.code}>{event_code}</span>
      <span className="soft">{address}</span>
    </li>
  );
}
