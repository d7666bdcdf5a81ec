import type { ListedWebhook } from '@feierbild/contract/calls/connections.ts';
import type { WebhookTopic } from '@feierbild/contract/constants.ts';
import { useState } from 'react';
import { call, isRefusal } from '../../../api/client.ts';
import { withText } from '../../../api/with-text.ts';
import { useSendKey } from '../../../lib/use-send-key.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormEnd } from '../../../ui/form-end.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useForm, useAction } from '../../../ui/use-form.ts';
import { Deliveries } from '../deliveries.tsx';
import styles from '../sections.module.css';
import { SwitchGroup } from './switch-group.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';

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
const CHANGED = 'Jemand anders hat diesen Webhook inzwischen geändert. So ist er jetzt.';
const ALL = Object.keys(TOPICS) as WebhookTopic[];

interface WebhooksSectionProps {
  webhooks: ListedWebhook[];
  onChanged(): Promise<unknown>;
}

/** Addresses that receive news: adds, tests, switches off and removes them, and shows their answers. */
export function WebhooksSection({ webhooks, onChanged }: WebhooksSectionProps) {
  const { field, typed, mistakes, restart, change, onSubmit, failure, busy, changed } = useForm({ name: '', url: '', topics: ALL });
  const [secret, setSecret] = useState<string | null>(null);
  const sending = useSendKey();

  async function add(): Promise<void> {
    setSecret(null);
    try {
      const headers = { 'idempotency-key': sending.keyFor(typed) };
      setSecret((await call('POST /admin/webhooks', { headers, body: typed })).secret);
      sending.answered();
      restart({ name: '', url: '', topics: ALL });
    } catch (error) {
      // The webhook of a lost answer was removed meanwhile, so the next press means a new one.
      if (isRefusal(error, 'webhook_not_found')) sending.answered();
      throw error;
    } finally {
      // A call without an answer may also have created the webhook.
      await onChanged();
    }
  }

  return (
    <section className={styles.section} aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p className="soft">
        Feierbild sagt einem anderen Programm, was geschieht: mit einer Unterschrift, und nie mit Namen von Gästen oder Dateien.
      </p>
      {secret && <ShownOnce key={secret} what="Geheimnis" value={secret} hint="Damit prüft das andere Programm die Unterschrift." />}
      {webhooks.length > 0 && (
        <ul className={`bare ${styles.list}`}>
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onChanged={onChanged} />
          ))}
        </ul>
      )}
      <form className={`${styles.form} ${styles.divided}`} noValidate onSubmit={onSubmit(add)}>
        <Field label="Name" autoComplete="off" {...field('name')} />
        <Field label="Adresse" type="url" placeholder="https://" autoComplete="off" spellCheck={false} {...field('url')} />
        <details>
          <summary>
            Was gemeldet wird ({typed.topics.length} von {ALL.length})
          </summary>
          <div className={styles.topics}>
            <SwitchGroup
              choices={ALL.map((topic) => ({ value: topic, label: TOPICS[topic] }))}
              chosen={typed.topics}
              onChange={(topics) => change('topics', topics)}
            />
          </div>
        </details>
        <FormEnd failure={failure || mistakes['topics']} busy={busy} changed={changed}>
          Webhook anlegen
        </FormEnd>
      </form>
    </section>
  );
}

function WebhookRow({ webhook, onChanged }: { webhook: ListedWebhook; onChanged(): Promise<unknown> }) {
  const { id, name, url, topics, active } = webhook;
  const [open, setOpen] = useState(false);
  const [removing, setRemoving] = useState(false);
  const [tested, setTested] = useState<{ delivered: boolean; answer: string } | null>(null);
  const { busy, failure, run } = useAction();

  async function test(): Promise<void> {
    setTested(null);
    setTested(await call('POST /admin/webhooks/:id/test', { params: { id } }));
  }
  async function toggle(): Promise<void> {
    const was = { name, url, topics, active };
    try {
      await call('PUT /admin/webhooks/:id', { params: { id }, body: { ...was, active: !active, was } });
    } catch (error) {
      throw withText(error, 'settings_changed', CHANGED);
    } finally {
      await onChanged();
    }
  }
  async function remove(): Promise<void> {
    try {
      await call('DELETE /admin/webhooks/:id', { params: { id } });
      setRemoving(false);
    } finally {
      // Also where it failed: it may be gone already.
      await onChanged();
    }
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
      {webhook.failed !== 0 && <Deliveries lane={`webhook ${id}`} title="Nicht zugestellt" only="failed" names={TOPICS} />}
      {open && <Deliveries lane={`webhook ${id}`} names={TOPICS} />}
      {removing && (
        <ConfirmDialog title="Webhook löschen?" confirm="Löschen" onClose={() => setRemoving(false)} onConfirm={remove}>
          <p>„{name}“ erfährt dann nichts mehr, auch nicht, was noch unterwegs ist.</p>
        </ConfirmDialog>
      )}
    </li>
  );
}
