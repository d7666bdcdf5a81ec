import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formatInstant } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { useAction } from '../../ui/use-form.ts';
import styles from './dashboard.module.css';

/** A program's access to the event's photos, for the few hosts who look for it. */
export function ProgramAccess({ code }: { code: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.program} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Für Programme</summary>
      {open && <Access code={code} />}
    </details>
  );
}

/** Makes the access, shows its token only once, and ends it. */
function Access({ code }: { code: string }) {
  const params = { ref: code };
  const query = queryOptions({ queryKey: ['program', code], queryFn: () => call('GET /api/events/:ref/program', { params }) });
  const access = useQuery(query);
  const { refetch } = access;
  const [token, setToken] = useState<string | null>(null);
  const { busy, failure, run } = useAction();

  const make = () =>
    run(async () => {
      setToken(null);
      try {
        setToken((await call('POST /api/events/:ref/program', { params })).token);
      } finally {
        // A call without an answer may also have replaced the earlier access.
        await refetch();
      }
    });
  const end = () =>
    run(async () => {
      await call('DELETE /api/events/:ref/program', { params });
      setToken(null);
      await refetch();
    });

  return (
    <div className={styles.programBody}>
      <p className="soft">
        Ein Programm mit diesem Zugang, etwa zum Sichern bei Ihnen zu Hause, liest alle Fotos dieses Events und sonst nichts. Er endet mit
        dem Event.
      </p>
      {token && <ShownOnce key={token} what="Token" value={token} hint="Bitte tragen Sie es jetzt im Programm ein." />}
      {failure && <Notice kind="error">{failure}</Notice>}
      <Loaded query={access}>
        {({ since, last_used_at }) => (
          <>
            {since && (
              <p>
                Angelegt am {formatInstant(since)}.{' '}
                {last_used_at ? `Zuletzt benutzt am ${formatInstant(last_used_at)}.` : 'Noch nicht benutzt.'}
              </p>
            )}
            <div className={styles.programButtons}>
              <Button look="secondary" busy={busy} onClick={() => void make()}>
                {since ? 'Neuer Zugang' : 'Zugang anlegen'}
              </Button>
              {since && (
                <Button look="quiet" busy={busy} onClick={() => void end()}>
                  Beenden
                </Button>
              )}
            </div>
            {since && <p className="soft">Ein neuer Zugang beendet den bisherigen.</p>}
          </>
        )}
      </Loaded>
    </div>
  );
}
