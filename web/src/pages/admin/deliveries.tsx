import type { Delivery } from '@feierbild/contract/calls/outbox.ts';
import { MAILS } from '@feierbild/contract/mail.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, messageOf } from '../../api/client.ts';
import { formatInstant, plural } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-form.ts';
import styles from './settings/settings.module.css';

/** Number of entries that are shown. */
const SHOWN = 20;

const STATES: Record<Delivery['state'], string> = {
  waiting: 'wartet',
  delivered: 'zugestellt',
  // The entry's answer says why: not wanted, too late, said elsewhere, settled by hand.
  dropped: 'entfallen',
  failed: 'nicht zugestellt',
};

/** The state of a delivered mail: no server reports what becomes of a mail that it has accepted. */
const SENT = 'verschickt';

const MAIL_NAMES: Record<string, string> = Object.fromEntries(Object.entries(MAILS).map(([topic, { name }]) => [topic, name]));

interface DeliveriesProps {
  lane: string;
  title?: string;
  /** Shows failed entries only, and nothing at all if there are none. */
  only?: 'failed';
  /** Names of entries by their topic; default: the names of mails. */
  names?: Record<string, string>;
}

/** The latest deliveries to others' servers, also failed ones, with their answers. */
export function Deliveries({ lane, title, only, names = MAIL_NAMES }: DeliveriesProps) {
  const asked = {
    queryKey: ['outbox', lane, only],
    queryFn: () => call('GET /admin/outbox', { query: { lane, per_page: SHOWN, ...(only && { open: '1' as const }) } }),
  };
  const { data, error, refetch } = useQuery(asked);
  const queries = useQueryClient();
  const { busy, failure, run } = useAction();
  /** Id of the entry whose button was pressed last. */
  const [pressed, setPressed] = useState('');
  const again = (id: string) =>
    act(id, async () => {
      await call('POST /admin/outbox/:id/again', { params: { id } });
      await readAgain();
    });
  function act(id: string, work: () => Promise<void>): Promise<void> {
    setPressed(id);
    return run(work);
  }
  const deliveries = data?.deliveries.filter(({ state }) => only === undefined || state === only);
  const readAgain = () => queries.invalidateQueries({ queryKey: ['outbox', lane] });
  const settle = (id: string) =>
    act(id, async () => {
      await call('DELETE /admin/outbox/:id', { params: { id } });
      await Promise.all([readAgain(), queries.invalidateQueries({ queryKey: ['status'] })]);
    });
  if (only !== undefined && !deliveries?.length && !error) return null;
  const older = only ? (data?.failed ?? 0) - (deliveries?.length ?? 0) : 0;
  return (
    <section className={styles.section} aria-label={title ?? 'Letzte Antworten'}>
      <div className={styles.headed}>
        {title && <h2>{title}</h2>}
        <Button look="quiet" onClick={() => void refetch()}>
          Neu laden
        </Button>
      </div>
      {error && <Notice kind="error">{messageOf(error)}</Notice>}
      {deliveries?.length === 0 && <p className="soft">Noch nichts.</p>}
      <ul className={`bare ${styles.deliveries}`}>
        {deliveries?.map((delivery) => (
          <li key={delivery.id}>
            <span>
              <strong>{names[delivery.topic] ?? delivery.topic}</strong>
              {delivery.event_code && ` · ${delivery.event_code}`}
            </span>
            <span>
              {lane === 'mail' && delivery.state === 'delivered' ? SENT : STATES[delivery.state]},{' '}
              {formatInstant(delivery.answered_at ?? delivery.created_at)}
              {delivery.due_at !== null && delivery.attempts > 0 && `; nächster Versuch ${formatInstant(delivery.due_at)}`}
            </span>
            {delivery.answer && <code>{delivery.answer}</code>}
            {failure && pressed === delivery.id && <Notice kind="error">{failure}</Notice>}
            <div className={styles.decisions}>
              {delivery.repeatable && (
                <Button look="secondary" busy={busy} onClick={() => void again(delivery.id)}>
                  Noch einmal
                </Button>
              )}
              {delivery.state === 'failed' && (
                <Button look="quiet" busy={busy} onClick={() => void settle(delivery.id)}>
                  Erledigt
                </Button>
              )}
            </div>
            {delivery.state === 'failed' && delivery.topic === 'invitation' && (
              <span className="soft">Diese Einladung lässt sich nicht wiederholen: Bitte laden Sie beim Event neu ein.</span>
            )}
          </li>
        ))}
      </ul>
      {older > 0 && (
        <p className="soft">
          {plural(older, 'Dazu kommt eine ältere; sie erscheint hier', 'Dazu kommen # ältere; sie erscheinen hier')}, sobald etwas davon
          erledigt ist.
        </p>
      )}
    </section>
  );
}
