import type { PapersState } from '@feierbild/contract/calls/compliance.ts';
import { PAPERS } from '@feierbild/contract/paper-names.ts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../../api/client.ts';
import { formatInstant, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useAction } from '../../../ui/use-form.ts';
import { statusQuery } from '../admin-queries.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Changes } from './changes.tsx';
import styles from './papers.module.css';

const papersQuery = queryOptions({ queryKey: ['papers'], queryFn: () => call('GET /admin/papers') });

/** The papers, the data on which they depend, and the changes since the issued AVV. */
export function Overview() {
  const queries = useQueryClient();
  const query = useQuery(papersQuery);
  const { run, busy, failure } = useAction();

  async function issue(hash: string): Promise<void> {
    queries.setQueryData(papersQuery.queryKey, await call('POST /admin/papers/issue', { body: { hash } }));
    await queries.invalidateQueries({ queryKey: statusQuery.queryKey });
  }

  return (
    <Loaded query={query}>
      {(state) => (
        <PapersOverview state={state} onIssue={() => void run(() => issue(state.hash))} busy={busy}>
          {failure && <Notice kind="error">{failure}</Notice>}
        </PapersOverview>
      )}
    </Loaded>
  );
}

interface PapersOverviewProps {
  state: PapersState;
  busy: boolean;
  onIssue(): void;
  children?: ReactNode;
}

export function PapersOverview({ state: { checks, issued, changes, hash }, busy, onIssue, children }: PapersOverviewProps) {
  const [failed, held] = [checks.filter(({ ok }) => !ok), checks.filter(({ ok }) => ok)];
  return (
    <>
      {changes.length > 0 && <Changes changes={changes} />}
      <ul className={`bare ${styles.papers}`}>
        {Object.entries(PAPERS).map(([name, { title, reader, source }]) => (
          <li key={name}>
            <a href={`/admin/datenschutz/${name}`}>{title}</a>
            <span className="soft">
              {reader} · {source}
            </span>
          </li>
        ))}
      </ul>
      <section className={styles.issue}>
        <h2>Ausgegebener AVV</h2>
        <p>
          {issued
            ? `Fassung ${issued.number}, vermerkt am ${formatInstant(issued.at)} von ${issued.by}, Stand ${issued.hash}.`
            : 'Noch ist keiner vermerkt. Drucken Sie ihn, geben Sie ihn Ihren Kunden und vermerken Sie es hier; dann sagt Feierbild, wenn sich etwas ändert, das darin steht.'}
        </p>
        <p className="soft">Jetzt ist der Stand {hash}.</p>
        {children}
        {issued?.hash !== hash && (
          <div>
            <Button look="secondary" busy={busy} onClick={onIssue}>
              Diesen Stand als ausgegeben vermerken
            </Button>
          </div>
        )}
      </section>
      <section className={styles.checks} aria-labelledby="pruefungen">
        <h2 id="pruefungen">Prüfungen</h2>
        <p className="soft">
          {failed.length === 0
            ? 'Alle Aussagen der Papiere treffen zu.'
            : `${plural(failed.length, `Eine von ${checks.length} misslingt`, `# von ${checks.length} misslingen`)}; Sätze, die davon abhängen, sind rot und werden nicht gedruckt.`}
        </p>
        {failed.length > 0 && <Checks checks={failed} />}
        {held.length > 0 && (
          <details>
            <summary>{plural(held.length, 'Eine Prüfung gelingt', '# Prüfungen gelingen')}</summary>
            <Checks checks={held} />
          </details>
        )}
      </section>
    </>
  );
}

function Checks({ checks }: Pick<PapersState, 'checks'>) {
  return (
    <ul className="bare">
      {checks.map(({ id, title, ok, found }) => (
        <li key={id} className={ok ? styles.ok : styles.bad}>
          {ok ? <CircleCheck size={20} aria-label="gut:" /> : <CircleAlert size={20} aria-label="misslungen:" />}
          <span>
            <strong>{title}</strong> <span>{found}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
