import { useState, type FormEvent } from 'react';
import { ApiError, call, messageOf } from '../api/client.ts';
import { formatInstant } from '../lib/format.ts';
import { Button } from './button.tsx';
import { Field, LongField } from './field.tsx';
import { Form } from './form.tsx';
import { Notice } from './notice.tsx';
import styles from './report-form.module.css';

const EMPTY = { event: '', photo: '', reason: '', name: '', email: '' };

/** „Foto melden“: names an event and a photo that should be deleted, for the operator. `event` and `photo` are what the page knows already. */
export function ReportForm({ event = '', photo = '' }: { event?: string; photo?: string }) {
  const known = { ...EMPTY, event, photo };
  const [form, setForm] = useState(known);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const [receivedAt, setReceivedAt] = useState<string | null>(null);

  async function submit(submitted: FormEvent): Promise<void> {
    submitted.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure('');
    setErrors({});
    try {
      setReceivedAt((await call('POST /api/reports', { body: form })).received_at);
      setForm(known);
    } catch (error) {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) setErrors(error.fields);
      else setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  if (receivedAt) {
    return (
      <Notice kind="success" onDismiss={() => setReceivedAt(null)}>
        <strong>Die Meldung ist angekommen.</strong>
        <span>Eingegangen am {formatInstant(receivedAt)}. Wir prüfen sie und melden uns, wenn eine E&#8209;Mail-Adresse dabei ist.</span>
      </Notice>
    );
  }

  const bind = (name: keyof typeof EMPTY) => ({
    value: form[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => setForm((before) => ({ ...before, [name]: target.value })),
  });
  return (
    <Form className={styles.form} onSubmit={(submitted) => void submit(submitted)} noValidate>
      {!event && <Field label="Event" hint="Der Code oder der Name des Festes" maxLength={200} {...bind('event')} />}
      <LongField
        label="Welches Foto?"
        hint={photo === '' ? 'Was darauf zu sehen ist, von wem und wann es etwa kam' : 'An dieser Nummer erkennen wir es.'}
        rows={3}
        maxLength={1000}
        {...bind('photo')}
      />
      <LongField label="Warum soll es entfernt werden?" rows={3} maxLength={4000} {...bind('reason')} />
      <Field label="Name (freiwillig)" autoComplete="name" maxLength={200} {...bind('name')} />
      <Field
        label="E&#8209;Mail-Adresse (freiwillig)"
        hint="Für unsere Antwort"
        type="email"
        autoComplete="email"
        maxLength={254}
        {...bind('email')}
      />
      <p className={styles.note}>Mit dem Absenden wird versichert, dass die Angaben nach bestem Wissen stimmen.</p>
      {failure && <Notice kind="error">{failure}</Notice>}
      <Button type="submit" busy={busy}>
        Meldung absenden
      </Button>
    </Form>
  );
}
