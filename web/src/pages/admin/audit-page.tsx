import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { Headline } from '../../ui/headline.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { AdminFrame } from './admin-frame.tsx';
import { AuditLine } from './audit-line.tsx';
import styles from './audit.module.css';

/** /admin/protokoll: who did what, the newest first. */
export function AuditPage() {
  const [code, setCode] = useState('');
  const event = code.length === 8 ? code : undefined;
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['audit', event],
    queryFn: ({ pageParam }) => call('GET /admin/audit', { query: { ...(event && { event }), ...(pageParam && { before: pageParam }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

  // Without a session the client is on its way to the login.
  if (isRefusal(error, 'login_required')) return null;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <AdminFrame>
      <div className={styles.page}>
        <div>
          <Headline>Protokoll</Headline>
          <p className="soft">
            Anmeldungen, Rücksetzungen und Löschungen. Adressen werden nach 7 Tagen gekürzt, Einträge nach 12 Monaten gelöscht.
          </p>
        </div>
        <div className={styles.filter}>
          <CodeField value={code} onChange={setCode} counter="filled" />
        </div>
        {error && <Notice kind="error">{messageOf(error)}</Notice>}
        {!data && !error && <Waiting />}
        {data && entries.length === 0 && (
          <p className={styles.empty}>
            {event ? 'Zu diesem Event gibt es keinen Eintrag.' : 'Noch kein Eintrag. Was in der Verwaltung geschieht, steht hier.'}
          </p>
        )}
        {entries.length > 0 && (
          <ol className={styles.list}>
            {entries.map((entry) => (
              <AuditLine key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
        {hasNextPage && (
          <div>
            <Button look="secondary" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Ältere Einträge zeigen
            </Button>
          </div>
        )}
      </div>
    </AdminFrame>
  );
}
