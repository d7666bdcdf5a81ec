import type { Webhook } from '@feierbild/contract/calls/connections.ts';
import type { Delivery } from '@feierbild/contract/calls/outbox.ts';
import type { WebhookTopic } from '@feierbild/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, messageOf } from '../../../api/client.ts';
import { formatInstant } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useForm, useTask } from '../../../ui/use-form.ts';
import styles from './connections.module.css';
import { ShownOnce } from './shown-once.tsx';

const TOPICS: Record<WebhookTopic, string> = {
  'event.created': 'Event angelegt',
  'event.started': 'Event beginnt',
  'event.ended': 'Event ist zu Ende',
  'event.zip_downloaded': 'ZIP heruntergeladen',
  'event.storage_80': 'Speicher zu 80 % voll',
  'event.storage_100': 'Speicher voll',
  'event.purged': 'Fotos gelöscht',
  'host.invited': 'Gastgeber eingeladen',
  'host.logged_in': 'Gastgeber zum ersten Mal angemeldet',
  'report.received': 'Foto gemeldet',
};
const ALL = Object.keys(TOPICS) as WebhookTopic[];

interface WebhooksSectionProps {
  webhooks: Webhook[];
  onChanged(): Promise<unknown>;
}

/** Addresses that are told what happens: to add one, to test, switch off and remove it, and to see what it answered. */
export function WebhooksSection({ webhooks, onChanged }: WebhooksSectionProps) {
  const { field, typed, setTyped, change, onSubmit, failure, busy } = useForm({ name: '', url: '', topics: ALL });
  const [secret, setSecret] = useState<string | null>(null);

  async function add(): Promise<void> {
    setSecret(null);
    setSecret((await call('POST /admin/webhooks', { body: typed })).secret);
    setTyped({ name: '', url: '', topics: ALL });
    await onChanged();
  }

  return (
    <section className={styles.section} aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p className="soft">
        Feierbild sagt einem anderen Programm, was geschieht: mit einer Unterschrift, und nie mit Namen von Gästen oder Dateien.
      </p>
      {secret && <ShownOnce what="Geheimnis" value={secret} hint="Damit prüft das andere Programm die Unterschrift." />}
      {webhooks.length > 0 && (
        <ul className={styles.list}>
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onChanged={onChanged} />
          ))}
        </ul>
      )}
      <form className={styles.form} noValidate onSubmit={onSubmit(add)}>
        <Field label="Name" autoComplete="off" {...field('name')} />
        <Field label="Adresse" type="url" placeholder="https://" autoComplete="off" spellCheck={false} {...field('url')} />
        <details>
          <summary>
            Was gemeldet wird ({typed.topics.length} von {ALL.length})
          </summary>
          <div className={styles.topics}>
            {ALL.map((topic) => (
              <Switch
                key={topic}
                label={TOPICS[topic]}
                checked={typed.topics.includes(topic)}
                onChange={(on) => change('topics', on ? [...typed.topics, topic] : typed.topics.filter((other) => other !== topic))}
              />
            ))}
          </div>
        </details>
        {failure && <Notice kind="error">{failure}</Notice>}
        <span>
          <Button type="submit" busy={busy}>
            Webhook anlegen
          </Button>
        </span>
      </form>
    </section>
  );
}

function WebhookRow({ webhook, onChanged }: { webhook: Webhook; onChanged(): Promise<unknown> }) {
  const { id, name, url, topics, active } = webhook;
  const [open, setOpen] = useState(false);
  const [removing, setRemoving] = useState(false);
  const [tested, setTested] = useState<{ delivered: boolean; answer: string } | null>(null);
  const { busy, failure, run } = useTask();

  async function test(): Promise<void> {
    setTested(null);
    setTested(await call('POST /admin/webhooks/:id/test', { params: { id } }));
  }
  async function toggle(): Promise<void> {
    await call('PUT /admin/webhooks/:id', { params: { id }, body: { name, url, topics, active: !active } });
    await onChanged();
  }
  async function remove(): Promise<void> {
    await call('DELETE /admin/webhooks/:id', { params: { id } });
    setRemoving(false);
    await onChanged();
  }

  return (
    <li className={styles.webhook}>
      <div>
        <strong>
          {name} {!active && <span className="soft">(aus)</span>}
        </strong>
        <span className="soft">{url}</span>
        <span>{topics.length === ALL.length ? 'Alles' : topics.map((topic) => TOPICS[topic]).join(', ')}</span>
      </div>
      <div className={styles.actions}>
        <Button look="secondary" busy={busy} onClick={() => void run(test)}>
          Testen
        </Button>
        <Button look="secondary" aria-expanded={open} onClick={() => setOpen(!open)}>
          Letzte Antworten
        </Button>
        <Button look="secondary" onClick={() => void run(toggle)}>
          {active ? 'Ausschalten' : 'Einschalten'}
        </Button>
        <Button look="quiet" aria-label={`„${name}“ löschen`} onClick={() => setRemoving(true)}>
          Löschen
        </Button>
      </div>
      {failure && <Notice kind="error">{failure}</Notice>}
      {tested && (
        <Notice kind={tested.delivered ? 'success' : 'error'}>
          {tested.delivered ? 'Angekommen. Die Antwort:' : 'Nicht angekommen. Die Antwort:'} {tested.answer}
        </Notice>
      )}
      {open && <Deliveries id={id} />}
      {removing && (
        <ConfirmDialog title="Webhook löschen?" confirm="Löschen" onClose={() => setRemoving(false)} onConfirm={remove}>
          <p>„{name}“ erfährt dann nichts mehr, auch nicht, was noch unterwegs ist.</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

const STATES: Record<Delivery['state'], string> = {
  waiting: 'unterwegs',
  delivered: 'angekommen',
  dropped: 'entfallen',
  failed: 'nicht angekommen',
};

function Deliveries({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', id],
    queryFn: () => call('GET /admin/webhooks/:id/deliveries', { params: { id } }),
  });
  const { failure, run } = useTask();
  const again = (delivery: Delivery) =>
    run(async () => {
      await call('POST /admin/outbox/:id/again', { params: { id: delivery.id } });
      await refetch();
    });
  if (!data) return error ? <Notice kind="error">{messageOf(error)}</Notice> : null;
  if (data.deliveries.length === 0) return <p className="soft">Noch nichts gemeldet.</p>;
  return (
    <>
      {failure && <Notice kind="error">{failure}</Notice>}
      <ol className={styles.list}>
        {data.deliveries.map((delivery) => (
          <li key={delivery.id}>
            <div>
              <span>
                {TOPICS[delivery.topic as WebhookTopic] ?? delivery.topic}, {STATES[delivery.state]}
              </span>
              <span className="soft">
                {formatInstant(delivery.answered_at ?? delivery.created_at)} {delivery.answer}
                {delivery.state === 'waiting' && delivery.due_at && ` Nächster Versuch am ${formatInstant(delivery.due_at)}.`}
              </span>
            </div>
            {delivery.repeatable && (
              <Button look="quiet" onClick={() => void again(delivery)}>
                Noch einmal
              </Button>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
