import { useState } from 'react';
import { call } from '../api/client.ts';
import { formatInstant } from '../lib/format.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';
import { Notice } from './notice.tsx';
import styles from './report-form.module.css';
import { useForm } from './use-form.ts';

const EMPTY = { event: '', photo: '', reason: '', name: '', email: '' };

/** „Foto melden“: names an event and a photo that should be deleted, for the operator. `event` and `photo` are what the page knows already. */
export function ReportForm({ event = '', photo = '' }: { event?: string; photo?: string }) {
  const known = { ...EMPTY, event, photo };
  const { field, typed, setTyped, onSubmit, failure, busy } = useForm(known);
  const [receivedAt, setReceivedAt] = useState<string | null>(null);

  async function submit(): Promise<void> {
    setReceivedAt((await call('POST /api/reports', { body: typed })).received_at);
    setTyped(known);
  }

  if (receivedAt) {
    return (
      <Notice kind="success" onDismiss={() => setReceivedAt(null)}>
        <strong>Die Meldung ist angekommen.</strong>
        <span>Eingegangen am {formatInstant(receivedAt)}. Wir prüfen sie und melden uns, wenn eine E&#8209;Mail-Adresse dabei ist.</span>
      </Notice>
    );
  }

  return (
    <Form className={styles.form} onSubmit={onSubmit(submit)} noValidate>
      {!event && <Field label="Event" hint="Der Code oder der Name des Festes" maxLength={200} {...field('event')} />}
      <Field
        label="Welches Foto?"
        hint={photo === '' ? 'Was darauf zu sehen ist, von wem und wann es etwa kam' : 'An dieser Nummer erkennen wir es.'}
        rows={3}
        maxLength={1000}
        {...field('photo')}
      />
      <Field label="Warum soll es entfernt werden?" rows={3} maxLength={4000} {...field('reason')} />
      <Field label="Name (freiwillig)" autoComplete="name" maxLength={200} {...field('name')} />
      <Field
        label="E&#8209;Mail-Adresse (freiwillig)"
        hint="Für unsere Antwort"
        type="email"
        autoComplete="email"
        maxLength={254}
        {...field('email')}
      />
      <p className={styles.note}>Mit dem Absenden wird versichert, dass die Angaben nach bestem Wissen stimmen.</p>
      {failure && <Notice kind="error">{failure}</Notice>}
      <Button type="submit" busy={busy}>
        Meldung absenden
      </Button>
    </Form>
  );
}
